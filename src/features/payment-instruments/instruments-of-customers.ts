import type { CustomerInstruments, InstrumentReader } from "../customers/index.ts";
import { presentInstrument } from "./present.ts";
import { listNewest } from "./queries.ts";
import { PaymentInstrumentAnswer } from "./wire.ts";

/** A customer's answer shows at most this many; the list of its instruments has all, page by page. */
const SHOWN_AT_MOST = 100;

/** Reads the instruments that the answers of customers show. */
export const instrumentsOfCustomers: InstrumentReader = {
  instrument: PaymentInstrumentAnswer,
  read: async (tx, { id, mode }, customers) => {
    const rows = customers.length === 0 ? [] : await listNewest(tx, id, customers, SHOWN_AT_MOST);
    const byCustomer = Map.groupBy(rows, ({ instrument }) => instrument.customerId);
    return new Map(
      [...byCustomer].map(([customer, instruments]): [typeof customer, CustomerInstruments] => [
        customer,
        {
          count: instruments[0]?.total ?? 0,
          newest: instruments.map(({ instrument }) => presentInstrument(instrument, mode)),
        },
      ]),
    );
  },
};
