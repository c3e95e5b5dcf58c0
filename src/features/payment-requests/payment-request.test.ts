import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Id } from "../../kernel/ids.ts";
import { cents } from "../../kernel/money.ts";
import { Refusal } from "../../kernel/refusal.ts";
import { DAY, instant, later, MINUTE } from "../../kernel/time.ts";
import {
  attemptsAllowed,
  attemptsLeft,
  completeWith,
  expiryPause,
  isOverdue,
  LONGEST_LIFE,
  type PaymentRequest,
  RETURNS_SHOWN,
  recordFailedAttempt,
  recordReturn,
  SHORTEST_LIFE,
  STANDARD_LIFE,
  transition,
} from "./payment-request.ts";

const NOW = instant(Date.UTC(2026, 10, 16));
const transactionId = (n: number) => `txn_${n}` as Id<"transaction">;

function request(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    id: "pr_1" as Id<"paymentRequest">,
    merchantId: "mer_1" as Id<"merchant">,
    reference: "r",
    externalReference: null,
    metadata: null,
    flow: "checkout",
    status: "created",
    amount: cents(3000),
    currency: "AUD",
    details: {},
    logo: null,
    pageKey: null,
    payIdValue: null,
    payIdReturns: [],
    approvedTransactionId: null,
    failedTransactionIds: [],
    customerId: null,
    paymentInstrumentId: null,
    expiresAt: later(NOW, 60_000),
    createdAt: NOW,
    updatedAt: NOW,
    ...changes,
  };
}

describe("attempts of a payment request", () => {
  test("are one unless the request or its hosted page names more", () => {
    assert.equal(attemptsAllowed(request()), 1);
    assert.equal(attemptsAllowed(request({ details: { attempts: 2 } })), 2);
    const hostedPage = { attempts: 3 } as NonNullable<PaymentRequest["details"]["hostedPage"]>;
    assert.equal(attemptsAllowed(request({ details: { hostedPage } })), 3);
  });

  test("are used up by failed ones, and none is left after the end", () => {
    const two = request({ details: { attempts: 2 }, failedTransactionIds: [transactionId(1)] });
    assert.equal(attemptsLeft(two), 1);
    assert.equal(attemptsLeft({ ...two, status: "cancelled" }), 0);
  });

  test("a failed one leaves the request open until the last, which completes it", () => {
    const first = recordFailedAttempt(request({ details: { attempts: 2 } }), transactionId(1), NOW);
    assert.deepEqual([first.status, first.failedTransactionIds], ["created", [transactionId(1)]]);
    assert.ok(first.updatedAt > NOW);
    const last = recordFailedAttempt(first, transactionId(2), NOW);
    assert.deepEqual(last.failedTransactionIds, [transactionId(1), transactionId(2)]);
    assert.equal(last.status, "completed");
    assert.equal(last.approvedTransactionId, null);
  });
});

describe("the end of a payment request", () => {
  test("an approval completes it, with what it stored", () => {
    const stored = {
      customerId: "cus_1" as Id<"customer">,
      paymentInstrumentId: "pi_1" as Id<"paymentInstrument">,
    };
    const done = completeWith(request(), { id: transactionId(1), ...stored }, later(NOW, 5));
    assert.deepEqual(
      [done.status, done.approvedTransactionId, done.customerId, done.paymentInstrumentId],
      ["completed", transactionId(1), stored.customerId, stored.paymentInstrumentId],
    );
    assert.equal(done.updatedAt, later(NOW, 5));
  });

  test("it comes after a day, or when the merchant says, between a minute and ninety days", () => {
    assert.deepEqual([STANDARD_LIFE, SHORTEST_LIFE, LONGEST_LIFE], [DAY, MINUTE, 90 * DAY]);
  });

  test("it is overdue from the moment of its expiry on, while it is open", () => {
    const open = request();
    assert.equal(isOverdue(open, later(open.expiresAt, -1)), false);
    assert.equal(isOverdue(open, open.expiresAt), true);
    assert.equal(isOverdue({ ...open, status: "completed" }, later(open.expiresAt, 1)), false);
  });

  test("its expiry waits for a payment under way, for a second at first and for a minute after a while", () => {
    const open = request();
    const pauses = [0, 1_000, 1_001, 59_999, 60_000, 7_200_000].map((overdue) =>
      expiryPause(open, later(open.expiresAt, overdue)),
    );
    assert.deepEqual(pauses, [1_000, 1_000, 1_001, 59_999, 60_000, 60_000]);
  });

  for (const trigger of ["approve", "exhaustAttempts", "expire", "cancel"] as const) {
    test(`it ends once: no ${trigger} after the end`, () => {
      const ended = transition(request(), trigger, NOW);
      assert.notEqual(ended.status, "created");
      assert.throws(() => transition(ended, trigger, NOW), Refusal);
    });
  }
});

test("a returned transfer is added, the newest hundred are kept, and the status stays", () => {
  const entry = (amount: number) => ({ amount: cents(amount), reason: "short", receivedAt: NOW }) as const;
  const payIdReturns = Array.from({ length: RETURNS_SHOWN }, (_, index) => entry(index + 1));
  const after = recordReturn(request({ status: "expired", payIdReturns }), entry(500), NOW);
  assert.equal(after.payIdReturns.length, 100);
  assert.equal(after.payIdReturns[0]?.amount, 2);
  assert.equal(after.payIdReturns.at(-1)?.amount, 500);
  assert.equal(after.status, "expired");
  assert.ok(after.updatedAt > NOW);
});
