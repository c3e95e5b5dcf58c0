import type { Id, IdNoun } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { type JobSpec, type NextRun, subjectJob } from "../../platform/jobs/job.ts";
import type { Merchant } from "./merchant.ts";
import { findMerchant } from "./queries.ts";

/** A job about one record of a merchant. A job of a merchant that does not exist is done. */
export function merchantJob<Noun extends IdNoun>(spec: {
  readonly kind: string;
  readonly subject: Noun;
  readonly run: (ctx: Context, merchant: Merchant, id: Id<Noun>) => Promise<NextRun>;
}): JobSpec {
  return subjectJob({
    ...spec,
    run: async (ctx, merchantId, id) => {
      const merchant = await findMerchant(ctx.db, merchantId);
      return merchant === undefined ? undefined : spec.run(ctx, merchant, id);
    },
  });
}
