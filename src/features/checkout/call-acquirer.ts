import type { CardDetails } from "../../connectors/card-acquirer.ts";
import { later, SECOND } from "../../kernel/time.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { connectorsOf, type World } from "../../platform/world.ts";
import type { Merchant } from "../merchants/index.ts";
import { askAcquirer, type Transaction } from "../transactions/index.ts";
import { RECOVER_JOB } from "./attempt-deadlines.ts";
import { finishAttempt } from "./finish-attempt.ts";

/** Asks the acquirer for the money of an attempt that is on record. Gives the attempt as it is after the answer. */
export async function callAcquirer(
  world: World,
  merchant: Merchant,
  attempt: Transaction,
  card: CardDetails,
): Promise<Transaction> {
  const answer = await askAcquirer(world, () =>
    connectorsOf(world, merchant).acquirer.authorise({
      reference: attempt.id,
      order: attempt.paymentRequestId,
      amount: attempt.amount,
      surcharge: attempt.surcharge,
      currency: attempt.currency,
      capture: attempt.captureType === "auto",
      authenticated: attempt.authentication === "authenticated",
      card,
    }),
  );
  if (answer.kind !== "unknown") return finishAttempt(world, merchant, attempt, answer);
  const job = { kind: RECOVER_JOB, merchantId: merchant.id, subjectId: attempt.id };
  await insertJob(world.db, job, later(world.now(), SECOND));
  return attempt;
}
