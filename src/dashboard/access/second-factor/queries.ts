import type { Id } from "../../../kernel/ids.ts";
import { sql, type Tx } from "../../../platform/db/database.ts";

const USE_STEP = sql(
  "user_use_totp_step",
  "update dashboard_users set totp_step = $2 where id = $1 and totp_step < $2 returning id",
);

const DELETE_RECOVERY = sql(
  "user_recovery_delete",
  "delete from dashboard_recovery_codes where user_id = $1",
);
const INSERT_RECOVERY = sql(
  "user_recovery_insert",
  `insert into dashboard_recovery_codes (user_id, hash)
   select $1, decode(hash, 'hex') from unnest($2::text[]) as t (hash)`,
);
const USE_RECOVERY = sql(
  "user_recovery_use",
  "delete from dashboard_recovery_codes where user_id = $1 and hash = $2 returning user_id",
);
const COUNT_RECOVERY = sql(
  "user_recovery_count",
  "select count(*) as count from dashboard_recovery_codes where user_id = $1",
);

/** False when a code of this step, or of a later one, was used before. */
export async function useTotpStep(tx: Tx, id: Id<"user">, step: number): Promise<boolean> {
  return (await tx.rows(USE_STEP, [id, step])).length === 1;
}

/** Replaces all codes of the user. */
export async function putRecoveryCodes(
  tx: Tx,
  userId: Id<"user">,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await tx.rows(DELETE_RECOVERY, [userId]);
  await tx.rows(INSERT_RECOVERY, [userId, hashes.map((hash) => Buffer.from(hash).toString("hex"))]);
}

/** False when there is no such code left. */
export async function useRecoveryCode(tx: Tx, userId: Id<"user">, hash: Uint8Array): Promise<boolean> {
  return (await tx.rows(USE_RECOVERY, [userId, hash])).length === 1;
}

export async function countRecoveryCodes(tx: Tx, userId: Id<"user">): Promise<number> {
  return (await tx.rows<{ readonly count: number }>(COUNT_RECOVERY, [userId]))[0]?.count ?? 0;
}
