import { type Id, parseId } from "../../kernel/ids.ts";
import { findLanguage, languageFor } from "../../kernel/languages/languages.ts";
import type { Context } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NextRun } from "../../platform/jobs/job.ts";
import { findCustomer } from "../customers/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { findPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { type FollowUp, findTransaction, receiptJobOf, type Transaction } from "../transactions/index.ts";
import { findPayersLanguage, insertReceipt, isSent, updateLanguage } from "./queries.ts";
import { receiptMail } from "./receipt-mail.ts";

/** The job that sends the receipt of a payment that is captured at once. None for a payer without an address. */
export function receiptOf(
  ctx: Context,
  { request, transaction }: { readonly request: PaymentRequest; readonly transaction: Transaction },
): FollowUp | undefined {
  return hasReader(ctx, request) ? receiptJobOf(ctx, transaction) : undefined;
}

/** Keeps the language of the payer's page for the receipt, unless the payment request already says it. */
export async function keepLanguage(
  ctx: Context,
  tx: Tx,
  { request, transaction }: { readonly request: PaymentRequest; readonly transaction: Transaction },
  spoken: string | undefined,
): Promise<void> {
  const language = languageToKeep(ctx, request, spoken);
  if (language !== undefined) await updateLanguage(tx, request.merchantId, transaction.id, language);
}

/** Undefined when no receipt follows, or the payment request already says it. */
export function languageToKeep(
  ctx: Context,
  request: PaymentRequest,
  spoken: string | undefined,
): string | undefined {
  const language = spoken === undefined ? undefined : findLanguage(spoken);
  if (language === undefined || !hasReader(ctx, request)) return undefined;
  return language === languageFor(request.details.locale, undefined) ? undefined : language.tag;
}

function hasReader(ctx: Context, { details }: PaymentRequest): boolean {
  const { email, id } = details.customerRequest ?? {};
  return ctx.mailer !== undefined && (email !== undefined || id !== undefined);
}

/**
 * Sends a receipt at least once. It is sent again only if this process ends between the mail server's answer and the
 * record of it; the mail's id is the same then.
 */
export async function sendReceipt(ctx: Context, merchant: Merchant, id: Id<"transaction">): Promise<NextRun> {
  const { mailer } = ctx;
  if (mailer === undefined || (await isSent(ctx.db, merchant.id, id))) return undefined;
  const transaction = await findTransaction(ctx.db, merchant.id, id);
  if (transaction === undefined || transaction.paymentRequestId === null) return undefined;
  const request = await findPaymentRequest(ctx.db, merchant.id, transaction.paymentRequestId);
  const to = request && (await addressOf(ctx, merchant, request));
  if (request === undefined || to === undefined) return undefined;
  const locale = (await findPayersLanguage(ctx.db, merchant.id, id)) ?? request.details.locale;
  const receipt = receiptMail({ merchant, request, transaction }, languageFor(locale, undefined));
  ctx.onOutsideCall?.();
  const outcome = await mailer.send({ ...receipt, to, id });
  if (outcome.kind === "unknown") return { retry: `a receipt is not sent: ${outcome.problem}` };
  const wasRefused = outcome.kind === "refused";
  await insertReceipt(ctx.db, merchant.id, id, { wasRefused, sentAt: ctx.now() });
  if (wasRefused) ctx.log.warn({ subjectId: id }, "the mail server refused a receipt; it is not sent again");
  return undefined;
}

/** The address that the merchant sent with the request, or the customer's. */
async function addressOf(
  ctx: Context,
  merchant: Merchant,
  { details }: PaymentRequest,
): Promise<string | undefined> {
  const { email, id } = details.customerRequest ?? {};
  if (email !== undefined) return email;
  const customerId = id === undefined ? undefined : parseId("customer", id);
  const customer = customerId && (await findCustomer(ctx.db, merchant.id, customerId));
  return customer?.email ?? undefined;
}
