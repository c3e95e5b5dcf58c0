import type { Instant } from "../../kernel/time.ts";
import { fromEvent, type Said } from "./event-words.ts";
import type { DeliveryFacts, EventFacts } from "./queries.ts";
import type { Payment } from "./read-payment.ts";

/** One thing that happened, and, where merchants were told of it, how the telling went. */
export type TimelineEntry = Said & {
  readonly at: Instant;
  /** The transaction, refund or request that it happened to. */
  readonly subjectId: string;
  readonly payoutId?: string;
  readonly event?: {
    readonly id: string;
    readonly name: string;
    readonly deliveries: readonly DeliveryFacts[];
  };
};

/** What happened, newest first. Events tell most of it; they are kept for 30 days, and after that the records do. */
export function timelineOf(payment: Payment): readonly TimelineEntry[] {
  const told = new Set(payment.events.map(({ resourceId }) => resourceId));
  const entries = [
    ...sideEntries(payment),
    ...eventEntries(payment),
    ...recordEntries(payment).filter(({ subjectId }) => !told.has(subjectId)),
  ];
  // Of one millisecond: what follows from a change stands above it, and changes in the order in which they were written.
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
      ...fromEvent(event.event, payload, before.get(event.resourceId)),
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

function payloadOf({ body }: EventFacts): unknown {
  return (JSON.parse(body) as { readonly payload?: unknown }).payload;
}

/** What the records say by themselves. */
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

/** What is on record of a payment without being an event: tokens, transfers, movements of money. */
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

/** Something is under way: looking again soon will show something new. */
export function isUnderWay({ transactions, refunds, operations, deliveries }: Payment): boolean {
  const pending = ({ status }: { readonly status: string }) => status === "pending";
  return (
    transactions.some(pending) || refunds.some(pending) || operations.length > 0 || deliveries.some(pending)
  );
}
