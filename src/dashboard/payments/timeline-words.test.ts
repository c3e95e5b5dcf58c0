import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { EntryFacts, Title } from "./entry-of-event.ts";
import { detailWords, titleWords } from "./timeline-words.ts";

type Line = readonly [title: Title, words: string, details?: string];

/** Every kind of entry with every status that its table allows. */
const LINES: readonly Line[] = [
  [{ kind: "request", status: "created" }, "Payment request created: $30.00"],
  [{ kind: "request", status: "completed", paid: true }, "Payment request completed: $30.00"],
  [{ kind: "request", status: "completed", paid: false }, "Payment request ended without a payment"],
  [{ kind: "request", status: "expired" }, "Payment request expired: $30.00"],
  [{ kind: "request", status: "cancelled" }, "Payment request cancelled: $30.00"],
  ...(["created", "completed", "expired", "cancelled"] as const).map(
    (status): Line => [
      { kind: "request", status, paid: true, verifies: true },
      `Request to verify a card ${status}`,
    ],
  ),
  [
    { kind: "request", status: "completed", paid: false, verifies: true },
    "Request to verify a card ended without one",
  ],
  [{ kind: "attempt", verifies: true }, "Card sent to be verified"],
  [{ kind: "requestChanged", changes: [] }, "Payment request changed"],
  ...(
    [
      ["transactionAttempts", "an attempt was declined"],
      ["transactionResult", "a payment was approved"],
      ["customerResult", "the payer's card or account was saved"],
      ["payIdReturns", "a transfer was sent back"],
      ["expiryDateTime", "expiry"],
      ["externalReference", "external reference"],
    ] as const
  ).map(
    ([field, words]): Line => [
      { kind: "requestChanged", changes: [{ field, from: undefined, to: [{}] }] },
      `Payment request changed: ${words}`,
    ],
  ),
  [{ kind: "transactionChanged", changes: [] }, "Transaction changed"],
  [
    {
      kind: "transactionChanged",
      changes: [
        { field: "payment.refundedAmount", from: 0, to: 1250 },
        { field: "payment.instrument", from: {}, to: { card: {} } },
        { field: "metadata", from: undefined, to: {} },
      ],
    },
    "Transaction changed: refunded amount from $0.00 to $12.50, card or account, metadata",
  ],
  [{ kind: "attempt" }, "Payment attempt: $30.00"],
  [{ kind: "outcome", status: "approved" }, "Approved $30.00"],
  [{ kind: "outcome", status: "declined" }, "Declined"],
  [{ kind: "outcome", status: "returned" }, "Returned by the payer's bank"],
  [{ kind: "outcome", status: "verified" }, "Card verified"],
  [{ kind: "capture", status: "uncaptured" }, "Authorised, to be captured: $30.00"],
  [{ kind: "capture", status: "captured" }, "Captured $30.00"],
  [{ kind: "capture", status: "voided" }, "Authorisation cancelled"],
  [{ kind: "capture", status: "expired" }, "Authorisation expired"],
  [{ kind: "refund", status: "pending" }, "Refund requested: $30.00"],
  [{ kind: "refund", status: "approved" }, "Refund approved: $30.00"],
  [{ kind: "refund", status: "declined" }, "Refund declined: $30.00"],
  ...(
    [
      ["needs_response", "Payment disputed"],
      ["under_review", "Evidence is with the payer's bank"],
      ["won", "Dispute won"],
      ["lost", "Dispute lost"],
      ["accepted", "Dispute accepted"],
    ] as const
  ).map(
    ([status, words]): Line => [
      { kind: "dispute", status, reason: "goods_not_received" },
      `${words}: $30.00`,
      "Goods not received",
    ],
  ),
  [{ kind: "operation", what: "capture", status: "pending" }, "Capture under way: $30.00"],
  [{ kind: "operation", what: "capture", status: "done" }, "Capture done: $30.00"],
  [{ kind: "operation", what: "capture", status: "refused" }, "Capture declined: $30.00"],
  [{ kind: "operation", what: "void", status: "pending" }, "Cancellation under way"],
  [{ kind: "operation", what: "void", status: "done" }, "Cancellation done"],
  [{ kind: "operation", what: "void", status: "refused" }, "Cancellation declined"],
  [{ kind: "operation", what: "expire", status: "pending" }, "Authorisation is expiring"],
  [{ kind: "operation", what: "expire", status: "done" }, "Authorisation released"],
  [{ kind: "operation", what: "expire", status: "refused" }, "Release of the expired authorisation declined"],
  [{ kind: "operation", what: "reverse", status: "pending" }, "Approved too late, being reversed"],
  [{ kind: "operation", what: "reverse", status: "done" }, "Approved too late, reversed"],
  [
    { kind: "operation", what: "reverse_refund", status: "pending" },
    "Refund approved too late, being reversed",
  ],
  [{ kind: "operation", what: "reverse_refund", status: "done" }, "Refund approved too late, reversed"],
  [{ kind: "operation", what: "reverse", status: "refused" }, "Approved too late, reversal declined"],
  ...(
    [
      ["payment", "Payment"],
      ["refund", "Refund"],
      ["return", "Return"],
      ["fee", "Fee"],
      ["dispute", "Dispute"],
      ["dispute_won", "Won dispute"],
    ] as const
  ).flatMap(([what, word]): readonly Line[] => [
    [{ kind: "line", what, paid: true }, `${word} booked: $30.00`, "Paid out"],
    [{ kind: "line", what, paid: false }, `${word} booked: $30.00`, "Waits for the next payout"],
  ]),
  [{ kind: "transfer", status: "accepted", reason: null }, "Transfer received: $30.00"],
  ...(
    [
      ["short", "It was less than the amount"],
      ["over", "It was more than the amount"],
      ["late", "It came too late"],
      ["duplicate", "The request was paid already"],
      ["closed", "The request was closed"],
    ] as const
  ).flatMap(([reason, why]): readonly Line[] => [
    [{ kind: "transfer", status: "returning", reason }, "Transfer of $30.00 is on its way back", why],
    [{ kind: "transfer", status: "returned", reason }, "Transfer of $30.00 sent back", why],
    [
      { kind: "transfer", status: "return_refused", reason },
      "Transfer of $30.00 could not be sent back",
      why,
    ],
  ]),
  [{ kind: "token", status: "created" }, "One-time token created"],
  [{ kind: "token", status: "initialised" }, "One-time token created", "Opened a checkout"],
  ...(
    [
      ["approved", "was approved"],
      ["declined", "was declined"],
      ["pending", "is processing"],
    ] as const
  ).flatMap(([result, words]): readonly Line[] =>
    (["initialised", "processed"] as const).map((status) => [
      { kind: "token", status, result },
      "One-time token created",
      `Opened a checkout; the payment ${words}`,
    ]),
  ),
  ...(
    [
      ["approved", "was verified"],
      ["declined", "was declined"],
      ["pending", "is being checked"],
    ] as const
  ).map(
    ([result, words]): Line => [
      { kind: "token", status: "processed", result, verifies: true },
      "One-time token created",
      `Opened a checkout; the card ${words}`,
    ],
  ),
  [{ kind: "token", status: "processed" }, "One-time token created", "Opened a checkout"],
];

