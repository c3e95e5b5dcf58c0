import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Instant, instant } from "../../kernel/time.ts";
import type { Payment } from "./read-payment.ts";
import { isUnderWay, timelineOf } from "./timeline.ts";
import { detailWords, titleWords } from "./timeline-words.ts";

const at = (seconds: number): Instant => instant(1_000_000 + seconds * 1_000);

/** A payment of which only what a timeline reads is filled in. */
const PAYMENT = {
  request: {
    id: "pr_1",
    status: "completed",
    amount: 3000,
    createdAt: at(0),
    updatedAt: at(4),
    approvedTransactionId: "txn_1",
    payIdReturns: [],
  },
  transactions: [
    {
      id: "txn_1",
      status: "approved",
      method: "purchase",
      source: "card",
      captureType: "auto",
      captureStatus: "captured",
      amount: 3000,
      captured: 3030,
      refunded: 0,
      disputed: 0,
      approvedAmount: null,
      surcharge: 30,
      code: "approved",
      lateApproval: null,
      createdAt: at(2),
      updatedAt: at(4),
    },
  ],
  refunds: [
    {
      id: "rfd_1",
      status: "declined",
      amount: 500,
      code: "D04405",
      createdAt: at(10),
      updatedAt: at(20),
      lateApproval: null,
    },
  ],
  disputes: [],
  tokens: [{ id: "ott_1", status: "processed", createdAt: at(1), transactionId: "txn_1" }],
  transfers: [],
  lines: [{ kind: "payment", amount: 3030, at: at(4), transactionId: "txn_1", payoutId: "po_1" }],
  operations: [],
  events: [],
  deliveries: [],
} as unknown as Payment;

const titlesOf = (payment: Payment) =>
  timelineOf(payment).map(({ title }) => ("status" in title ? `${title.kind} ${title.status}` : title.kind));

