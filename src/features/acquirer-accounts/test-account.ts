import type { ConnectionTest } from "../../connectors/ports/card-acquirer.ts";
import { SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant } from "../merchants/index.ts";
import type { AcquirerAccount } from "./acquirer-account.ts";

const TEST_DEADLINE = 30 * SECOND;

/** Connects to the host and signs on, over a connection of its own. */
export async function testAccount(ctx: Context, account: AcquirerAccount): Promise<ConnectionTest> {
  const merchant = await findMerchant(ctx.db, account.merchantId);
  if (merchant === undefined) throw new Error("an acquirer account has no merchant");
  const { host } = await ctx.acquirers.get(merchant, account.id);
  return host.test(AbortSignal.timeout(TEST_DEADLINE));
}
