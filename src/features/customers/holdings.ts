import type { Id } from "../../kernel/ids.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Schema } from "../../platform/http/schema.ts";
import type { Mode } from "../merchants/index.ts";

/** The payment instruments of one customer, as they are answered: how many there are, and the newest of them. */
export type Held = { readonly count: number; readonly newest: readonly unknown[] };

/**
 * How to find out what customers hold. A customer's answer shows its payment instruments, which come later in the order
 * of features; so whoever mounts the routes of customers brings this along.
 */
export type Holdings = {
  /** The schema of one instrument. */
  readonly instrument: Schema;
  /** Customers without any have no entry. */
  readonly read: (
    tx: Tx,
    merchant: { readonly id: Id<"merchant">; readonly mode: Mode },
    customers: readonly Id<"customer">[],
  ) => Promise<ReadonlyMap<Id<"customer">, Held>>;
};

export const NOTHING_HELD: Held = { count: 0, newest: [] };
