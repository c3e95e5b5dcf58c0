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

  test("a request that ended without a payment differs from one that was paid", () => {
    const title = (now: object, before?: object) => entryOfEvent("payment_requests", now, before).title;
    const created = { paymentRequestStatus: "created", payment: { amount: 3000 } };
    assert.deepEqual(title(created), { kind: "request", status: "created" });
    assert.deepEqual(title({ ...created, payIdReturns: [] }, created), { kind: "requestChanged" });
    const completed = { paymentRequestStatus: "completed" };
    assert.deepEqual(title(completed, created), { kind: "request", status: "completed", paid: false });
    assert.deepEqual(title({ ...completed, transactionResult: {} }, created), {
      kind: "request",
      status: "completed",
      paid: true,
    });
  });

  test("an event without a payload still makes an entry", () => {
    assert.deepEqual(entryOfEvent("transactions", undefined, undefined).title, {
      kind: "outcome",
      status: "",
    });
  });
});
