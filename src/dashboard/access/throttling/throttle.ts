import { refuseAll } from "../../../kernel/refusal.ts";
import { DAY, later, MINUTE, SECOND } from "../../../kernel/time.ts";
import { type AuditEntry, record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import { findUserByEmail } from "../users/queries.ts";
import { blockUntil, countAttempt, deleteAttempts, forgiveAttempt, markRecorded } from "./queries.ts";

/** The number of failures in a row without a wait: people mistype, and many can share one network. */
const FREE_BY_ACCOUNT = 5;
const FREE_BY_NETWORK = 30;

const LOCKED_FOR = 30 * MINUTE;

export type Attempt = {
  /** What is tried. Each counts alone, so that a stranger's sign-ins lock no user out of what needs a session. */
  readonly kind: "sign-in" | "second factor" | "password";
  /** The e-mail address, as typed for a sign-in. */
  readonly email: string;
  readonly address: string;
};

/**
 * Counts an attempt against the typed account, which may not exist, and against the network, and refuses it while either has
 * to wait. It counts as a failure until `clearAttempts`, so parallel attempts all count. The audit log has each wait that
 * begins, and refused attempts of an account or a network once a minute, so that they can't fill it.
 */
export async function throttle(ctx: Context, attempt: Attempt): Promise<void> {
  const now = ctx.now();
  const since = later(now, -DAY);
  const wait = await ctx.db.transaction(async (tx) => {
    for (const [subject, free, about] of [
      [networkSubject(attempt), FREE_BY_NETWORK, async () => ({ detail: "network" })],
      [accountSubject(attempt), FREE_BY_ACCOUNT, () => aboutAccount(tx, attempt)],
    ] as const) {
      const { failures, blockedUntil } = await countAttempt(tx, subject, now, since);
      // An attempt from a blocked network does not count against the account.
      if (blockedUntil !== null && blockedUntil > now) {
        if (await markRecorded(tx, subject, now, later(now, -MINUTE)))
          await record(tx, { act: "user_attempt_refused", ...(await about()) }, now);
        return blockedUntil - now;
      }
      const delay = delayAfter(failures, free);
      if (delay === 0) continue;
      await blockUntil(tx, subject, later(now, delay));
      const { detail, ...user } = await about();
      await record(tx, { act: "user_locked", ...user, detail: `${detail}, ${delay / SECOND} seconds` }, now);
    }
    return 0;
  });
  if (wait > 0) refuseAll([{ code: "dashboard_sign_in_too_often", wait }]);
}

async function aboutAccount(tx: Tx, { kind: detail, email }: Attempt): Promise<Omit<AuditEntry, "act">> {
  const user = await findUserByEmail(tx, email);
  return user === undefined ? { detail } : { merchantId: user.merchantId, subjectId: user.id, detail };
}

/** After a success: the account starts anew; of the network's attempts only this one is forgiven. */
export async function clearAttempts(ctx: Context, attempt: Attempt): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await forgiveAttempt(tx, networkSubject(attempt));
    await deleteAttempts(tx, accountSubject(attempt));
  });
}

/** The wait before the next attempt. It doubles with each failure; after twice the free ones the account is locked. */
function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  if (failures >= 2 * free) return LOCKED_FOR;
  return Math.min(LOCKED_FOR, (MINUTE / 2) * 2 ** Math.min(failures - free, 10));
}

/** The kind stands first: whatever is typed as the address, it is no other kind's subject. */
function accountSubject({ kind, email }: Attempt): Uint8Array {
  return hashSecret(`${kind === "sign-in" ? "account" : kind} ${email}`);
}

function networkSubject({ address }: Attempt): Uint8Array {
  return hashSecret(`address ${networkOf(address)}`);
}
