import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { OneTimeToken } from "./token.ts";

const INSERT = sql(
  "token_insert",
  `insert into one_time_tokens (hash, id, merchant_id, payment_request_id, status, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

export async function insertToken(tx: Tx, token: OneTimeToken, hash: Uint8Array): Promise<void> {
  const { id, merchantId, paymentRequestId, status, createdAt, expiresAt } = token;
  await tx.rows(INSERT, [hash, id, merchantId, paymentRequestId, status, at(createdAt), at(expiresAt)]);
}
