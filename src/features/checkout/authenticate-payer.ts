import type { AuthenticationAnswer } from "../../connectors/three-d-secure.ts";
import { changeTime } from "../../kernel/time.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import { clockOf, connectorsOf, type World } from "../../platform/world.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  announceTransaction,
  lockTransaction,
  type Transaction,
  updateTransaction,
} from "../transactions/index.ts";
import { RECOVER_JOB, recoveryDue } from "./attempt-deadlines.ts";

/** Asks for 3D Secure. No money can have moved yet, so an authentication that can't be had is one that failed. */
export async function beginAuthentication(
  world: World,
  merchant: Merchant,
  attempt: Transaction,
  cardNumber: string,
): Promise<AuthenticationAnswer> {
  const { id: reference, amount, currency } = attempt;
  try {
    return await connectorsOf(world, merchant).threeDSecure.begin({
      reference,
      amount,
      currency,
      cardNumber,
    });
  } catch (error) {
    world.log.warn({ error }, "3D Secure did not answer");
    return { kind: "failed" };
  }
}

/**
 * From here on the acquirer may be called. Gives undefined when somebody else took this step or the attempt has ended:
 * of two calls exactly one goes on.
 */
export async function enterCalling(
  world: World,
  merchant: Merchant,
  attempt: Transaction,
): Promise<Transaction | undefined> {
  return world.db.transaction(async (tx) => {
    const held = await lockTransaction(tx, merchant.id, attempt.id);
    if (held?.phase !== "authenticating") return undefined;
    const calling: Transaction = {
      ...held,
      phase: "calling",
      authentication: "authenticated",
      updatedAt: changeTime(clockOf(world, merchant), held.updatedAt),
    };
    await updateTransaction(tx, calling);
    await announceTransaction(tx, merchant.mode, calling);
    const job = { kind: RECOVER_JOB, merchantId: merchant.id, subjectId: attempt.id };
    await insertJob(tx, job, recoveryDue(world, calling));
    return calling;
  });
}