describe("dashboard: the timeline of a payment", () => {
  test("without events the entries come from the records, newest first", () => {
    assert.deepEqual(titlesOf(PAYMENT), [
      "refund declined",
      "refund pending",
      "line",
      "outcome approved",
      "request completed",
      "attempt",
      "token processed",
      "request created",
    ]);
  });

  test("events of a record replace the entries derived from it, without duplicates", () => {
    const event = (id: string, seconds: number, paymentRequestStatus: string) => ({
      id,
      event: "payment_requests",
      resourceId: "pr_1",
      createdAt: at(seconds),
      body: JSON.stringify({ payload: { paymentRequestStatus } }),
    });
    const events = [event("evt_2", 4, "completed"), event("evt_1", 0, "created")];
    const deliveries = [{ eventId: "evt_2", status: "failed" }];
    const entries = timelineOf({ ...PAYMENT, events, deliveries } as unknown as Payment);
    const requests = entries.filter(({ subjectId, event: its }) => subjectId === "pr_1" && its !== undefined);
    assert.deepEqual(
      requests.map(({ event: its }) => [its?.id, its?.deliveries.length]),
      [
        ["evt_2", 1],
        ["evt_1", 0],
      ],
    );
    assert.equal(entries.filter(({ title }) => title.kind === "request").length, 2);
  });

  test("a declined payment is nowhere called paid, and its end is red", () => {
    const declined = {
      ...PAYMENT,
      request: { ...PAYMENT.request, approvedTransactionId: null },
      transactions: [
        {
          ...PAYMENT.transactions[0],
          status: "declined",
          code: "insufficient_funds",
          captured: 0,
          captureStatus: null,
        },
      ],
      refunds: [],
      lines: [],
    } as unknown as Payment;
    assert.deepEqual(
      timelineOf(declined).map((entry) => [titleWords(entry), detailWords(entry), entry.tone]),
      [
        ["Declined", "Insufficient funds (D04451)", "bad"],
        ["Payment request ended without a payment", "", "bad"],
        ["Payment attempt: $30.30", "", "none"],
        ["One-time token created", "Opened a checkout; the payment was declined", "none"],
        ["Payment request created: $30.00", "", "none"],
      ],
    );
  });

  test("without events, a verified card does not read as a payment of $0.00", () => {
    const verified = {
      ...PAYMENT,
      request: { ...PAYMENT.request, amount: 0 },
      transactions: [
        {
          ...PAYMENT.transactions[0],
          method: "verification",
          amount: 0,
          surcharge: 0,
          captured: 0,
          captureStatus: null,
        },
      ],
      refunds: [],
      lines: [],
    } as unknown as Payment;
    assert.deepEqual(
      timelineOf(verified).map((entry) => [titleWords(entry), detailWords(entry)]),
      [
        ["Card verified", ""],
        ["Request to verify a card completed", ""],
        ["Card sent to be verified", ""],
        ["One-time token created", "Opened a checkout; the card was verified"],
        ["Request to verify a card created", ""],
      ],
    );
  });

  const held = { captureType: "manual", captureStatus: "uncaptured", captured: 0 };
  for (const [what, change, words, tone] of [
    ["an approval", {}, "Approved $30.30", "good"],
    ["a partial approval", { approvedAmount: 2000, captured: 2000 }, "Approved $20.00 of $30.30", "good"],
    ["an authorisation", held, "Authorised, to be captured: $30.30", "none"],
    ["a capture", { captureType: "manual", captured: 1000 }, "Captured $10.00", "good"],
    ["a void", { ...held, captureStatus: "voided" }, "Authorisation cancelled", "none"],
    ["an expired authorisation", { ...held, captureStatus: "expired" }, "Authorisation expired", "none"],
    ["a verification", { method: "verification", captureStatus: null, captured: 0 }, "Card verified", "good"],
    ["a decline", { status: "declined", captureStatus: null, captured: 0 }, "Declined", "bad"],
    ["a return", { status: "declined", captureStatus: null }, "Returned by the payer's bank", "bad"],
  ] as const)
    test(`without events, ${what} reads: ${words}`, () => {
      const transactions = [{ ...PAYMENT.transactions[0], ...change }];
      const entries = timelineOf({ ...PAYMENT, transactions } as unknown as Payment);
      const end = entries.find(({ title }) => title.kind === "outcome" || title.kind === "capture");
      assert.deepEqual([end && titleWords(end), end?.tone], [words, tone]);
    });

  for (const [status, words, tone] of [
    ["needs_response", ["Payment disputed: $30.30"], "bad"],
    ["under_review", ["Evidence is with the payer's bank: $30.30", "Payment disputed: $30.30"], "waiting"],
    ["won", ["Dispute won: $30.30", "Payment disputed: $30.30"], "good"],
    ["lost", ["Dispute lost: $30.30", "Payment disputed: $30.30"], "bad"],
    ["accepted", ["Dispute accepted: $30.30", "Payment disputed: $30.30"], "none"],
  ] as const)
    test(`a dispute that is ${status} reads the same with and without its events`, () => {
      const dispute = {
        id: "dsp_1",
        status,
        reason: "fraud",
        amount: 3030,
        createdAt: at(30),
        updatedAt: at(40),
      };
      const event = (id: string, seconds: number, its: string) => ({
        id,
        event: "disputes",
        resourceId: "dsp_1",
        createdAt: at(seconds),
        body: JSON.stringify({ payload: { status: its, reason: "fraud", payment: { amount: 3030 } } }),
      });
      const events = [
        ...(status === "needs_response" ? [] : [event("evt_2", 40, status)]),
        event("evt_1", 30, "needs_response"),
      ];
      for (const known of [[], events]) {
        const entries = timelineOf({
          ...PAYMENT,
          disputes: [dispute],
          events: known,
        } as unknown as Payment).filter(({ title }) => title.kind === "dispute");
        assert.deepEqual(entries.map(titleWords), words);
        assert.equal(entries[0]?.tone, tone);
      }
    });

  test("an approval after the decline reads the same with and without its events, and its operation adds nothing", () => {
    const lateApproval = { amount: 3030, approvedAt: at(30), reversedAt: at(40) };
    const declined = {
      ...PAYMENT.transactions[0],
      status: "declined",
      code: "downstream_error",
      captureStatus: null,
      captured: 0,
      createdAt: at(10),
      updatedAt: at(40),
    };
    const operation = { transactionId: "txn_1", kind: "reverse", amount: 3030, createdAt: at(30) };
    const payload = (status: string, late?: string) => ({
      category: { method: "purchase" },
      payment: { totalAmount: 3030 },
      result: { status },
      ...(late === undefined ? {} : { lateApproval: { amount: 3030, status: late } }),
    });
    const payloads = [
      payload("declined", "reversed"),
      payload("declined", "reversing"),
      payload("declined"),
      payload("pending"),
    ];
    const events = payloads.map((one, index) => ({
      id: `evt_${4 - index}`,
      event: "transactions",
      resourceId: "txn_1",
      createdAt: at(40 - 10 * index),
      body: JSON.stringify({ payload: one }),
    }));
    const wordsOf = (changes: object) =>
      timelineOf({
        ...PAYMENT,
        lines: [],
        refunds: [],
        operations: [{ ...operation, status: "done" }],
        ...changes,
      } as unknown as Payment)
        .filter(({ subjectId }) => subjectId === "txn_1")
        .map(titleWords);
    const words = ["Approved too late, reversed", "Approved too late, being reversed"];
    for (const known of [[], events])
      assert.deepEqual(wordsOf({ transactions: [{ ...declined, lateApproval }], events: known }), [
        ...words,
        "Declined",
        "Payment attempt: $30.30",
      ]);
    // Reversals from before the record had them.
    assert.deepEqual(wordsOf({ transactions: [declined] }).includes("Approved too late, reversed"), true);
  });

  test("a payment is under way while anything of it is pending", () => {
    const pending = [{ status: "pending" }];
    assert.equal(isUnderWay(PAYMENT), false);
    for (const part of ["transactions", "refunds", "deliveries", "operations"]) {
      assert.equal(isUnderWay({ ...PAYMENT, [part]: pending }), true, part);
    }
    const transfers = [{ status: "returning" }] as unknown as Payment["transfers"];
    assert.equal(isUnderWay({ ...PAYMENT, transfers }), true, "transfers");
  });

  test("a capture that the acquirer declined is an entry with its code, and nothing is under way", () => {
    const declined = {
      transactionId: "txn_1",
      kind: "capture",
      amount: 500,
      status: "refused",
      code: "D04451",
      createdAt: at(5),
    };
    const payment = { ...PAYMENT, operations: [declined] } as unknown as Payment;
    const [entry] = timelineOf(payment).filter(({ title }) => title.kind === "operation");
    assert.deepEqual(entry?.title, { kind: "operation", what: "capture", status: "refused" });
    assert.deepEqual([entry?.tone, entry?.code, entry?.amount], ["bad", "D04451", 500]);
    assert.equal(isUnderWay(payment), false);
  });
});
