import type { ConnectionTest } from "../../connectors/ports/card-acquirer.ts";
import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant } from "../merchants/index.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";
import { AccountUnusable } from "./opened-accounts.ts";

const TEST_DEADLINE = 30 * SECOND;

/** Connects to the host and signs on, over a connection of its own. An account that can't be opened has failed the test. */
export async function testAccount(ctx: Context, account: AcquirerAccount): Promise<ConnectionTest> {
  const merchant = await findMerchant(ctx.db, account.merchantId);
  if (merchant === undefined) throw new Error("an acquirer account has no merchant");
  try {
    const { host } = await ctx.acquirers.get(merchant, account.id);
    return await host.test(AbortSignal.timeout(TEST_DEADLINE));
  } catch (error) {
    if (!(error instanceof AccountUnusable)) throw error;
    const { message, cause } = error;
    return {
      hasPassed: false,
      milliseconds: 0,
      detail: cause instanceof Error ? `${message}: ${cause.message}` : message,
    };
  }
}
