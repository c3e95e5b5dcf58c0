import { describe, test } from "node:test";
import { assertReads, day, type History, type Published } from "../../../tests/support/event-history.ts";
import {
  markReturned,
  newApprovedTransaction,
  newTransaction,
  settle,
  type Transaction,
  transactionChange,
} from "../../features/transactions/index.ts";
import { approve, decline } from "../../kernel/codes/outcomes.ts";
import type { Id } from "../../kernel/ids.ts";
import { approveLate, reverseLate } from "../../kernel/late-approval.ts";
import { cents } from "../../kernel/money.ts";
import { type Instant, later } from "../../kernel/time.ts";

const NO_FEES = { fees: {} };

const PENDING = newTransaction({
  id: "txn_1" as Id<"transaction">,
  merchantId: "mer_1" as Id<"merchant">,
  reference: "order-1",
  source: "card",
  phase: "calling",
  amount: cents(3000),
  currency: "AUD",
  now: day(0),
});
const HELD: Transaction = { ...PENDING, captureType: "manual", method: "authorisation" };
const DEBIT: Transaction = { ...PENDING, source: "direct_debit", phase: "waiting" };
const CHECK: Transaction = { ...PENDING, method: "verification", amount: cents(0) };

const approved = (one: Transaction, amount = 3000): Transaction =>
  settle(one, { ...approve("approved"), approvedAmount: cents(amount) }, day(1), NO_FEES);
const declined = (one: Transaction): Transaction =>
  settle(one, decline("insufficient_funds"), day(1), NO_FEES);
const ended = (
  one: Transaction,
  captureStatus: "captured" | "voided" | "expired",
  captured = 0,
): Transaction => ({ ...one, captureStatus, captured: cents(captured), updatedAt: day(5) });

const ATTEMPT = "* Payment attempt: $30.00";
const HOLD = "* Authorised, to be captured: $30.00";
const APPROVED = "* Approved $30.00";
const AUTHORISED = approved(HELD);
const PART = approved(HELD, 2000);
const LATE = approveLate(declined(PENDING), cents(3000), day(2)) ?? PENDING;

const OF_REQUESTS: Readonly<Record<string, History<Transaction>>> = {
  "an approval": [
    [PENDING, ATTEMPT],
    [approved(PENDING), APPROVED],
  ],
  "a partial approval": [
    [PENDING, ATTEMPT],
    [approved(PENDING, 2000), "* Approved $20.00 of $30.00"],
  ],
  "an approval after 3D Secure": [
    [PENDING, ATTEMPT],
    [
      { ...PENDING, authentication: "authenticated", updatedAt: later(day(0), 60_000) },
      "Payment attempt: $30.00",
    ],
    [{ ...approved(PENDING), authentication: "authenticated" }, APPROVED],
  ],
  "a decline": [
    [PENDING, ATTEMPT],
    [declined(PENDING), "* Declined"],
  ],
  "an open authorisation": [
    [HELD, ATTEMPT],
    [AUTHORISED, HOLD],
  ],
  "a capture": [
    [HELD, ATTEMPT],
    [AUTHORISED, HOLD],
    [ended(AUTHORISED, "captured", 3000), "* Captured $30.00"],
  ],
  "a capture of a part": [
    [HELD, ATTEMPT],
    [AUTHORISED, HOLD],
    [ended(AUTHORISED, "captured", 1000), "* Captured $10.00"],
  ],
  "a capture of a partial approval": [
    [HELD, ATTEMPT],
    [PART, "* Authorised, to be captured: $20.00"],
    [ended(PART, "captured", 2000), "* Captured $20.00"],
  ],
  "a cancelled authorisation": [
    [HELD, ATTEMPT],
    [AUTHORISED, HOLD],
    [ended(AUTHORISED, "voided"), "* Authorisation cancelled"],
  ],
  "an expired authorisation": [
    [HELD, ATTEMPT],
    [AUTHORISED, HOLD],
    [ended(AUTHORISED, "expired"), "* Authorisation expired"],
  ],
  "a verification": [
    [CHECK, "* Card sent to be verified"],
    [approved(CHECK, 0), "* Card verified"],
  ],
  "a declined verification": [
    [CHECK, "* Card sent to be verified"],
    [declined(CHECK), "* Declined"],
  ],
  "a decline with a late approval": [
    [PENDING, ATTEMPT],
    [declined(PENDING), "* Declined"],
    [LATE, "* Approved too late, being reversed"],
    [reverseLate(LATE, day(3)) ?? PENDING, "* Approved too late, reversed"],
  ],
  "a transfer": [
    [newApprovedTransaction({ ...PENDING, source: "payid", phase: "waiting", now: day(0) }, {}), APPROVED],
  ],
};

const CHARGES: Readonly<Record<string, History<Transaction>>> = {
  "a debit": [
    [DEBIT, ATTEMPT],
    [approved(DEBIT), APPROVED],
  ],
  "a declined debit": [
    [DEBIT, ATTEMPT],
    [declined(DEBIT), "* Declined"],
  ],
  "a returned debit": [
    [DEBIT, ATTEMPT],
    [approved(DEBIT), APPROVED],
    [markReturned(approved(DEBIT), day(5)), "* Returned by the payer's bank"],
  ],
  // No record has the time of an authorisation without a payment request.
  "a captured charge": [
    [HELD, ATTEMPT],
    [AUTHORISED, "Authorised, to be captured: $30.00"],
    [ended(AUTHORISED, "captured", 3000), "* Captured $30.00"],
  ],
  "a cancelled charge": [
    [HELD, ATTEMPT],
    [AUTHORISED, "Authorised, to be captured: $30.00"],
    [ended(AUTHORISED, "voided"), "* Authorisation cancelled"],
  ],
};

const eventOf = (one: Transaction): Published =>
  transactionChange("sandbox", one, { baseUrl: "http://localhost" });

/** What the timeline reads of the transaction's request. */
const requestOf = ({ id, status }: Transaction, updatedAt: Instant) => ({
  id: "pr_1",
  status: status === "approved" ? "completed" : "created",
  amount: 3000,
  approvedTransactionId: status === "approved" ? id : null,
  payIdReturns: [],
  createdAt: day(0),
  updatedAt,
});

describe("dashboard: the timeline of a transaction, whatever is left of its events", () => {
  for (const [what, history] of Object.entries(OF_REQUESTS))
    test(what, () =>
      assertReads(history, eventOf, (last) => ({ request: requestOf(last, day(1)), transactions: [last] })),
    );

  for (const [what, history] of Object.entries(CHARGES))
    test(what, () =>
      assertReads(history, eventOf, (last) => ({
        transactions: [last],
        lines:
          last.source === "direct_debit" && last.captured > 0
            ? [{ kind: "payment", amount: last.captured, at: day(1), transactionId: last.id }]
            : [],
      })),
    );

  test("an authorisation within the millisecond of its attempt, of which there is one entry", () => {
    const held = { ...AUTHORISED, updatedAt: later(day(0), 1) };
    const history = [
      [HELD, ATTEMPT],
      [held, HOLD],
      [ended(held, "voided"), "* Authorisation cancelled"],
    ] as const;
    assertReads<Transaction>(history, eventOf, (last) => ({
      request: requestOf(last, day(0)),
      transactions: [last],
    }));
  });
});
