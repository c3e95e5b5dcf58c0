import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { type Change, changedFields } from "./changed-fields.ts";

/** What happened; the view puts it into words. */
export type Title =
  /** `verifies`, here and below: only a card is checked, and nothing is charged. */
  | { readonly kind: "request"; readonly status: string; readonly paid?: boolean; readonly verifies?: true }
  | { readonly kind: "requestChanged"; readonly changes: readonly Change[] }
  | { readonly kind: "transactionChanged"; readonly changes: readonly Change[] }
  | { readonly kind: "attempt"; readonly verifies?: true }
  /** `approved`, `declined`, `verified`, or `returned` for a debit that the bank took back. */
  | { readonly kind: "outcome"; readonly status: string }
  | { readonly kind: "capture"; readonly status: string }
  | { readonly kind: "refund"; readonly status: string }
  | { readonly kind: "dispute"; readonly status: string; readonly reason: string }
  | { readonly kind: "operation"; readonly what: string; readonly status: string }
  | { readonly kind: "line"; readonly what: string; readonly paid: boolean }
  | { readonly kind: "transfer"; readonly status: string; readonly reason: string | null }
  /** With the bank's answer to the last attempt of its checkout, if there was one. */
  | {
      readonly kind: "token";
      readonly status: string;
      readonly result?: string;
      readonly verifies?: true;
    };

type Tone = "good" | "bad" | "waiting" | "none";

export type EntryFacts = {
  readonly title: Title;
  readonly tone: Tone;
  readonly amount?: number;
  /** The requested amount, where the acquirer approved less. */
  readonly ofAmount?: number;
  readonly code?: string | null;
  /** The result of 3D Secure, where it was requested. */
  readonly authentication?: string;
  /** Of a decline: whether the same card may be charged again. */
  readonly advice?: string;
  readonly note?: string;
};

/** The fields in which one event of a record differs from the previous one. */
type Payload = {
  readonly createdDateTime?: string;
  readonly updatedDateTime?: string;
  readonly paymentRequestStatus?: string;
  readonly payIdReturns?: readonly { readonly receivedDateTime?: string }[];
  /** Of a dispute. */
  readonly status?: string;
  readonly reason?: string;
  readonly transactionResult?: unknown;
  readonly category?: { readonly method?: string; readonly captureType?: string };
  readonly captureStatus?: string;
  readonly authentication?: { readonly status?: string };
  readonly acquirer?: { readonly retryAdvice?: string };
  readonly lateApproval?: { readonly amount?: number; readonly status?: string };
  readonly payment?: {
    readonly amount?: number;
    readonly totalAmount?: number;
    readonly approvedAmount?: number;
    readonly capturedAmount?: number;
  };
  readonly result?: { readonly status?: string; readonly codes?: readonly { readonly id?: string }[] };
};

const TONES: Readonly<Record<string, Tone>> = { approved: "good", declined: "bad", pending: "waiting" };

/**
 * What an event adds to the previous event of the same record. `before` is undefined for the first event, and where the
 * previous one is not kept any more: the entry is the same as if it were.
 */
export function entryOfEvent(event: string, payload: unknown, before: unknown): EntryFacts {
  const now = (payload ?? {}) as Payload;
  const earlier = before as Payload | undefined;
  if (event === "payment_requests") return fromRequest(now, earlier);
  return event === "disputes" ? fromDispute(now) : fromTransaction(now, earlier);
}

function fromDispute({ status = "", reason = "", payment }: Payload): EntryFacts {
  return disputeEntry(status, reason, payment?.amount ?? 0);
}

const DISPUTE_TONES: Readonly<Record<string, Tone>> = {
  needs_response: "bad",
  under_review: "waiting",
  won: "good",
  lost: "bad",
};

/** A dispute as it became. */
export function disputeEntry(status: string, reason: string, amount: number): EntryFacts {
  return { title: { kind: "dispute", status, reason }, tone: DISPUTE_TONES[status] ?? "none", amount };
}

/** Part of a title. */
export function verifying(verifies: boolean): { readonly verifies?: true } {
  return verifies ? { verifies } : {};
}

