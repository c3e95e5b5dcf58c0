import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { authorisedOf, type Transaction, totalOf } from "../../features/transactions/index.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { isRail } from "../../kernel/source.ts";
import { changeTime, type Instant, later } from "../../kernel/time.ts";
import { disputeEntry, type EntryFacts, lateEntry, verifying } from "./entry-of-event.ts";
import { transactionStatus } from "./payment-status.ts";
import type { Payment } from "./read-payment.ts";
import type { TimelineEntry } from "./timeline-entry.ts";

/** Entries derived from the records alone. A step whose time no record has is left out. */
export function recordEntries(payment: Payment): readonly TimelineEntry[] {
  const { request, transactions, refunds, disputes } = payment;
  return [
    ...disputes.flatMap(({ id, status, reason, amount, createdAt, updatedAt }): readonly TimelineEntry[] => {
      const opened = { ...disputeEntry("needs_response", reason, amount), at: createdAt, subjectId: id };
      if (status === "needs_response") return [opened];
      return [{ ...disputeEntry(status, reason, amount), at: updatedAt, subjectId: id }, opened];
    }),
    ...refunds.flatMap((refund): readonly TimelineEntry[] => {
      const { id, status, amount, code, createdAt } = refund;
      const requested: TimelineEntry = {
        title: { kind: "refund", status: "pending" },
        tone: "none",
        amount,
        at: createdAt,
        subjectId: id,
      };
      if (status === "pending") return [requested];
      const title = { kind: "refund", status } as const;
      const ended = { title, tone: toneOf(status), amount, code, at: endOf(refund), subjectId: id };
      return [...lateEntries("reverse_refund", refund), ended, requested];
    }),
    ...transactions.flatMap((one) => transactionEntries(one, payment)),
    ...(request === undefined ? [] : requestEntries(request, transactions)),
  ];
}

type Ended = Pick<Transaction, "updatedAt" | "lateApproval"> & { readonly id: string };

/** When a record was decided. With a late approval it is not known exactly, but before that. */
function endOf({ updatedAt, lateApproval }: Ended): Instant {
  return lateApproval === null ? updatedAt : later(lateApproval.approvedAt, -1);
}

function transactionEntries(one: Transaction, payment: Payment): readonly TimelineEntry[] {
  const { id: subjectId, status, createdAt } = one;
  const attempt = {
    title: { kind: "attempt", ...verifying(one.method === "verification") },
    tone: "none",
    amount: totalOf(one),
    at: createdAt,
    subjectId,
  } as const;
  if (status === "pending") return [attempt];
  return [
    ...lateEntries("reverse", one),
    { ...endOfTransaction(one), at: endOf(one), subjectId },
    ...approvalEntries(one, payment),
    // A transfer is approved as it arrives, without an attempt.
    ...(isRail(one.source) ? [] : [attempt]),
  ];
}

/** The approval of a transaction that has changed since: an authorisation that ended, or a debit that was returned. */
function approvalEntries(
  one: Transaction,
  { request, transactions, lines }: Payment,
): readonly TimelineEntry[] {
  const { id: subjectId, createdAt, captureType, captureStatus } = one;
  const amount = authorisedOf(one);
  if (transactionStatus(one) === "returned") {
    const booked = lines.find(({ kind, transactionId }) => kind === "payment" && transactionId === subjectId);
    const title = { kind: "outcome", status: "approved" } as const;
    return booked === undefined ? [] : [{ title, tone: "good", amount, at: booked.at, subjectId }];
  }
  const isOver = captureType === "manual" && captureStatus !== null && captureStatus !== "uncaptured";
  if (!isOver || request?.approvedTransactionId !== subjectId) return [];
  // The same approval completed the request, though perhaps on the millisecond of the attempt.
  const at = changeTime(endOfRequest(request, transactions), createdAt);
  return [{ title: { kind: "capture", status: "uncaptured" }, tone: "none", amount, at, subjectId }];
}

function lateEntries(
  what: "reverse" | "reverse_refund",
  { id, lateApproval }: Ended,
): readonly TimelineEntry[] {
  if (lateApproval === null) return [];
  const { amount, approvedAt, reversedAt } = lateApproval;
  const found = { ...lateEntry(what, "reversing", amount), at: approvedAt, subjectId: id };
  if (reversedAt === undefined) return [found];
  return [{ ...lateEntry(what, "reversed", amount), at: reversedAt, subjectId: id }, found];
}

/** The last entry of a decided transaction. */
function endOfTransaction(one: Transaction): EntryFacts {
  const code = one.code === null ? null : OUTCOMES[one.code];
  const word = transactionStatus(one);
  if (word === "declined" || word === "returned")
    return { title: { kind: "outcome", status: word }, tone: "bad", code };
  if (word === "verified") return { title: { kind: "outcome", status: word }, tone: "good", code };
  const { captureStatus, captureType, captured } = one;
  const amount = authorisedOf(one);
  if (captureStatus !== null && captureStatus !== "captured")
    return { title: { kind: "capture", status: captureStatus }, tone: "none", amount };
  if (captureType === "manual")
    return { title: { kind: "capture", status: "captured" }, tone: "good", amount: captured };
  const total = totalOf(one);
  const title = { kind: "outcome", status: "approved" } as const;
  return { title, tone: "good", code, amount, ...(amount < total ? { ofAmount: total } : {}) };
}

function toneOf(status: string): "good" | "bad" {
  return status === "approved" ? "good" : "bad";
}

/** The end of a request; transfers that are sent back afterwards change it once more. */
function endOfRequest(request: PaymentRequest, transactions: readonly Transaction[]): Instant {
  const { status, payIdReturns, approvedTransactionId, expiresAt, updatedAt } = request;
  const after = payIdReturns.find(({ reason }) => reason !== "short" && reason !== "over");
  if (after === undefined) return updatedAt;
  if (status === "expired") return expiresAt;
  const paid = transactions.find(({ id }) => id === approvedTransactionId);
  // Of a cancelled one it is not known exactly, but before that transfer.
  return paid === undefined ? later(after.receivedAt, -1) : paid.createdAt;
}

function requestEntries(
  request: PaymentRequest,
  transactions: readonly Transaction[],
): readonly TimelineEntry[] {
  const { id, status, amount, createdAt, approvedTransactionId } = request;
  const its = verifying(amount === 0);
  const created: TimelineEntry = {
    title: { kind: "request", status: "created", ...its },
    tone: "none",
    amount,
    at: createdAt,
    subjectId: id,
  };
  if (status === "created") return [created];
  const paid = approvedTransactionId !== null;
  const isCompleted = status === "completed";
  const ended: TimelineEntry = {
    title: { kind: "request", status, ...(isCompleted ? { paid } : {}), ...its },
    tone: isCompleted ? (paid ? "good" : "bad") : "none",
    at: endOfRequest(request, transactions),
    subjectId: id,
  };
  return [ended, created];
}
