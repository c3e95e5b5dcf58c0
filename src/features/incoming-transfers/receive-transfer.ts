import type { PayIdTransfer } from "../../connectors/ports/payid-rail.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { brokenConstraint, type Tx } from "../../platform/db/database.ts";
import { findMerchant } from "../merchants/index.ts";
import {
  expirePaymentRequest,
  isOverdue,
  lockPaymentRequest,
  recordReturn,
  requestChange,
  updatePaymentRequest,
} from "../payment-requests/index.ts";
import { acceptTransfer } from "./accept-transfer.ts";
import { findHolder, type Holder } from "./find-holder.ts";
import { type IncomingTransfer, reasonToReturn } from "./incoming-transfer.ts";
import { findTransferOfMessage, insertTransfer, ONE_PER_MESSAGE } from "./queries.ts";
import { beginReturn } from "./return-transfer.ts";

/** A PayID can pass to another request between two reads, but not this often in a row. */
const MAX_ATTEMPTS = 20;

/**
 * Receives a transfer from a bank. The exact amount before expiry, on the merchant's clock, pays the open request of its
 * PayID; any other transfer is returned to the sender. A repeated message changes nothing and returns the first outcome.
 */
export async function receiveTransfer(
  ctx: Context,
  mode: Mode,
  input: PayIdTransfer,
  id: Id<"incomingTransfer"> = newId("incomingTransfer", ctx.now()),
): Promise<IncomingTransfer> {
  const known = await findTransferOfMessage(ctx.db, mode, input.message);
  if (known !== undefined) return known;
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const holder = await findHolder(ctx, ctx.db, mode, input.payId);
      const transfer = newTransfer(id, mode, input);
      const received = await ctx.db.transaction((tx) => recordTransfer(ctx, tx, transfer, holder));
      if (received !== "retry") {
        ctx.wakeJobs();
        if (received.isPaid) ctx.metrics.ended({ mode, source: "payid" }, "approved");
        return received.transfer;
      }
      // The request is overdue and not expired yet, or it ended after it was read.
      if (holder !== undefined) await expirePaymentRequest(ctx, holder.merchant, holder.requestId);
    }
  } catch (error) {
    if (brokenConstraint(error) !== ONE_PER_MESSAGE) throw error;
    const first = await findTransferOfMessage(ctx.db, mode, input.message);
    if (first !== undefined) return first;
    throw error;
  }
  throw new Error("PayID transfer not received: its PayID keeps passing to another payment request");
}

/** `isPaid`: this transfer has just paid the request. */
type Received = { readonly transfer: IncomingTransfer; readonly isPaid: boolean };

function unpaid(transfer: IncomingTransfer): Received {
  return { transfer, isPaid: false };
}

type NewTransfer = Omit<IncomingTransfer, "status" | "reason" | "transactionId" | "receivedAt">;

function newTransfer(id: Id<"incomingTransfer">, mode: Mode, input: PayIdTransfer): NewTransfer {
  const { message, payId, amount, payerName = null } = input;
  return { id, mode, message, payId, amount, payerName, merchantId: null, paymentRequestId: null };
}

async function recordTransfer(
  ctx: Context,
  tx: Tx,
  transfer: NewTransfer,
  holder: Holder | undefined,
): Promise<Received | "retry"> {
  if (holder === undefined) {
    ctx.log.warn({ subjectId: transfer.id }, "PayID transfer returned: no merchant has this PayID");
    return unpaid(await beginReturn(ctx, tx, { ...transfer, reason: "unknown", receivedAt: ctx.now() }));
  }
  // The request's row is locked first: expiry, cancellation and other transfers wait here for each other.
  const request = await lockPaymentRequest(tx, holder.merchant.id, holder.requestId);
  const merchant = await findMerchant(tx, holder.merchant.id);
  if (request === undefined || merchant === undefined) throw new Error("payment request not found");
  const first = await findTransferOfMessage(tx, transfer.mode, transfer.message);
  if (first !== undefined) return unpaid(first);
  const now = clockOf(ctx, merchant);
  if (isOverdue(request, now) || (holder.isOpen && request.status !== "created")) return "retry";
  const matched = { ...transfer, merchantId: merchant.id, paymentRequestId: request.id, receivedAt: now };
  const reason = reasonToReturn(request, transfer.amount);
  if (reason === undefined) {
    const transactionId = await acceptTransfer(ctx, tx, merchant, { request, transfer: matched });
    const accepted = { ...matched, status: "accepted", reason: null, transactionId } as const;
    await insertTransfer(tx, accepted);
    return { transfer: accepted, isPaid: true };
  }
  const entry = { amount: transfer.amount, reason, receivedAt: now };
  const after = recordReturn(request, entry, now);
  await updatePaymentRequest(tx, after, requestChange(ctx, merchant.mode, after));
  return unpaid(await beginReturn(ctx, tx, { ...matched, reason }));
}
