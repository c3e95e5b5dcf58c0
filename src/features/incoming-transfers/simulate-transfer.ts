import type { PayIdTransfer } from "../../connectors/ports/payid-rail.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import { later, SECOND } from "../../kernel/time.ts";
import { holdsCardNumber } from "../../platform/cards/card-number-in-text.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { insertJob } from "../../platform/jobs/queries.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { payIdEmail } from "../payment-requests/index.ts";
import { MAKE_TRANSFER_JOB, makeTransfer } from "./deliver-simulated.ts";
import { findHolder } from "./find-holder.ts";
import type { LinkedRequest } from "./find-linked-request.ts";
import type { IncomingTransfer } from "./incoming-transfer.ts";
import { findTransfer } from "./queries.ts";

export type PaymentInput = Omit<PayIdTransfer, "message" | "amount"> & { readonly amount: number };

/** Simulates a transfer to one of the caller's PayIDs, given as the address or as its value alone. */
export async function payOwnPayId(
  ctx: Context,
  caller: RequestCaller,
  body: PaymentInput,
): Promise<IncomingTransfer> {
  if (holdsCardNumber(body.payerName ?? "")) refuse("text_card_number_refused", "/payerName");
  const isAddress = body.payId.includes("@");
  const input = isAddress ? body : { ...body, payId: payIdEmail(body.payId, ctx.settings.payIdDomain) };
  const holder = await findHolder(ctx, ctx.db, "sandbox", input.payId);
  if (holder?.merchant.id !== caller.merchantId) refuse("transfer_payid_unknown", "/payId");
  const id = newId("incomingTransfer", ctx.now());
  const claim = (tx: Tx) => claimKey(tx, caller, { id, path: null });
  return pay(ctx, holder.merchant, { ...input, message: id }, claim);
}

/**
 * Simulates a transfer from the sandbox's bank app to the PayID of its link. The id is made with the form, so a form that is
 * sent twice pays once.
 */
export async function payAtBankApp(
  ctx: Context,
  id: Id<"incomingTransfer">,
  { merchant }: LinkedRequest,
  input: PaymentInput,
): Promise<IncomingTransfer> {
  const known = await findTransfer(ctx.db, id);
  return known ?? pay(ctx, merchant, { ...input, message: id }, async () => {});
}

/** A job makes the transfer if this process does not. */
async function pay(
  ctx: Context,
  merchant: Merchant,
  input: PaymentInput & { readonly message: Id<"incomingTransfer"> },
  claim: (tx: Tx) => Promise<void>,
): Promise<IncomingTransfer> {
  const transfer = { ...input, amount: cents(input.amount) };
  await ctx.db.transaction(async (tx) => {
    await claim(tx);
    const job = {
      kind: MAKE_TRANSFER_JOB,
      merchantId: merchant.id,
      subjectId: JSON.stringify(transfer),
      realTime: true,
    } as const;
    await insertJob(tx, job, later(ctx.now(), 5 * SECOND));
  });
  return makeTransfer(ctx, transfer);
}
