import type { Fees } from "../../kernel/fees.ts";
import type { Id } from "../../kernel/ids.ts";
import { SOURCES, type Source } from "../../kernel/source.ts";
import type { Rate } from "../../kernel/surcharge.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { MERCHANTS } from "./keys/create-key.ts";
import { lockMerchant, updateMerchant } from "./queries.ts";

/** Sets the fee that a merchant pays per payment of these sources from now on; a rate of 0 removes it. */
export async function changeFees(
  ctx: Context,
  merchantId: Id<"merchant">,
  sources: readonly Source[],
  rate: Rate,
): Promise<Fees> {
  const fees = await ctx.db.transaction(async (tx) => {
    const before = await lockMerchant(tx, merchantId);
    const after = { ...before, fees: changedFees(before.fees, sources, rate) };
    await updateMerchant(tx, after);
    await record(
      tx,
      { act: "merchant_changed", merchantId, subjectId: merchantId, detail: "fees" },
      ctx.now(),
    );
    await ctx.cacheInvalidation.mark(tx, MERCHANTS);
    return after.fees;
  });
  ctx.cacheInvalidation.forget(MERCHANTS);
  return fees;
}

function changedFees(fees: Fees, sources: readonly Source[], rate: Rate): Fees {
  const entries = SOURCES.flatMap((source) => {
    const after = sources.includes(source) ? rate : fees[source];
    return after === undefined || (after.percent === 0 && after.fixed === 0)
      ? []
      : [[source, after] as const];
  });
  return Object.fromEntries(entries);
}