function fromRequest(now: Payload, earlier: Payload | undefined): EntryFacts {
  const status = now.paymentRequestStatus ?? "";
  const changes = earlier === undefined ? lastChange(now) : changedFields(earlier, now);
  if (earlier === undefined ? changes.length > 0 : earlier.paymentRequestStatus === status)
    return { title: { kind: "requestChanged", changes }, tone: "none" };
  const paid = now.transactionResult !== undefined;
  const amount = now.payment?.amount;
  return {
    title: {
      kind: "request",
      status,
      ...(status === "completed" ? { paid } : {}),
      ...verifying(amount === 0),
    },
    tone: status === "completed" ? (paid ? "good" : "bad") : "none",
    ...(status === "created" && amount !== undefined ? { amount } : {}),
  };
}

/**
 * What an event reports that leaves the request's status as it was, by its own payload: a transfer that was sent back, or a
 * declined attempt with others left.
 */
function lastChange({
  createdDateTime,
  updatedDateTime,
  paymentRequestStatus,
  payIdReturns,
}: Payload): readonly Change[] {
  if (updatedDateTime === createdDateTime) return [];
  const change = (field: string): readonly Change[] => [{ field, from: undefined, to: undefined }];
  if (payIdReturns?.at(-1)?.receivedDateTime === updatedDateTime) return change("payIdReturns");
  return paymentRequestStatus === "created" ? change("transactionAttempts") : [];
}

/** An approval that arrived after the decline, as it became. */
export function lateEntry(what: "reverse" | "reverse_refund", status: string, amount: number): EntryFacts {
  const isDone = status === "reversed";
  const title = { kind: "operation", what, status: isDone ? "done" : "pending" } as const;
  return { title, tone: isDone ? "none" : "waiting", amount };
}

function fromTransaction(now: Payload, earlier: Payload | undefined): EntryFacts {
  const late = now.lateApproval;
  if (late !== undefined && late.status !== earlier?.lateApproval?.status) {
    const what = now.category?.method === "refund" ? "reverse_refund" : "reverse";
    return lateEntry(what, late.status ?? "", late.amount ?? 0);
  }
  const status = now.result?.status ?? "";
  const code = now.result?.codes?.[0]?.id ?? null;
  const amount = now.payment?.approvedAmount ?? now.payment?.totalAmount ?? now.payment?.amount ?? 0;
  if (now.category?.method === "refund") {
    return {
      title: { kind: "refund", status },
      tone: status === "pending" ? "none" : (TONES[status] ?? "none"),
      amount,
      code,
    };
  }
  const advice = status === "declined" ? now.acquirer?.retryAdvice : undefined;
  const more = defined({ authentication: now.authentication?.status, advice });
  const before = earlier?.result?.status;
  const capture = now.captureStatus ?? "";
  if (status === "approved" && before === "approved" && capture === (earlier?.captureStatus ?? ""))
    return {
      title: { kind: "transactionChanged", changes: changedFields(earlier ?? {}, now) },
      tone: "none",
    };
  if (status === "approved" && (before === "approved" || endsHold(now))) {
    const taken = capture === "captured";
    return {
      title: { kind: "capture", status: capture },
      tone: taken ? "good" : "none",
      ...(taken ? { amount: now.payment?.capturedAmount ?? amount } : {}),
    };
  }
  const isVerification = now.category?.method === "verification";
  if (status === "pending")
    return { title: { kind: "attempt", ...verifying(isVerification) }, tone: "none", amount, ...more };
  const held = status === "approved" && capture === "uncaptured";
  const outcome =
    status === "declined" && (before === "approved" || code === OUTCOMES.returned)
      ? "returned"
      : status === "approved" && isVerification
        ? "verified"
        : status;
  const total = now.payment?.totalAmount ?? amount;
  return {
    title: held ? { kind: "capture", status: "uncaptured" } : { kind: "outcome", status: outcome },
    // Reserved money is not there yet.
    tone: held ? "none" : (TONES[status] ?? "none"),
    amount,
    ...(status === "approved" && amount < total ? { ofAmount: total } : {}),
    code,
    ...more,
  };
}

/** An authorisation was captured, cancelled or has expired: approval and capture of other payments are one step. */
function endsHold({ captureStatus, category }: Payload): boolean {
  if (captureStatus === "captured") return category?.captureType === "manual";
  return captureStatus === "voided" || captureStatus === "expired";
}
