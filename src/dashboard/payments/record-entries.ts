import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { authorisedOf, type Transaction, totalOf } from "../../features/transactions/index.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { Instant } from "../../kernel/time.ts";
import { disputeEntry, type EntryFacts, lateEntry, verifying } from "./entry-of-event.ts";
import { transactionStatus } from "./payment-status.ts";
import type { Payment } from "./read-payment.ts";
import type { TimelineEntry } from "./timeline-entry.ts";

/** Entries derived from the records alone. */
export function recordEntries({
  request,
  transactions,
  refunds,
  disputes,
}: Payment): readonly TimelineEntry[] {
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
    ...transactions.flatMap((one): readonly TimelineEntry[] => {
      const { id, status, createdAt } = one;
      const attempt = {
        title: { kind: "attempt", ...verifying(one.method === "verification") },
        tone: "none",
        amount: totalOf(one),
        at: createdAt,
        subjectId: id,
      } as const;
      return status === "pending"
        ? [attempt]
        : [
            ...lateEntries("reverse", one),
            { ...endOfTransaction(one), at: endOf(one), subjectId: id },
            attempt,
          ];
    }),
    ...(request === undefined ? [] : requestEntries(request)),
  ];
}

type Ended = Pick<Transaction, "updatedAt" | "lateApproval"> & { readonly id: string };

/** When a record was decided. That of a late approval is not known exactly, but before it. */
function endOf({ updatedAt, lateApproval }: Ended): Instant {
  return lateApproval?.approvedAt ?? updatedAt;
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

function requestEntries(request: PaymentRequest): readonly TimelineEntry[] {
  const { id, status, amount, createdAt, updatedAt, approvedTransactionId } = request;
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
    at: updatedAt,
    subjectId: id,
  };
  return [ended, created];
}
