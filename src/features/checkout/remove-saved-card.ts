import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { eraseInstrument, lockInstrument } from "../payment-instruments/index.ts";
import { isOverdue, lockPaymentRequest } from "../payment-requests/index.ts";
import { isOpen, lockSession } from "../tokens/index.ts";
import { findPendingOf } from "../transactions/index.ts";
import { refuseEnded } from "./refuse-ended.ts";
import { customerWithCards, isSavedCard } from "./saved-cards.ts";
import type { Session } from "./session.ts";

/**
 * Removes a saved card because its payer says so, where the merchant lets payers do that. One that is gone already is
 * removed, too: the payer's click may have been sent twice.
 */
export async function removeSavedCard(
  ctx: Context,
  { merchant, paymentRequestId, way }: Session,
  id: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const request =
      (await lockPaymentRequest(tx, merchant.id, paymentRequestId)) ?? refuse("checkout_session_refused");
    const now = clockOf(ctx, merchant);
    if (request.status !== "created" || isOverdue(request, now)) refuseEnded(request, now);
    if (await findPendingOf(tx, merchant.id, request.id)) refuse("checkout_payment_in_progress");
    if (way.kind === "token") {
      const key = { merchantId: merchant.id, hash: way.hash };
      const token = (await lockSession(tx, key)) ?? refuse("checkout_session_refused");
      if (!isOpen(token, now)) refuse("checkout_token_refused");
    }
    if (request.details.customerRequest?.allowRemoval !== true) refuse("checkout_removal_refused");
    const customerId = customerWithCards(merchant, request);
    const paymentInstrumentId = parseId("paymentInstrument", id);
    if (customerId === undefined || paymentInstrumentId === undefined)
      refuse("checkout_saved_card_refused", "/id");
    const found = await lockInstrument(tx, merchant.id, customerId, paymentInstrumentId);
    if (found !== undefined && !isSavedCard(found)) refuse("checkout_saved_card_refused", "/id");
    await eraseInstrument(ctx, tx, merchant, { customerId, paymentInstrumentId });
  });
}
