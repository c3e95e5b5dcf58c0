import type { PayIdTransfer } from "../../connectors/ports/payid-rail.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { later, SECOND } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { payIdEmail } from "../payment-requests/index.ts";
import { findHolder } from "./find-holder.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";
import { findTransfer } from "./queries.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** The sandbox's bank tells us again of a payment that we may not have heard of. */
export const DELIVER_TRANSFER_JOB = "sandbox_payid_deliver";
/** The sandbox's payers pay what pays by itself. It goes by the merchant's clock. */
export const PAY_BY_ITSELF_JOB = "sandbox_payid_pay_by_itself";

export type PaymentInput = Omit<PayIdTransfer, "message">;

/** A payer of the sandbox pays to one of the caller's own PayIDs. The value alone will do: the caller chose it. */
export async function payOwnPayId(
  ctx: Context,
  caller: RequestCaller,
  given: PaymentInput,
): Promise<IncomingTransfer> {
  const whole = given.payId.includes("@");
  const input = whole ? given : { ...given, payId: payIdEmail(given.payId, ctx.settings.payIdDomain) };
  const holder = await findHolder(ctx, ctx.db, "sandbox", input.payId);
  if (holder?.merchant.id !== caller.merchantId) refuse("transfer_payid_unknown", "/payId");
  const id = newId("incomingTransfer", ctx.now());
  return pay(ctx, holder.merchant, id, input, (tx) => claimKey(tx, caller, { id, path: null }));
}

/**
 * A person pays in the sandbox's bank app, to the PayID of any sandbox merchant. The id was made with the form: a form that
 * is sent twice pays once.
 */
export async function payAtBankApp(
  ctx: Context,
  id: Id<"incomingTransfer">,
  input: PaymentInput,
): Promise<IncomingTransfer> {
  const known = await findTransfer(ctx.db, id);
  if (known !== undefined) return known;
  const holder =
    (await findHolder(ctx, ctx.db, "sandbox", input.payId)) ?? refuse("transfer_payid_unknown", "/payId");
  return pay(ctx, holder.merchant, id, input, async () => {});
}

/** The bank's message has the id that we will know the transfer by. Should we not live to hear it, it is told again. */
async function pay(
  ctx: Context,
  merchant: Merchant,
  id: Id<"incomingTransfer">,
  input: PaymentInput,
  alsoWrite: (tx: Tx) => Promise<void>,
): Promise<IncomingTransfer> {
  await ctx.db.transaction(async (tx) => {
    await alsoWrite(tx);
    const job = {
      kind: DELIVER_TRANSFER_JOB,
      merchantId: merchant.id,
      subjectId: id,
      realTime: true,
    } as const;
    await insertJob(tx, job, later(ctx.now(), 5 * SECOND));
  });
  return receiveTransfer(ctx, "sandbox", await ctx.sandbox.payIdPayers.pay({ ...input, message: id }), id);
}

/** Receives a transfer that a crash may have lost on its way to the gateway. */
export async function deliverTransfer(ctx: Context, id: Id<"incomingTransfer">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.find(id);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer, id);
}

export async function payByItself(ctx: Context, requestId: Id<"paymentRequest">): Promise<void> {
  const transfer = await ctx.sandbox.payIdPayers.payAutomatically(requestId);
  if (transfer !== undefined) await receiveTransfer(ctx, "sandbox", transfer);
}
