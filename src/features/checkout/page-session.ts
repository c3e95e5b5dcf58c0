import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findRequestOfPage, getPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findPendingOf } from "../transactions/index.ts";

/** One attempt on a hosted page. The page's key is the secret: anyone with the URL can pay. */
export type PageAttempt = { readonly pageKey: string; readonly failedAttempts: number };

/** `failedAttempts` is the count when the page was shown: a page from before a later attempt cannot pay. */
export type PageWay = { readonly kind: "page"; readonly failedAttempts: number; readonly isOpen: boolean };

type PageSession = {
  readonly merchant: Merchant;
  readonly paymentRequestId: Id<"paymentRequest">;
  readonly transactionId: Id<"transaction"> | null;
  readonly way: PageWay;
  readonly seen: { readonly request: PaymentRequest };
};

const PATTERN = /^page\.([\w-]{1,64})\.(\d)$/;

export function writePageSession({ pageKey, failedAttempts }: PageAttempt): string {
  return `page.${pageKey}.${failedAttempts}`;
}

export function readPageSession(secret: string): PageAttempt | undefined {
  const [, pageKey, failedAttempts] = PATTERN.exec(secret) ?? [];
  return pageKey === undefined ? undefined : { pageKey, failedAttempts: Number(failedAttempts) };
}

/** The session of an attempt, with its transaction if it has one: pending, or ended long ago. */
export async function findPageSession(
  ctx: Context,
  { pageKey, failedAttempts }: PageAttempt,
): Promise<PageSession | undefined> {
  const owner = await findRequestOfPage(ctx.db, pageKey);
  const merchant = owner && (await findMerchant(ctx.db, owner.merchantId));
  if (owner === undefined || merchant === undefined) return undefined;
  const request = await getPaymentRequest(ctx, merchant, owner.id);
  return {
    merchant,
    paymentRequestId: request.id,
    transactionId: await transactionOf(ctx, request, failedAttempts),
    way: { kind: "page", failedAttempts, isOpen: request.status === "created" },
    seen: { request },
  };
}

async function transactionOf(
  ctx: Context,
  request: PaymentRequest,
  failedAttempts: number,
): Promise<Id<"transaction"> | null> {
  const failed = request.failedTransactionIds;
  if (failedAttempts < failed.length) return failed[failedAttempts] ?? null;
  if (failedAttempts > failed.length) return null;
  if (request.approvedTransactionId !== null) return request.approvedTransactionId;
  return (await findPendingOf(ctx.db, request.merchantId, request.id))?.id ?? null;
}
