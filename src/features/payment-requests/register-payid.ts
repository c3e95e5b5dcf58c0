import type { Id } from "../../kernel/ids.ts";
import { type Instant, later, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { NewJob } from "../../platform/jobs/queries.ts";
import type { Merchant } from "../merchants/index.ts";
import { ACQUIRER_DEADLINE, answerOrUnknown } from "../transactions/index.ts";
import { payIdEmail } from "./payid.ts";
import { isOverdue, moved, type PaymentRequest } from "./payment-request.ts";
import { findPaymentRequest, lockPaymentRequest, updatePaymentRequest } from "./queries.ts";
import { requestChange } from "./request-change.ts";

export const REGISTER_PAYID_JOB = "payid_register";
export const RELEASE_PAYID_JOB = "payid_release";

const RETRY_AFTER = 5 * SECOND;

/** The work that makes sure of a registration; it comes after the one that is made right away. */
export function registrationOf(
  ctx: Context,
  { merchantId, id }: PaymentRequest,
): { job: NewJob; due: Instant } {
  const job = { kind: REGISTER_PAYID_JOB, merchantId, subjectId: id, realTime: true } as const;
  return { job, due: later(ctx.now(), ACQUIRER_DEADLINE + RETRY_AFTER) };
}

/** Asks the rail to send transfers to this PayID our way. Gives the request: cancelled, when the rail refused for good. */
export async function registerPayId(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<PaymentRequest> {
  const answer = await askToRegister(ctx, merchant, request);
  return answer === "refused" ? giveUp(ctx, merchant, request) : request;
}

/** Registers a PayID whose first registration had no certain answer. */
export async function retryRegistration(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<Instant | undefined> {
  const request = await findPaymentRequest(ctx.db, merchant.id, id);
  if (request?.status !== "created" || isOverdue(request, clockOf(ctx, merchant))) return undefined;
  const answer = await askToRegister(ctx, merchant, request);
  if (answer === "refused") await giveUp(ctx, merchant, request);
  return answer === "unknown" ? later(ctx.now(), RETRY_AFTER) : undefined;
}

/** Ends the registration of a request that has ended. */
export async function releasePayId(
  ctx: Context,
  merchant: Merchant,
  id: Id<"paymentRequest">,
): Promise<Instant | undefined> {
  const rail = ctx.connectors.findPayIdRail(merchant);
  if (rail === undefined) return undefined;
  const answer = await answerOrUnknown(ctx, () => rail.release(id));
  return answer.kind === "approved" ? undefined : later(ctx.now(), RETRY_AFTER);
}

async function askToRegister(
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
  const answer = await answerOrUnknown(ctx, () => rail.register(input));
  if (answer.kind === "unknown") return "unknown";
  return answer.kind === "approved" ? "registered" : "refused";
}

/** Nobody can pay to a PayID that the rail does not take: the request ends, and the merchant is told. */
async function giveUp(ctx: Context, merchant: Merchant, request: PaymentRequest): Promise<PaymentRequest> {
  return ctx.db.transaction(async (tx) => {
    const held = (await lockPaymentRequest(tx, merchant.id, request.id)) ?? request;
    if (held.status !== "created") return held;
    const cancelled = moved(held, "cancel", clockOf(ctx, merchant));
    await updatePaymentRequest(tx, cancelled, requestChange(ctx, merchant.mode, cancelled));
    return cancelled;
  });
}
