import type { Id } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Schema } from "../../platform/http/schema.ts";

/** The payment instruments of one customer in an answer: their count, and the newest ones. */
export type CustomerInstruments = { readonly count: number; readonly newest: readonly unknown[] };

/**
 * Reads the payment instruments that a customer's answer shows. They come later in the order of features, so the app
 * passes this reader to the customer routes.
 */
export type InstrumentReader = {
  /** The schema of one instrument. */
  readonly instrument: Schema;
  /** Customers without any have no entry. */
  readonly read: (
    tx: Tx,
    merchant: { readonly id: Id<"merchant">; readonly mode: Mode },
    customers: readonly Id<"customer">[],
  ) => Promise<ReadonlyMap<Id<"customer">, CustomerInstruments>>;
};

export const NO_INSTRUMENTS: CustomerInstruments = { count: 0, newest: [] };
