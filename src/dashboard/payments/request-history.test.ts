import { describe, test } from "node:test";
import { assertReads, day, type History, type Published } from "../../../tests/support/event-history.ts";
import {
  completeWith,
  type PayIdReturn,
  type PaymentRequest,
  recordFailedAttempt,
  recordReturn,
  requestChange,
} from "../../features/payment-requests/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { type Instant, toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";

const REQUEST: PaymentRequest = {
  id: "pr_1" as Id<"paymentRequest">,
  merchantId: "mer_1" as Id<"merchant">,
  reference: "order-1",
  externalReference: null,
  metadata: null,
  flow: "checkout",
  status: "created",
  amount: cents(3000),
  currency: "AUD",
  details: { attempts: 2 },
  logo: null,
  pageKey: null,
  payIdValue: null,
  payIdReturns: [],
  approvedTransactionId: null,
  failedTransactionIds: [],
  customerId: null,
  paymentInstrumentId: null,
  expiresAt: day(6),
  createdAt: day(0),
  updatedAt: day(0),
};
const CHECK: PaymentRequest = { ...REQUEST, amount: cents(0) };

const txn = (name: string) => `txn_${name}` as Id<"transaction">;
const completed = (one: PaymentRequest): PaymentRequest =>
  completeWith(one, { id: txn("paid"), customerId: null, paymentInstrumentId: null }, day(4));
const failed = (one: PaymentRequest, at: Instant): PaymentRequest =>
  recordFailedAttempt(one, txn(String(at)), at);
const sentBack = (one: PaymentRequest, reason: PayIdReturn["reason"], at: Instant): PaymentRequest =>
  recordReturn(one, { amount: cents(2999), reason, receivedAt: at }, at);
const expired: PaymentRequest = { ...REQUEST, status: "expired", updatedAt: day(6) };
const cancelled: PaymentRequest = { ...REQUEST, status: "cancelled", updatedAt: day(5) };

const CREATED = "* Payment request created: $30.00";
const COMPLETED = "* Payment request completed";
const FAILED = "Payment request changed: an attempt was declined";
const SENT_BACK = "Payment request changed: a transfer was sent back";

const once = failed(REQUEST, day(2));
const short = sentBack(REQUEST, "short", day(2));
const twice = sentBack(completed(REQUEST), "duplicate", day(8));

const REQUESTS: Readonly<Record<string, History<PaymentRequest>>> = {
  "a paid request": [
    [REQUEST, CREATED],
    [completed(REQUEST), COMPLETED],
  ],
  "a request with an attempt left": [
    [REQUEST, CREATED],
    [once, FAILED],
  ],
  "a request that was paid at the second attempt": [
    [REQUEST, CREATED],
    [once, FAILED],
    [completed(once), COMPLETED],
  ],
  "a request whose attempts were all declined": [
    [REQUEST, CREATED],
    [once, FAILED],
    [failed(once, day(3)), "* Payment request ended without a payment"],
  ],
  "an expired request": [
    [REQUEST, CREATED],
    [expired, "* Payment request expired"],
  ],
  "a cancelled request": [
    [REQUEST, CREATED],
    [cancelled, "* Payment request cancelled"],
  ],
  "a PayID that was paid after a transfer of another amount": [
    [REQUEST, CREATED],
    [short, SENT_BACK],
    [completed(short), COMPLETED],
  ],
  "a PayID that was paid three times": [
    [REQUEST, CREATED],
    [completed(REQUEST), COMPLETED],
    [twice, SENT_BACK],
    [sentBack(twice, "duplicate", day(9)), SENT_BACK],
  ],
  "a PayID that was paid too late": [
    [REQUEST, CREATED],
    [expired, "* Payment request expired"],
    [sentBack(expired, "late", day(8)), SENT_BACK],
  ],
  "a PayID that was paid after it was cancelled": [
    [REQUEST, CREATED],
    [cancelled, "* Payment request cancelled"],
    [sentBack(cancelled, "closed", day(8)), SENT_BACK],
  ],
  "a request to verify a card": [
    [CHECK, "* Request to verify a card created"],
    [completed(CHECK), "* Request to verify a card completed"],
  ],
};

const refund = (status: "pending" | "approved" | "declined", updatedAt: Instant) => ({
  id: "rfd_1",
  status,
  amount: 500,
  code: null,
  createdAt: day(0),
  updatedAt,
  lateApproval: null as object | null,
});
const late = { ...refund("declined", day(2)), lateApproval: { amount: 500, approvedAt: day(2) } };

const REFUNDS: Readonly<Record<string, History<ReturnType<typeof refund>>>> = {
  "an approved refund": [
    [refund("pending", day(0)), "* Refund requested: $5.00"],
    [refund("approved", day(1)), "* Refund approved: $5.00"],
  ],
  "a declined refund": [
    [refund("pending", day(0)), "* Refund requested: $5.00"],
    [refund("declined", day(1)), "* Refund declined: $5.00"],
  ],
  "a declined refund with a late approval": [
    [refund("pending", day(0)), "* Refund requested: $5.00"],
    [refund("declined", day(1)), "* Refund declined: $5.00"],
    [late, "* Refund approved too late, being reversed"],
  ],
};

const dispute = (status: string, updatedAt: Instant) => ({
  id: "dsp_1",
  status,
  reason: "fraud",
  amount: 3000,
  createdAt: day(0),
  updatedAt,
});
const OPENED = [dispute("needs_response", day(0)), "* Payment disputed: $30.00"] as const;
const REVIEWED = [dispute("under_review", day(2)), "Evidence is with the payer's bank: $30.00"] as const;

const DISPUTES: Readonly<Record<string, History<ReturnType<typeof dispute>>>> = {
  "a won dispute": [OPENED, REVIEWED, [dispute("won", day(9)), "* Dispute won: $30.00"]],
  "a lost dispute": [OPENED, REVIEWED, [dispute("lost", day(9)), "* Dispute lost: $30.00"]],
  "an accepted dispute": [OPENED, [dispute("accepted", day(2)), "* Dispute accepted: $30.00"]],
};

const ofRequest = (one: PaymentRequest): Published =>
  requestChange({ settings: { baseUrl: "http://localhost" } } as Pick<Context, "settings">, "sandbox", one);

const ofRefund = (one: ReturnType<typeof refund>): Published => ({
  event: "transactions",
  resourceId: one.id,
  at: one.updatedAt,
  payload: {
    createdDateTime: toIso(one.createdAt),
    updatedDateTime: toIso(one.updatedAt),
    category: { method: "refund" },
    payment: { amount: one.amount },
    result: { status: one.status },
    ...(one.lateApproval === null ? {} : { lateApproval: { amount: one.amount, status: "reversing" } }),
  },
});

const ofDispute = ({ id, status, reason, amount, updatedAt }: ReturnType<typeof dispute>): Published => ({
  event: "disputes",
  resourceId: id,
  at: updatedAt,
  payload: { status, reason, payment: { amount } },
});

describe("dashboard: the timeline of a request, refund or dispute, whatever is left of its events", () => {
  for (const [what, history] of Object.entries(REQUESTS))
    test(what, () =>
      assertReads(history, ofRequest, (request) => ({
        request,
        transactions: [{ id: txn("paid"), status: "pending", amount: 3000, surcharge: 0, createdAt: day(4) }],
      })),
    );

  for (const [what, history] of Object.entries(REFUNDS))
    test(what, () => assertReads(history, ofRefund, (last) => ({ refunds: [last] })));

  for (const [what, history] of Object.entries(DISPUTES))
    test(what, () => assertReads(history, ofDispute, (last) => ({ disputes: [last] })));
});
