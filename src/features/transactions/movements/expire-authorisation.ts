import { type Id, parseId } from "../../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../../kernel/time.ts";
import type { JobHandler } from "../../../platform/jobs/worker.ts";
import { findMerchant } from "../../merchants/index.ts";
import { lockTransaction } from "../queries.ts";
import { isOpenAuthorisation } from "../transaction.ts";
import { beginMovement, finishMovement } from "./move-money.ts";
import { findPendingMovement, type Movement } from "./queries.ts";

/** An authorisation that nobody captured in time is given up. */
export const EXPIRE_AUTHORISATION_JOB = "transaction_expire";

export const expireAuthorisation: JobHandler = async (world, job) => {
  const merchant = await findMerchant(world.db, job.merchantId as Id<"merchant">);
  const id = parseId("transaction", job.subjectId);
  if (merchant === undefined || id === undefined) return undefined;
  const begun = await world.db.transaction(async (tx): Promise<Movement | Instant | undefined> => {
    const transaction = await lockTransaction(tx, merchant.id, id);
    if (transaction === undefined || !isOpenAuthorisation(transaction)) return undefined;
    if (await findPendingMovement(tx, merchant.id, id)) return later(world.now(), 5 * SECOND);
    return beginMovement(world, tx, merchant, id, () => ({ kind: "expire", amount: 0 }));
  });
  if (begun === undefined || typeof begun === "number") return begun;
  await finishMovement(world, merchant, begun);
  return undefined;
};
