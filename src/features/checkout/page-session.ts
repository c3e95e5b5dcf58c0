import type { Id } from "../../kernel/ids.ts";
import type { Context } from "../../platform/context.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import { findRequestOfPage, getPaymentRequest, type PaymentRequest } from "../payment-requests/index.ts";
import { findPendingOf } from "../transactions/index.ts";

/** One attempt on one hosted page. The page's key is the secret: anyone with the URL can pay. */
export type PageTry = { readonly pageKey: string; readonly tries: number };

/** `tries` is how many attempts had failed when the page was shown: a page that is older than that pays nothing. */
export type PageWay = { readonly kind: "page"; readonly tries: number; readonly open: boolean };

type PageSession = {
  readonly merchant: Merchant;
  readonly paymentRequestId: Id<"paymentRequest">;
  readonly transactionId: Id<"transaction"> | null;
  readonly way: PageWay;
};

const PATTERN = /^page\.([\w-]{1,64})\.(\d)$/;

export function writePageSession({ pageKey, tries }: PageTry): string {
  return `page.${pageKey}.${tries}`;
}

export function readPageSession(secret: string): PageTry | undefined {
  const [, pageKey, tries] = PATTERN.exec(secret) ?? [];
  return pageKey === undefined ? undefined : { pageKey, tries: Number(tries) };
}

/** The session of a try: with the attempt that was made in it, which may still be under way or ended long ago. */
export async function findPageSession(
  ctx: Context,
  { pageKey, tries }: PageTry,
): Promise<PageSession | undefined> {
  const owner = await findRequestOfPage(ctx.db, pageKey);
  const merchant = owner && (await findMerchant(ctx.db, owner.merchantId));
  if (owner === undefined || merchant === undefined) return undefined;
  const request = await getPaymentRequest(ctx, merchant, owner.id);
  return {
    merchant,
    paymentRequestId: request.id,
    transactionId: await attemptOf(ctx, request, tries),
    way: { kind: "page", tries, open: request.status === "created" },
  };
}

async function attemptOf(
  ctx: Context,
  request: PaymentRequest,
  tries: number,
): Promise<Id<"transaction"> | null> {
  const failed = request.failedTransactionIds;
  if (tries < failed.length) return failed[tries] ?? null;
  if (tries > failed.length) return null;
  if (request.approvedTransactionId !== null) return request.approvedTransactionId;
  return (await findPendingOf(ctx.db, request.merchantId, request.id))?.id ?? null;
}
