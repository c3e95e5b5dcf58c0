import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Refusal } from "../../kernel/refusal.ts";
import { instant, later } from "../../kernel/time.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { refuseEnded, refuseIn, refuseUnpaid } from "./refuse-ended.ts";

const NOW = instant(Date.UTC(2026, 10, 16));

function refusalOf(refuse: () => never): Refusal {
  try {
    return refuse();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error;
  }
}

describe("checkout: what a payer's page learns of a request that can't be paid", () => {
  const request = (
    status: PaymentRequest["status"],
    approvedTransactionId: string | null,
    expiresAt = later(NOW, 1),
  ) => ({ status, approvedTransactionId, expiresAt }) as PaymentRequest;

  test("how it ended, and whether it is paid", () => {
    const ended = (one: PaymentRequest, more = {}) => refusalOf(() => refuseEnded(one, NOW, more));
    const paid = ended(request("completed", "txn_1"), { language: "en" });
    assert.deepEqual(paid.ended, { paymentRequestStatus: "completed", paid: true, language: "en" });
    assert.equal(paid.problems[0]?.code, "payment_request_state_conflict");
    assert.deepEqual(ended(request("cancelled", null)).ended, {
      paymentRequestStatus: "cancelled",
      paid: false,
    });
  });

  test("it has expired as soon as its time is over", () => {
    const { ended } = refusalOf(() => refuseEnded(request("created", null, NOW), NOW));
    assert.deepEqual(ended, { paymentRequestStatus: "expired", paid: false });
  });

  test("a request that is open but can't be paid now is not paid", () => {
    const refusal = refusalOf(() =>
      refuseUnpaid(request("created", null), "checkout_cards_refused", { language: "en" }),
    );
    assert.deepEqual(refusal.ended, { paymentRequestStatus: "created", paid: false, language: "en" });
    assert.equal(refusal.problems[0]?.code, "checkout_cards_refused");
  });

  test("a refusal that is not about the request has the texts alone", () => {
    const refusal = refusalOf(() => refuseIn({ language: "en" }, { code: "checkout_cards_refused" }));
    assert.deepEqual(refusal.ended, { language: "en" });
  });
});
