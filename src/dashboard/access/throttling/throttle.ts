import { refuseAll } from "../../../kernel/refusal.ts";
import { DAY, later, MINUTE } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret } from "../../../platform/crypto/secrets.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import { blockUntil, countAttempt, deleteAttempts, forgiveAttempt } from "./queries.ts";

/** The number of failures in a row without a wait: people mistype, and many can share one network. */
const FREE_BY_ACCOUNT = 5;
const FREE_BY_NETWORK = 30;

const LOCKED_FOR = 30 * MINUTE;

export type Attempt = { readonly account: string; readonly address: string };

/**
 * Counts an attempt against the typed account, which may not exist, and against the network, and refuses it while either has
 * to wait. It counts as a failure until `clearAttempts`, so parallel attempts all count.
 */
export async function throttle(ctx: Context, { account, address }: Attempt): Promise<void> {
  const now = ctx.now();
  const since = later(now, -DAY);
  const wait = await ctx.db.transaction(async (tx) => {
    for (const [subject, free] of [
      [networkSubject(address), FREE_BY_NETWORK],
      [accountSubject(account), FREE_BY_ACCOUNT],
    ] as const) {
      const { failures, blockedUntil } = await countAttempt(tx, subject, now, since);
      // An attempt from a blocked network does not count against the account.
      if (blockedUntil !== null && blockedUntil > now) return blockedUntil - now;
      const delay = delayAfter(failures, free);
      if (delay > 0) await blockUntil(tx, subject, later(now, delay));
    }
    return 0;
  });
  if (wait > 0) refuseAll([{ code: "dashboard_sign_in_too_often", wait }]);
}

/** After a success: the account starts anew; of the network's attempts only this one is forgiven. */
export async function clearAttempts(ctx: Context, { account, address }: Attempt): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await forgiveAttempt(tx, networkSubject(address));
    await deleteAttempts(tx, accountSubject(account));
  });
}

/** The wait before the next attempt. It doubles with each failure; after twice the free ones the account is locked. */
function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  if (failures >= 2 * free) return LOCKED_FOR;
  return Math.min(LOCKED_FOR, (MINUTE / 2) * 2 ** Math.min(failures - free, 10));
}

function accountSubject(account: string): Uint8Array {
  return hashSecret(`account ${account}`);
}

function networkSubject(address: string): Uint8Array {
  return hashSecret(`address ${networkOf(address)}`);
}
