import type { Tx } from "../../platform/db/database.ts";
import { announce } from "../../platform/outbox/announce.ts";
import type { Mode } from "../merchants/index.ts";
import { presentTransaction } from "./present.ts";
import type { Transaction } from "./transaction.ts";

export async function announceTransaction(tx: Tx, mode: Mode, transaction: Transaction): Promise<void> {
  await announce(tx, {
    merchantId: transaction.merchantId,
    event: "transactions",
    resourceId: transaction.id,
    reference: transaction.reference,
    at: transaction.updatedAt,
    payload: presentTransaction(transaction, mode),
  });
}