describe("the words of the timeline", () => {
  for (const [title, words, details = ""] of LINES)
    test(`${title.kind}: ${words}${details === "" ? "" : `, ${details}`}`, () => {
      const entry: EntryFacts = { title, tone: "none", amount: 3000 };
      assert.equal(titleWords(entry), words);
      assert.equal(detailWords(entry), details);
    });

  test("no entry of a verified card speaks of a payment or an amount", () => {
    const verified = LINES.filter(([title]) => "verifies" in title);
    assert.equal(verified.length, 9);
    for (const [title] of verified) {
      const entry: EntryFacts = { title, tone: "none", amount: 0 };
      assert.doesNotMatch(`${titleWords(entry)} ${detailWords(entry)}`, /pay|\$/i);
    }
  });

  test("a declined payment was not paid, whatever its entries are", () => {
    const declined = LINES.filter(([title]) => "result" in title && title.result === "declined");
    assert.ok(declined.length > 0);
    for (const [title] of declined)
      assert.doesNotMatch(detailWords({ title, tone: "none" } as EntryFacts), /paid|approved/);
  });

  for (const [advice, words] of [
    ["never", "not with this card"],
    ["later", "later"],
    ["with_authentication", "with 3D Secure"],
  ] as const)
    test(`a decline with the advice ${advice} says: ${words}`, () => {
      const title = { kind: "outcome", status: "declined" } as const;
      assert.equal(
        detailWords({ title, code: "D04441", advice }),
        `Lost card (D04441) · Try again: ${words}`,
      );
    });

  test("a partial approval names both amounts", () => {
    const title = { kind: "outcome", status: "approved" } as const;
    assert.equal(titleWords({ title, amount: 600, ofAmount: 1000 }), "Approved $6.00 of $10.00");
  });
});
