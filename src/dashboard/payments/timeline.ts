import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { defined } from "../../kernel/defined.ts";
import type { Instant } from "../../kernel/time.ts";
import type { Delivery, EventWithBody } from "../events/queries.ts";
import { type EntryFacts, entryOfEvent } from "./entry-of-event.ts";
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
function recordEntries({ request, transactions, refunds }: Payment): readonly TimelineEntry[] {
  return [
    ...refunds.flatMap(({ id, status, amount, code, createdAt, updatedAt }): readonly TimelineEntry[] => {
      const requested: TimelineEntry = {
        title: { kind: "refund", status: "pending" },
        tone: "none",
        amount,
        at: createdAt,
        subjectId: id,
      };
      if (status === "pending") return [requested];
      const title = { kind: "refund", status } as const;
      return [{ title, tone: toneOf(status), amount, code, at: updatedAt, subjectId: id }, requested];
    }),
    ...transactions.flatMap((one): readonly TimelineEntry[] => {
      const { id, status, code, createdAt, updatedAt } = one;
      const amount = one.amount + one.surcharge;
      const attempt = {
        title: { kind: "attempt" },
        tone: "none",
        amount,
        at: createdAt,
        subjectId: id,
      } as const;
      if (status === "pending") return [attempt];
      const title = { kind: "outcome", status } as const;
      return [{ title, tone: toneOf(status), code, at: updatedAt, subjectId: id }, attempt];
    }),
    ...(request === undefined ? [] : requestEntries(request)),
  ];
}

function toneOf(status: string): "good" | "bad" {
  return status === "approved" ? "good" : "bad";
}

function requestEntries({
  id,
  status,
  amount,
  createdAt,
  updatedAt,
}: PaymentRequest): readonly TimelineEntry[] {
  const created: TimelineEntry = {
    title: { kind: "request", status: "created" },
    tone: "none",
    amount,
    at: createdAt,
    subjectId: id,
  };
  if (status === "created") return [created];
  return [{ title: { kind: "request", status }, tone: "none", at: updatedAt, subjectId: id }, created];
}

const OPERATION_TONES = { pending: "waiting", done: "none", refused: "bad" } as const;

/** Entries of records that publish no event: operations, payout lines, transfers, tokens. */
function sideEntries({ request, tokens, transfers, lines, operations }: Payment): readonly TimelineEntry[] {
  return [
    ...operations.map(
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
        tone: status === "accepted" ? "good" : "bad",
        amount,
        ...defined({ note: payerName ?? undefined }),
        at: receivedAt,
        subjectId: request?.id ?? "",
      }),
    ),
    ...tokens.map(
      ({ status, createdAt }): TimelineEntry => ({
        title: { kind: "token", status },
        tone: "none",
        at: createdAt,
        subjectId: request?.id ?? "",
      }),
    ),
  ];
}

/** Anything is pending, so the page will change soon. */
export function isUnderWay({ transactions, refunds, operations, deliveries }: Payment): boolean {
  const pending = ({ status }: { readonly status: string }) => status === "pending";
  return (
    transactions.some(pending) ||
    refunds.some(pending) ||
    operations.some(pending) ||
    deliveries.some(pending)
  );
}
