import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CAPTURE_STATUSES, type CaptureStatus } from "../../features/transactions/transaction.ts";
import {
  type MoneyFacts,
  type PaymentStatus,
  paymentBadge,
  REQUEST_WORDS,
  refundStatus,
  requestStatus,
  TRANSACTION_WORDS,
  transactionStatus,
} from "./payment-status.ts";

const TOTAL = 1000;
const decided = { method: "purchase", captureStatus: null, amount: 950, surcharge: 50 } as const;
const untouched = { captured: 0, refunded: 0, disputed: 0 };
const taken = (more: Partial<MoneyFacts> = {}): MoneyFacts => ({
  ...decided,
  ...untouched,
  status: "approved",
  captureStatus: "captured",
  captured: TOTAL,
  ...more,
});
const open = (captureStatus: CaptureStatus): MoneyFacts => ({
  ...taken({ captureStatus, captured: 0 }),
  method: "authorisation",
});

/** Every combination that the database allows, and its word. */
const TRANSACTIONS: readonly (readonly [string, MoneyFacts, PaymentStatus])[] = [
  ["pending", { ...decided, ...untouched, status: "pending" }, "processing"],
  ["declined", { ...decided, ...untouched, status: "declined" }, "declined"],
  ["a returned debit", { ...decided, ...untouched, status: "declined", captured: TOTAL }, "returned"],
  ["a verification", { ...taken(), method: "verification", captureStatus: null, captured: 0 }, "verified"],
  ["uncaptured", open("uncaptured"), "authorised"],
  ["voided", open("voided"), "cancelled"],
  ["expired", open("expired"), "expired"],
  ["captured", taken(), "paid"],
  ["captured in part by the merchant", taken({ captured: TOTAL - 1 }), "partly paid"],
  ["approved in part", taken({ captured: 600 }), "partly paid"],
  ["one cent refunded", taken({ refunded: 1 }), "partly refunded"],
  ["one cent left", taken({ refunded: TOTAL - 1 }), "partly refunded"],
  ["all refunded", taken({ refunded: TOTAL }), "refunded"],
  ["all that was captured refunded", taken({ captured: 10, refunded: 10 }), "refunded"],
  ["disputed", taken({ disputed: TOTAL }), "disputed"],
  ["refunded in part, the rest disputed", taken({ refunded: 400, disputed: 600 }), "disputed"],
];

describe("one word for what a payment is", () => {
  for (const [what, facts, word] of TRANSACTIONS)
    test(`a transaction, ${what}: ${word}`, () => assert.equal(transactionStatus(facts), word));

  test("has a case for every capture status and every word", () => {
    const words = new Set(TRANSACTIONS.map(([, , word]) => word));
    assert.deepEqual([...words].sort(), [...TRANSACTION_WORDS].sort());
    for (const status of CAPTURE_STATUSES)
      assert.ok(
        TRANSACTIONS.some(([, { captureStatus }]) => captureStatus === status),
        status,
      );
  });

  const NOW = 1_000;
  const request = (status: "created" | "completed" | "expired" | "cancelled", expiresAt = NOW + 1) => ({
    status,
    expiresAt,
  });

  test("a request is what its paying transaction is; declined or released ones leave it unpaid", () => {
    for (const word of TRANSACTION_WORDS) {
      const expected = word === "cancelled" || word === "expired" ? "unpaid" : word;
      assert.equal(requestStatus(request("completed"), word, NOW), expected, word);
    }
    assert.equal(requestStatus(request("completed"), undefined, NOW), "unpaid");
  });

  test("an open request is unpaid to the last moment, then expired, and processing while the bank decides", () => {
    assert.equal(requestStatus(request("created"), undefined, NOW), "unpaid");
    assert.equal(requestStatus(request("created", NOW), undefined, NOW), "expired");
    assert.equal(requestStatus(request("created", NOW), "processing", NOW), "processing");
    assert.equal(requestStatus(request("expired"), undefined, NOW), "expired");
    assert.equal(requestStatus(request("cancelled"), undefined, NOW), "cancelled");
  });

  test("a refund has the same words", () => {
    assert.deepEqual(["approved", "pending", "declined"].map(refundStatus), [
      "refunded",
      "processing",
      "declined",
    ]);
  });

  test("only money that is there is green", () => {
    const green = [...new Set([...REQUEST_WORDS, ...TRANSACTION_WORDS])].filter((word) =>
      paymentBadge(word).html.includes("badge-good"),
    );
    assert.deepEqual(green, ["paid", "verified"]);
  });
});
