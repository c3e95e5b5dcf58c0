import { soundBankAnswer } from "../../connectors/ports/sound-answer.ts";
import type { Id } from "../../kernel/ids.ts";
import { later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { finishKeysOf } from "../../platform/idempotency/queries.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import type { Merchant } from "../merchants/index.ts";
import { answerOrUnknown, BANK_DEADLINE, type FollowUp } from "../transactions/index.ts";
import { payIdEmail } from "./payid.ts";
import { isOverdue, type PaymentRequest, transition } from "./payment-request.ts";
import { findPaymentRequest, lockPaymentRequest } from "./queries.ts";
import { writeEnd } from "./write-end.ts";

export const REGISTER_PAYID_JOB = "payid_register";

const RETRY_AFTER = 5 * SECOND;

/** The job that registers the PayID again if the immediate registration had no certain answer. */
export function registrationOf(ctx: Context, { merchantId, id }: PaymentRequest): FollowUp {
  const job = { kind: REGISTER_PAYID_JOB, merchantId, subjectId: id, realTime: true } as const;
  return { job, due: later(ctx.now(), BANK_DEADLINE + RETRY_AFTER) };
}

/** Registers the PayID with the rail. Returns the request: cancelled if the rail refused. */
export async function registerPayId(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<PaymentRequest> {
  const answer = await sendRegistration(ctx, merchant, request);
  return answer === "refused" ? cancelUnpayable(ctx, merchant, request) : request;
}

/** Returns when to try again if the answer is unknown. */
export async function retryRegistration(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<NextRun> {
  // The process that created the request may have died before it did so.
  await finishKeysOf(ctx.db, merchant.id, id);
  const request = await findPaymentRequest(ctx.db, merchant.id, id);
  if (request?.status !== "created" || isOverdue(request, clockOf(ctx, merchant))) return undefined;
  const answer = await sendRegistration(ctx, merchant, request);
  if (answer === "refused") await cancelUnpayable(ctx, merchant, request);
  return answer === "unknown"
    ? { retry: "a PayID is not registered yet: the outcome is not known" }
    : undefined;
}

/** Ends the registration of a request that has ended. */
export async function releasePayId(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<NextRun> {
  const rail = ctx.connectors.findPayIdRail(merchant);
  if (rail === undefined) return undefined;
  const answer = await answerOrUnknown(ctx, () => soundBankAnswer(rail.release(id)));
  return answer.kind === "approved"
    ? undefined
    : { retry: "a PayID is not released: the rail refused or did not answer" };
}

async function sendRegistration(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<"registered" | "refused" | "unknown"> {
  const rail = ctx.connectors.findPayIdRail(merchant);
  if (rail === undefined || request.payIdValue === null) return "registered";
  const input = {
    reference: request.id,
    payId: payIdEmail(request.payIdValue, ctx.settings.payIdDomain),
    account: merchant.id,
    accountName: merchant.name,
    amount: request.amount,
  };
  const answer = await answerOrUnknown(ctx, () => soundBankAnswer(rail.register(input)));
  if (answer.kind === "unknown") return "unknown";
  return answer.kind === "approved" ? "registered" : "refused";
}

/**
 * A PayID that the rail refused cannot be paid: the request is cancelled, with its event. It is released as well, because an
 * earlier registration without an answer may stand.
 */
async function cancelUnpayable(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<PaymentRequest> {
  return ctx.db.transaction(async (tx) => {
    const held = (await lockPaymentRequest(tx, merchant.id, request.id)) ?? request;
    if (held.status !== "created") return held;
    const cancelled = transition(held, "cancel", clockOf(ctx, merchant));
    await writeEnd(ctx, tx, merchant.mode, cancelled);
    return cancelled;
  });
}
