import { pick } from "./command.ts";
import { CURRENCIES, type Model, where } from "./model.ts";

export type Row = {
  readonly id: string;
  readonly created: string;
  /** What the list's filters compare. */
  readonly fields: Readonly<Record<string, string | undefined>>;
};

export type List = {
  readonly path: string;
  readonly name: string;
  readonly hasCsv?: true;
  readonly rows: readonly Row[];
  /** More values for its filters to ask for: of rows that it does not show, or of none. */
  readonly others?: readonly Row["fields"][];
};

function rowsOf<Value extends { readonly created: string }>(
  entries: ReadonlyMap<string, Value>,
  fields: (value: Value) => Row["fields"],
): readonly Row[] {
  return [...entries].map(([id, value]) => ({ id, created: value.created, fields: fields(value) }));
}

const tagOf = ({ metadata }: { readonly metadata?: string | undefined }) => ({ "metadata[tag]": metadata });

/** Every list but those of events and deliveries, with all of its filters. */
export const LISTS: readonly ((model: Model, place: number) => List | undefined)[] = [
  ({ customers }) => ({
    path: "/customers",
    name: "customers",
    rows: rowsOf(customers, ({ reference, metadata }) => ({ reference, "metadata[tag]": metadata })),
  }),
  ({ customers, instruments }, place) => {
    if (customers.size === 0) return undefined;
    const [customerId] = pick(customers, place);
    const own = where(instruments, (one) => one.customerId === customerId && !one.isDeleted);
    return {
      path: `/customers/${customerId}/paymentinstruments`,
      name: "paymentInstruments",
      rows: rowsOf(own, tagOf),
      others: [...instruments.values()].map(tagOf),
    };
  },
  ({ requests }) => ({
    path: "/paymentrequests",
    name: "paymentRequests",
    rows: rowsOf(requests, ({ reference, metadata, status }) => ({
      reference,
      status,
      "metadata[tag]": metadata,
    })),
  }),
  ({ transactions }) => ({
    path: "/transactions",
    name: "transactions",
    hasCsv: true,
    rows: rowsOf(transactions, ({ reference, metadata, status, requestId, customerId }) => ({
      reference,
      status,
      paymentrequestid: requestId,
      customerid: customerId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ refunds }) => ({
    path: "/refunds",
    name: "refunds",
    hasCsv: true,
    rows: rowsOf(refunds, ({ reference, metadata, status, transactionId }) => ({
      reference,
      status,
      transactionid: transactionId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ transactions, refunds }, place) => {
    if (transactions.size === 0) return undefined;
    const refunded = new Set([...refunds.values()].map(({ transactionId }) => transactionId));
    // Few transactions have refunds; now and then it is any of them.
    const isAny = refunded.size === 0 || place % 5 === 0;
    const [id] = pick(isAny ? transactions : where(transactions, (_, one) => refunded.has(one)), place);
    const own = where(refunds, ({ transactionId }) => transactionId === id);
    return {
      path: `/transactions/${id}/refunds`,
      name: "refunds",
      rows: rowsOf(own, tagOf),
      others: [...refunds.values()].map(tagOf),
    };
  },
  ({ disputes }) => ({
    path: "/disputes",
    name: "disputes",
    rows: rowsOf(disputes, ({ metadata, status, transactionId }) => ({
      status,
      transactionid: transactionId,
      "metadata[tag]": metadata,
    })),
  }),
  ({ payouts }) => ({
    path: "/payouts",
    name: "payouts",
    rows: rowsOf(payouts, ({ currency }) => ({ currencyCode: currency })),
    others: CURRENCIES.map((currencyCode) => ({ currencyCode })),
  }),
  ({ webhooks }) => ({ path: "/webhooks", name: "webhooks", rows: rowsOf(webhooks, () => ({})) }),
];
