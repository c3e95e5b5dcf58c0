import { type Instant, SECOND } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { isPageKey } from "../hosted-pages/index.ts";
import { findMerchant, type Merchant } from "../merchants/index.ts";
import {
  findRequestOfPayIdPage,
  getPaymentRequest,
  isOverdue,
  type PaymentRequest,
} from "../payment-requests/index.ts";

/** What the payer of a PayID waits for, or how it ended. */
export type PayIdState = "waiting" | "received" | "expired" | "cancelled";

export type PayIdView = {
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  readonly pageKey: string;
  readonly state: PayIdState;
  readonly secondsLeft: number;
};

/** What anyone with the page's key may see now; it pays nothing. Undefined when there is no such page. */
export async function viewPayId(ctx: Context, pageKey: string): Promise<PayIdView | undefined> {
  const found = isPageKey(pageKey) ? await findRequestOfPayIdPage(ctx.db, pageKey) : undefined;
  const merchant = found && (await findMerchant(ctx.db, found.merchantId));
  if (found === undefined || merchant === undefined) return undefined;
  const now = clockOf(ctx, merchant);
  const request = isOverdue(found, now) ? await getPaymentRequest(ctx, merchant, found.id) : found;
  return { merchant, request, pageKey, state: stateOf(request), secondsLeft: secondsLeft(request, now) };
}

function stateOf({ status }: PaymentRequest): PayIdState {
  if (status === "created") return "waiting";
  return status === "completed" ? "received" : status;
}

function secondsLeft({ expiresAt }: PaymentRequest, now: Instant): number {
  return Math.max(0, Math.ceil((expiresAt - now) / SECOND));
}
