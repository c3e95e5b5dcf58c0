import type { Held, Holdings } from "../customers/index.ts";
import { presentInstrument } from "./present.ts";
import { listNewest } from "./queries.ts";
import { PaymentInstrumentAnswer } from "./wire.ts";

/** A customer's answer shows no more than this; the list of its instruments shows all, page by page. */
const SHOWN_AT_MOST = 100;

/** What customers hold, for their answers. */
export const holdingsOfCustomers: Holdings = {
  instrument: PaymentInstrumentAnswer,
  read: async (tx, { id, mode }, customers) => {
    const rows = customers.length === 0 ? [] : await listNewest(tx, id, customers, SHOWN_AT_MOST);
    const byCustomer = Map.groupBy(rows, ({ instrument }) => instrument.customerId);
    return new Map(
      [...byCustomer].map(([customer, found]): [typeof customer, Held] => [
        customer,
        {
          count: found[0]?.held ?? 0,
          newest: found.map(({ instrument }) => presentInstrument(instrument, mode)),
        },
      ]),
    );
  },
};
