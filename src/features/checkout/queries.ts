import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { Transaction } from "../transactions/index.ts";

const INSERT_USE = sql(
  "wallet_token_use_insert",
  "insert into wallet_token_uses (digest, merchant_id, transaction_id, forget_at) values ($1, $2, $3, $4)",
);

const DELETE_USES = sql(
  "wallet_token_use_forget",
  `delete from wallet_token_uses where digest in
     (select digest from wallet_token_uses where forget_at < $1 order by forget_at limit $2)
   returning 1`,
);

/** Fails on `wallet_token_uses_pkey` when the token is already used, also by a concurrent payment. */
export async function insertTokenUse(
  tx: Tx,
  { merchantId, id }: Pick<Transaction, "merchantId" | "id">,
  use: { readonly digest: Uint8Array; readonly forgetAt: Instant },
): Promise<void> {
  await tx.rows(INSERT_USE, [use.digest, merchantId, id, at(use.forgetAt)]);
}

/** Deletes uses of expired tokens; returns how many. */
export async function deleteTokenUses(tx: Tx, before: Instant, limit: number): Promise<number> {
  return (await tx.rows(DELETE_USES, [at(before), limit])).length;
}
