import type { AddressCollection } from "../../kernel/billing-address.ts";
import type { Id } from "../../kernel/ids.ts";
import { type Lifecycle, nextState } from "../../kernel/lifecycle.ts";
import type { Metadata } from "../../kernel/metadata.ts";
import type { Cents, Currency } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import { RAILS } from "../../kernel/source.ts";
import { changeTime, DAY, type Instant, MINUTE, SECOND } from "../../kernel/time.ts";
import { WALLETS } from "../../kernel/wallets.ts";
import type { HostedPage } from "../hosted-pages/index.ts";

export const STATUSES = ["created", "completed", "expired", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];
export type Trigger = "approve" | "exhaustAttempts" | "expire" | "cancel";

/** Specification section 3, "Payment request". Every state but `created` is final. */
export const lifecycle: Lifecycle<Status, Trigger> = {
  created: { approve: "completed", exhaustAttempts: "completed", expire: "expired", cancel: "cancelled" },
  completed: {},
  expired: {},
  cancelled: {},
};

export const FLOWS = ["checkout", "hosted_page", ...RAILS] as const;
export type Flow = (typeof FLOWS)[number];

export const PAYMENT_METHODS = ["card", ...WALLETS] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const SHORTEST_LIFE = MINUTE;
export const LONGEST_LIFE = 90 * DAY;
export const STANDARD_LIFE = DAY;

export type Category = {
  readonly frequency: "single" | "recurring";
  readonly captureType: "auto" | "manual";
  readonly authenticationType?: "3d_secure";
  /** Default `decline`: a partial approval is reversed. */
  readonly partialApproval?: "decline" | "accept";
};

export type CustomerRequest = {
  readonly paymentInstrument?: "create";
  readonly name?: string;
  readonly email?: string;
  readonly id?: string;
  /** The payer may remove the customer's saved cards. */
  readonly allowRemoval?: boolean;
};

export type Agreement = {
  readonly frequency?: "daily" | "monthly" | "annual";
  readonly frequencyCount?: number;
  readonly description: string;
  readonly startDate: string;
  readonly endDate?: string;
  readonly amount: Cents;
  readonly managementURL: string;
  readonly billingAgreement?: string;
};

/** The merchant's input beyond amount and references, checked and with its defaults. */
export type Details = {
  readonly description?: string;
  /** The payer's language, as a BCP 47 tag. */
  readonly locale?: string;
  readonly paymentMethods?: readonly PaymentMethod[];
  readonly category?: Category;
  /** Of an embedded checkout; a hosted page has its own. Default 1. */
  readonly attempts?: number;
  /** How much of the billing address a payer by card enters. Default `none`. */
  readonly collectAddress?: AddressCollection;
  readonly customerRequest?: CustomerRequest;
  readonly agreement?: Agreement;
  readonly hostedPage?: HostedPage;
};

/** A transfer to the request's PayID that was returned, and why. */
export type PayIdReturn = {
  readonly amount: Cents;
  readonly reason: "short" | "over" | "late" | "duplicate" | "closed";
  readonly receivedAt: Instant;
};

/** The newest returns are shown; all are on record as incoming transfers. */
export const RETURNS_SHOWN = 100;

export type PaymentRequest = {
  readonly id: Id<"paymentRequest">;
  readonly merchantId: Id<"merchant">;
  readonly reference: string;
  readonly externalReference: string | null;
  readonly metadata: Metadata | null;
  readonly flow: Flow;
  readonly status: Status;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly details: Details;
  /** Only with a hosted page. Null where it is not read, as in lists. */
  readonly logo: string | null;
  /** Of the hosted page, or of the PayID's page. */
  readonly pageKey: string | null;
  readonly payIdValue: string | null;
  readonly payIdReturns: readonly PayIdReturn[];
  readonly approvedTransactionId: Id<"transaction"> | null;
  readonly failedTransactionIds: readonly Id<"transaction">[];
  /** The customer and instrument that the approved payment stored. */
  readonly customerId: Id<"customer"> | null;
  readonly paymentInstrumentId: Id<"paymentInstrument"> | null;
  readonly expiresAt: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** How many attempts the payer has. */
export function attemptsAllowed(request: PaymentRequest): number {
  return request.details.hostedPage?.attempts ?? request.details.attempts ?? 1;
}

export function attemptsLeft(request: PaymentRequest): number {
  return request.status === "created" ? attemptsAllowed(request) - request.failedTransactionIds.length : 0;
}

/** The request after an approved payment, with the instrument that it stored. */
export function completeWith(
  request: PaymentRequest,
  approved: {
    readonly id: Id<"transaction">;
    readonly customerId: Id<"customer"> | null;
    readonly paymentInstrumentId: Id<"paymentInstrument"> | null;
  },
  now: Instant,
): PaymentRequest {
  const { id, customerId, paymentInstrumentId } = approved;
  return {
    ...transition(request, "approve", now),
    approvedTransactionId: id,
    customerId,
    paymentInstrumentId,
  };
}

/** The request after a failed payment: open while attempts are left. */
export function recordFailedAttempt(
  request: PaymentRequest,
  transactionId: Id<"transaction">,
  now: Instant,
): PaymentRequest {
  const failedTransactionIds = [...request.failedTransactionIds, transactionId];
  const last = failedTransactionIds.length >= attemptsAllowed(request);
  const after = last
    ? transition(request, "exhaustAttempts", now)
    : { ...request, updatedAt: changeTime(now, request.updatedAt) };
  return { ...after, failedTransactionIds };
}

/** The request after a returned transfer. Its status stays: ended requests get transfers, too. */
export function recordReturn(request: PaymentRequest, entry: PayIdReturn, now: Instant): PaymentRequest {
  const payIdReturns = [...request.payIdReturns, entry].slice(-RETURNS_SHOWN);
  return { ...request, payIdReturns, updatedAt: changeTime(now, request.updatedAt) };
}

/** Past its expiry, even if no worker has expired it yet. */
export function isOverdue(request: Pick<PaymentRequest, "status" | "expiresAt">, now: Instant): boolean {
  return request.status === "created" && request.expiresAt <= now;
}

/** How long the expiry of a request waits for its payment under way: as long again as it has waited, a minute at most. */
export function expiryPause({ expiresAt }: Pick<PaymentRequest, "expiresAt">, now: Instant): number {
  return Math.min(Math.max(now - expiresAt, SECOND), MINUTE);
}

/** The request after a trigger; refuses when its state does not allow it. */
export function transition(request: PaymentRequest, trigger: Trigger, now: Instant): PaymentRequest {
  const status = nextState(lifecycle, request.status, trigger) ?? refuse("payment_request_state_conflict");
  return { ...request, status, updatedAt: changeTime(now, request.updatedAt) };
}
