import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";

const FIND = sql("sandbox_wallet_keys_find", "select sealed from sandbox_wallet_keys");

/** One row per installation: of two nodes that insert at once, the first one's keys stay. */
const INSERT = sql(
  "sandbox_wallet_keys_insert",
  "insert into sandbox_wallet_keys (sealed, created_at) values ($1, $2) on conflict do nothing",
);

export async function findSandboxKeys(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.rows<{ sealed: string }>(FIND, []);
  return row?.sealed;
}

export async function insertSandboxKeys(tx: Tx, sealed: string, now: Instant): Promise<void> {
  await tx.rows(INSERT, [sealed, at(now)]);
}
