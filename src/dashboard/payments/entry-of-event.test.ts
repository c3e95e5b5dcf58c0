import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { entryOfEvent } from "./entry-of-event.ts";

const transaction = (status: string, more: object = {}) => ({
  category: { method: "purchase" },
  payment: { amount: 3000, totalAmount: 3030, capturedAmount: 2000 },
  result: {
    status,
    ...(status === "pending" ? {} : { codes: [{ id: status === "approved" ? "A02000" : "D04451" }] }),
  },
  ...more,
});
const entryOf = (now: object, before?: object) => {
  const { title, tone, amount } = entryOfEvent("transactions", now, before);
  return { title, tone, amount };
};

describe("dashboard: what an event adds to the previous one", () => {
  test("an attempt, its approval, its decline", () => {
    assert.deepEqual(entryOf(transaction("pending")), {
      title: { kind: "attempt" },
      tone: "none",
      amount: 3030,
    });
    const approved = transaction("approved", { captureStatus: "captured" });
    assert.deepEqual(entryOf(approved, transaction("pending")), {
      title: { kind: "outcome", status: "approved" },
      tone: "good",
      amount: 3030,
    });
    assert.equal(entryOf(transaction("declined"), transaction("pending")).tone, "bad");
  });

  test("an authorisation, its capture and its void", () => {
    const held = transaction("approved", { captureStatus: "uncaptured" });
    assert.deepEqual(entryOf(held, transaction("pending")).title, { kind: "capture", status: "uncaptured" });
    const taken = entryOf(transaction("approved", { captureStatus: "captured" }), held);
    assert.deepEqual(taken, { title: { kind: "capture", status: "captured" }, tone: "good", amount: 2000 });
    assert.deepEqual(entryOf(transaction("approved", { captureStatus: "voided" }), held).title, {
      kind: "capture",
      status: "voided",
    });
  });

  test("an approval after the decline, and its reversal, of a payment and of a refund", () => {
    const declined = transaction("declined");
    const reversing = { ...declined, lateApproval: { amount: 2500, status: "reversing" } };
    const reversed = { ...declined, lateApproval: { amount: 2500, status: "reversed" } };
    const entry = (what: string, status: string, tone: string) => ({
      title: { kind: "operation", what, status },
      tone,
      amount: 2500,
    });
    assert.deepEqual(entryOf(reversing, declined), entry("reverse", "pending", "waiting"));
    assert.deepEqual(entryOf(reversed, reversing), entry("reverse", "done", "none"));
    const refund = { category: { method: "refund" } };
    assert.deepEqual(
      entryOf({ ...reversed, ...refund }, { ...reversing, ...refund }),
      entry("reverse_refund", "done", "none"),
    );
  });

  test("a request that ended without a payment differs from one that was paid", () => {
    const title = (now: object, before?: object) => entryOfEvent("payment_requests", now, before).title;
    const created = { paymentRequestStatus: "created", payment: { amount: 3000 } };
    assert.deepEqual(title(created), { kind: "request", status: "created" });
    assert.deepEqual(title({ ...created, updatedDateTime: "later", payIdReturns: [1] }, created), {
      kind: "requestChanged",
      changes: [{ field: "payIdReturns", from: undefined, to: [1] }],
    });
    assert.deepEqual(title({ ...created, payment: { amount: 2500 } }, created), {
      kind: "requestChanged",
      changes: [{ field: "payment.amount", from: 3000, to: 2500 }],
    });
    const completed = { paymentRequestStatus: "completed" };
    assert.deepEqual(title(completed, created), { kind: "request", status: "completed", paid: false });
    assert.deepEqual(title({ ...completed, transactionResult: {} }, created), {
      kind: "request",
      status: "completed",
      paid: true,
    });
  });

  test("a transaction that keeps its status says which of its fields changed", () => {
    const before = transaction("approved", { captureStatus: "captured", updatedDateTime: "1" });
    const payment = { amount: 3000, totalAmount: 3030, capturedAmount: 2500 };
    assert.deepEqual(entryOf({ ...before, payment, updatedDateTime: "2" }, before).title, {
      kind: "transactionChanged",
      changes: [{ field: "payment.capturedAmount", from: 2000, to: 2500 }],
    });
  });

  test("a request of nothing and its attempt verify a card", () => {
    const request = { paymentRequestStatus: "created", payment: { amount: 0 } };
    assert.deepEqual(entryOfEvent("payment_requests", request, undefined).title, {
      kind: "request",
      status: "created",
      verifies: true,
    });
    const pending = transaction("pending", { category: { method: "verification" }, payment: { amount: 0 } });
    assert.deepEqual(entryOf(pending).title, { kind: "attempt", verifies: true });
  });

  test("an event without a payload still makes an entry", () => {
    assert.deepEqual(entryOfEvent("transactions", undefined, undefined).title, {
      kind: "outcome",
      status: "",
    });
  });
});
