import type { PayIdTransfer } from "../../connectors/ports/payid-rail.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { brokenConstraint, type Tx } from "../../platform/db/database.ts";
import { findMerchant, type Mode } from "../merchants/index.ts";
import {
  expirePaymentRequest,
  isOverdue,
  lockPaymentRequest,
  requestChange,
  returnedTransfer,
  updatePaymentRequest,
} from "../payment-requests/index.ts";
import { acceptTransfer } from "./accept-transfer.ts";
import { findHolder, type Holder } from "./find-holder.ts";
import { type IncomingTransfer, reasonToReturn } from "./incoming-transfer.ts";
import { findTransferOfMessage, insertTransfer, ONE_PER_MESSAGE } from "./queries.ts";
import { sendBack } from "./return-transfer.ts";

/** Between two looks a PayID can change hands; that often in a row it doesn't. */
const THEME_DEFAULTS = 20;

/**
 * A bank tells us of a transfer. It pays the open request of its PayID when it is exact and in time by the merchant's
 * clock; any other goes back to whoever sent it. Told again, by anybody, at any time, it changes nothing: the answer is
 * what became of it the first time.
 */
export async function receiveTransfer(
  ctx: Context,
  mode: Mode,
  told: PayIdTransfer,
  id: Id<"incomingTransfer"> = newId("incomingTransfer", ctx.now()),
): Promise<IncomingTransfer> {
  const known = await findTransferOfMessage(ctx.db, mode, told.message);
  if (known !== undefined) return known;
  try {
    for (let look = 0; look < THEME_DEFAULTS; look += 1) {
      const holder = await findHolder(ctx, ctx.db, mode, told.payId);
      const taken = await ctx.db.transaction((tx) => takeIn(ctx, tx, newTransfer(id, mode, told), holder));
      if (taken !== "look again") {
        ctx.wakeJobs();
        if (taken.paid) ctx.metrics.ended({ mode, source: "payid" }, "approved");
        return taken.transfer;
      }
      // It is past its time, and nobody has noticed yet; or it ended under our hands.
      if (holder !== undefined) await expirePaymentRequest(ctx, holder.merchant, holder.requestId);
    }
  } catch (error) {
    if (brokenConstraint(error) !== ONE_PER_MESSAGE) throw error;
    const first = await findTransferOfMessage(ctx.db, mode, told.message);
    if (first !== undefined) return first;
    throw error;
  }
  throw new Error("a PayID changes hands without end");
}

/** `paid`: this is what paid the request, just now. */
type Taken = { readonly transfer: IncomingTransfer; readonly paid: boolean };

function unpaid(transfer: IncomingTransfer): Taken {
  return { transfer, paid: false };
}

type Untaken = Omit<IncomingTransfer, "status" | "reason" | "transactionId" | "receivedAt">;

function newTransfer(id: Id<"incomingTransfer">, mode: Mode, told: PayIdTransfer): Untaken {
  const { message, payId, amount, payerName = null } = told;
  return { id, mode, message, payId, amount, payerName, merchantId: null, paymentRequestId: null };
}

async function takeIn(
  ctx: Context,
  tx: Tx,
  transfer: Untaken,
  holder: Holder | undefined,
): Promise<Taken | "look again"> {
  if (holder === undefined) {
    ctx.log.warn({ subjectId: transfer.id }, "a transfer to a PayID that is nobody's goes back");
    return unpaid(await sendBack(ctx, tx, { ...transfer, reason: "unknown", receivedAt: ctx.now() }));
  }
  // The request's row is held first: expiry, cancellation and other transfers wait here for each other.
  const request = await lockPaymentRequest(tx, holder.merchant.id, holder.requestId);
  const merchant = await findMerchant(tx, holder.merchant.id);
  if (request === undefined || merchant === undefined) throw new Error("a payment request is gone");
  const first = await findTransferOfMessage(tx, transfer.mode, transfer.message);
  if (first !== undefined) return unpaid(first);
  const now = clockOf(ctx, merchant);
  if (isOverdue(request, now) || (holder.open && request.status !== "created")) return "look again";
  const matched = { ...transfer, merchantId: merchant.id, paymentRequestId: request.id, receivedAt: now };
  const reason = reasonToReturn(request, transfer.amount);
  if (reason === undefined) {
    const transactionId = await acceptTransfer(ctx, tx, merchant, request, matched);
    const accepted = { ...matched, status: "accepted", reason: null, transactionId } as const;
    await insertTransfer(tx, accepted);
    return { transfer: accepted, paid: true };
  }
  const entry = { amount: transfer.amount, reason, receivedAt: now };
  const after = returnedTransfer(request, entry, now);
  await updatePaymentRequest(tx, after, requestChange(ctx, merchant.mode, after));
  return unpaid(await sendBack(ctx, tx, { ...matched, reason }));
}
