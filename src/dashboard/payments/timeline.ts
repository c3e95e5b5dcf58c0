import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { authorisedOf, type Transaction, totalOf } from "../../features/transactions/index.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Delivery, EventWithBody } from "../events/queries.ts";
import { disputeEntry, type EntryFacts, entryOfEvent, lateEntry, verifying } from "./entry-of-event.ts";
import { transactionStatus } from "./payment-status.ts";
import type { Payment } from "./read-payment.ts";

/** One thing that happened, with the event that was published about it, if any, and its deliveries. */
export type TimelineEntry = EntryFacts & {
  readonly at: Instant;
  /** The transaction, refund or request that changed. */
  readonly subjectId: string;
  readonly payoutId?: string;
  readonly event?: {
    readonly id: string;
    readonly name: string;
    readonly deliveries: readonly Delivery[];
  };
};

/** Newest first. Events are kept for 30 days; after that the entries are derived from the records. */
export function timelineOf(payment: Payment): readonly TimelineEntry[] {
  const withEvents = new Set(payment.events.map(({ resourceId }) => resourceId));
  const entries = [
    ...sideEntries(payment),
    ...eventEntries(payment),
    ...recordEntries(payment).filter(({ subjectId }) => !withEvents.has(subjectId)),
  ];
  // Within a millisecond: a consequence above its cause, events in the order in which they were written.
  return entries
    .map((entry, place) => ({ entry, place }))
    .sort((one, other) => other.entry.at - one.entry.at || one.place - other.place)
    .map(({ entry }) => entry);
}

function eventEntries({ events, deliveries }: Payment): readonly TimelineEntry[] {
  const before = new Map<string, unknown>();
  const entries: TimelineEntry[] = [];
  for (const event of [...events].reverse()) {
    const payload = payloadOf(event);
    entries.unshift({
      ...entryOfEvent(event.event, payload, before.get(event.resourceId)),
      at: event.createdAt,
      subjectId: event.resourceId,
      event: {
        id: event.id,
        name: event.event,
        deliveries: deliveries.filter(({ eventId }) => eventId === event.id),
      },
    });
    before.set(event.resourceId, payload);
  }
  return entries;
}

function payloadOf({ body }: EventWithBody): unknown {
  return (JSON.parse(body) as { readonly payload?: unknown }).payload;
}

/** Entries derived from the records alone. */
function recordEntries({ request, transactions, refunds, disputes }: Payment): readonly TimelineEntry[] {
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

const OPERATION_TONES = { pending: "waiting", done: "none", refused: "bad" } as const;

/** Entries of records that publish no event: operations, payout lines, transfers, tokens. */
function sideEntries(payment: Payment): readonly TimelineEntry[] {
  const { request, tokens, transfers, lines, operations, transactions } = payment;
  const resultOf = (id: string | null) => transactions.find((one) => one.id === id)?.status;
  // A late approval is on its record, with its events. Reversals from before it was have only their operation.
  const shown = operations.filter(
    ({ kind, transactionId }) =>
      kind !== "reverse" ||
      !transactions.some(({ id, lateApproval }) => id === transactionId && lateApproval),
  );
  return [
    ...shown.map(
      ({ kind, amount, status, code, createdAt, transactionId }): TimelineEntry => ({
        title: { kind: "operation", what: kind, status },
        tone: OPERATION_TONES[status],
        amount,
        code,
        at: createdAt,
        subjectId: transactionId,
      }),
    ),
    ...lines.map(
      ({ kind, amount, at, transactionId, payoutId }): TimelineEntry => ({
        title: { kind: "line", what: kind, paid: payoutId !== null },
        tone: "none",
        amount: Math.abs(amount),
        at,
        subjectId: transactionId,
        ...defined({ payoutId: payoutId ?? undefined }),
      }),
    ),
    ...transfers.map(
      ({ amount, status, reason, receivedAt, payerName }): TimelineEntry => ({
        title: { kind: "transfer", status, reason },
        tone: status === "accepted" ? "good" : status === "returning" ? "waiting" : "bad",
        amount,
        ...defined({ note: payerName ?? undefined }),
        at: receivedAt,
        subjectId: request?.id ?? "",
      }),
    ),
    ...tokens.map(
      ({ status, createdAt, transactionId }): TimelineEntry => ({
        title: {
          kind: "token",
          status,
          ...defined({ result: resultOf(transactionId) }),
          ...verifying(request?.amount === 0),
        },
        tone: "none",
        at: createdAt,
        subjectId: request?.id ?? "",
      }),
    ),
  ];
}

/** Anything is pending, so the page will change soon. */
export function isUnderWay(payment: Payment): boolean {
  const { transactions, refunds, operations, transfers, deliveries } = payment;
  const pending = ({ status }: { readonly status: string }) => status === "pending";
  return (
    transactions.some(pending) ||
    refunds.some(pending) ||
    operations.some(pending) ||
    transfers.some(({ status }) => status === "returning") ||
    deliveries.some(pending)
  );
}
