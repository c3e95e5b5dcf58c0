import { refuseAll } from "../../../kernel/refusal.ts";
import { DAY, later } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret } from "../../../platform/crypto/secrets.ts";
import { networkOf } from "../../../platform/http/network-of.ts";
import { delayAfter } from "../../users/user.ts";
import { blockTries, countTry, forgetTries, forgiveTry } from "./queries.ts";

/** So many failures in a row cost nothing: people mistype. Many people can share one network address. */
const FREE_BY_ACCOUNT = 5;
const FREE_BY_ADDRESS = 30;

export type Tried = { readonly account: string; readonly address: string };

/**
 * Counts a try against the account that was named (whether it exists or not, so that nobody learns which) and against
 * the network address, and refuses it while either has to wait. Counted first and forgiven later.
 */
export async function beginTry(ctx: Context, { account, address }: Tried): Promise<void> {
  const now = ctx.now();
  const since = later(now, -DAY);
  const wait = await ctx.db.transaction(async (tx) => {
    for (const [subject, free] of [
      [addressSubject(address), FREE_BY_ADDRESS],
      [accountSubject(account), FREE_BY_ACCOUNT],
    ] as const) {
      const { failures, blockedUntil } = await countTry(tx, subject, now, since);
      // Whoever has to wait for the network's sake can't make the account wait, too.
      if (blockedUntil !== null && blockedUntil > now) return blockedUntil - now;
      if (delayAfter(failures, free) > 0) {
        await blockTries(tx, subject, later(now, delayAfter(failures, free)));
      }
    }
    return 0;
  });
  if (wait > 0) refuseAll([{ code: "dashboard_sign_in_too_often", wait }]);
}

/** The try succeeded: the account starts anew; of the address only this try is forgiven. */
export async function endTry(ctx: Context, { account, address }: Tried): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await forgiveTry(tx, addressSubject(address));
    await forgetTries(tx, accountSubject(account));
  });
}

function accountSubject(account: string): Uint8Array {
  return hashSecret(`account ${account}`);
}

function addressSubject(address: string): Uint8Array {
  return hashSecret(`address ${networkOf(address)}`);
}
