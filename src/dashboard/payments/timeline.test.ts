import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Instant, instant } from "../../kernel/time.ts";
import type { Payment } from "./read-payment.ts";
import { isUnderWay, timelineOf } from "./timeline.ts";

const at = (seconds: number): Instant => instant(1_000_000 + seconds * 1_000);

/** A payment of which only what a timeline reads is filled in. */
const PAYMENT = {
  request: { id: "pr_1", status: "completed", amount: 3000, createdAt: at(0), updatedAt: at(4) },
  transactions: [
    {
      id: "txn_1",
      status: "approved",
      amount: 3000,
      surcharge: 30,
      code: "A02000",
      createdAt: at(2),
      updatedAt: at(4),
    },
  ],
  refunds: [
    { id: "rfd_1", status: "declined", amount: 500, code: "D04405", createdAt: at(10), updatedAt: at(20) },
  ],
  tokens: [{ id: "ott_1", status: "processed", createdAt: at(1) }],
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

  test("a payment is under way while anything of it is pending", () => {
    const pending = [{ status: "pending" }];
    assert.equal(isUnderWay(PAYMENT), false);
    for (const part of ["transactions", "refunds", "deliveries", "operations"]) {
      assert.equal(isUnderWay({ ...PAYMENT, [part]: pending }), true, part);
    }
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
