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
  const outcome = (status: string) => ({
    title: { kind: "outcome", status } as const,
    tone: status === "approved" ? ("good" as const) : ("bad" as const),
  });
  return [
    ...refunds.flatMap(({ id, status, amount, code, createdAt, updatedAt }) => [
      ...(status === "pending"
        ? []
        : [
            {
              ...outcome(status),
              title: { kind: "refund", status } as const,
              amount,
              code,
              at: updatedAt,
              subjectId: id,
            },
          ]),
      {
        title: { kind: "refund", status: "pending" } as const,
        tone: "none" as const,
        amount,
        at: createdAt,
        subjectId: id,
      },
    ]),
    ...transactions.flatMap(({ id, status, amount, surcharge, code, createdAt, updatedAt }) => [
      ...(status === "pending" ? [] : [{ ...outcome(status), code, at: updatedAt, subjectId: id }]),
      {
        title: { kind: "attempt" } as const,
        tone: "none" as const,
        amount: amount + surcharge,
        at: createdAt,
        subjectId: id,
      },
    ]),
    ...(request === undefined
      ? []
      : [
          ...(request.status === "created"
            ? []
            : [
                {
                  title: { kind: "request", status: request.status } as const,
                  tone: "none" as const,
                  at: request.updatedAt,
                  subjectId: request.id,
                },
              ]),
          {
            title: { kind: "request", status: "created" } as const,
            tone: "none" as const,
            amount: request.amount,
            at: request.createdAt,
            subjectId: request.id,
          },
        ]),
  ];
}

/** Entries of records that publish no event: tokens, transfers, operations, payout lines. */
function sideEntries({ request, tokens, transfers, lines, operations }: Payment): readonly TimelineEntry[] {
  return [
    ...operations.map(({ kind, amount, createdAt, transactionId }) => ({
      title: { kind: "operation", what: kind } as const,
      tone: "waiting" as const,
      amount,
      at: createdAt,
      subjectId: transactionId,
    })),
    ...lines.map(({ kind, amount, at, transactionId, payoutId }) => ({
      title: { kind: "line", what: kind, paid: payoutId !== null } as const,
      tone: "none" as const,
      amount: Math.abs(amount),
      at,
      subjectId: transactionId,
      ...(payoutId === null ? {} : { payoutId }),
    })),
    ...transfers.map(({ amount, status, reason, receivedAt, payerName }) => ({
      title: { kind: "transfer", status, reason } as const,
      tone: status === "accepted" ? ("good" as const) : ("bad" as const),
      amount,
      ...(payerName === null ? {} : { note: payerName }),
      at: receivedAt,
      subjectId: request?.id ?? "",
    })),
    ...tokens.map(({ status, createdAt }) => ({
      title: { kind: "token", status } as const,
      tone: "none" as const,
      at: createdAt,
      subjectId: request?.id ?? "",
    })),
  ];
}

/** Anything is pending, so the page will change soon. */
export function isUnderWay({ transactions, refunds, operations, deliveries }: Payment): boolean {
  const pending = ({ status }: { readonly status: string }) => status === "pending";
  return (
    transactions.some(pending) || refunds.some(pending) || operations.length > 0 || deliveries.some(pending)
  );
}
