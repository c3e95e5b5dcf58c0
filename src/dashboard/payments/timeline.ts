import { defined } from "../../kernel/defined.ts";
import type { Instant } from "../../kernel/time.ts";
import type { EventWithBody } from "../events/queries.ts";
import { entryOfEvent, verifying } from "./entry-of-event.ts";
import type { Payment } from "./read-payment.ts";
import { recordEntries } from "./record-entries.ts";
import type { TimelineEntry } from "./timeline-entry.ts";

/**
 * Newest first. Each event is kept for 30 days, so a record may have lost its older ones. What came before the oldest event
 * that is left is derived from the records.
 */
export function timelineOf(payment: Payment): readonly TimelineEntry[] {
  const oldest = new Map<string, Instant>();
  // Newest first, so the last one stays.
  for (const { resourceId, createdAt } of payment.events) oldest.set(resourceId, createdAt);
  const entries = [
    ...sideEntries(payment),
    ...eventEntries(payment),
    ...recordEntries(payment).filter(({ subjectId, at }) => {
      const first = oldest.get(subjectId);
      return first === undefined || at < first;
    }),
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
