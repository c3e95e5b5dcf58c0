import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Connectors } from "../../connectors/ports/connectors.ts";
import type { Id } from "../../kernel/ids.ts";
import { DAY, HOUR, instant, later } from "../../kernel/time.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { newRequest } from "./new-request.ts";
import { payIdEmail, payIdValue } from "./payid.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { fieldOf, flowOf, hasPage, payIdValueOf, RAIL_RULES, railOf } from "./rails.ts";
import type { PaymentRequestInput } from "./wire.ts";

/** In Auckland it is the 17th already. */
const NOW = instant(Date.UTC(2026, 10, 16, 12));
const merchant = { id: "mer_1", name: "Corner Shop", country: "NZ", currency: "NZD" } as Merchant;
const input = (more: object = {}) => ({ payment: { amount: 500 }, ...more }) as PaymentRequestInput;
const payId = { type: "single", value: "Order.7" } as const;
const byPayId = (more: object = {}) => input({ payment: { amount: 500, instrument: { payId } }, ...more });
const made = (one: PaymentRequestInput) =>
  newRequest(merchant, one, { id: "pr_1" as Id<"paymentRequest">, pageKey: "key", now: NOW });

describe("a new payment request", () => {
  test("has the merchant's currency, its own id as reference, and a day to be paid", () => {
    const { status, reference, currency, amount, expiresAt, flow, pageKey } = made(input());
    assert.deepEqual(
      { status, reference, currency, amount, expiresAt, flow, pageKey },
      {
        status: "created",
        reference: "pr_1",
        currency: "NZD",
        amount: 500,
        expiresAt: later(NOW, DAY),
        flow: "checkout",
        pageKey: "key",
      },
    );
  });

  test("has what the merchant sends instead", () => {
    const end = later(NOW, HOUR);
    const sent = input({
      reference: "order 7",
      expiryDateTime: new Date(end).toISOString(),
      payment: { amount: 1, currencyCode: "AUD" },
    });
    const { reference, currency, expiresAt } = made(sent);
    assert.deepEqual(
      { reference, currency, expiresAt },
      { reference: "order 7", currency: "AUD", expiresAt: end },
    );
  });

  test("takes cards in one payment that is captured at once, unless the merchant says otherwise", () => {
    assert.deepEqual(made(input()).details, {
      paymentMethods: ["card"],
      category: { frequency: "single", captureType: "auto" },
    });
    const transactionRequest = { attempts: 2, category: { captureType: "manual" } };
    assert.deepEqual(made(input({ paymentMethods: ["google_pay"], transactionRequest })).details, {
      paymentMethods: ["google_pay"],
      category: { frequency: "single", captureType: "manual" },
      attempts: 2,
    });
  });

  test("with an agreement starts it today, on the merchant's calendar, for an amount that varies", () => {
    const agreementDetails = { description: "Milk", managementURL: "https://shop.example" };
    const standard = { ...agreementDetails, startDate: "2026-11-17", amount: 0 };
    assert.deepEqual(made(input({ agreementDetails })).details.agreement, standard);
    const named = { ...agreementDetails, startDate: "2027-01-01", amount: 900 };
    assert.deepEqual(made(input({ agreementDetails: named })).details.agreement, named);
  });

  test("with a page gives it the account's name where it has none", () => {
    const { flow, details } = made(input({ hostedPaymentPage: {} }));
    assert.equal(flow, "hosted_page");
    assert.equal(details.hostedPage?.merchantName, "Corner Shop");
  });

  test("by PayID is in Australian dollars, whatever the merchant's country, and has no parts of a card payment", () => {
    const { flow, currency, details, payIdValue: value } = made(byPayId({ locale: "vi" }));
    assert.deepEqual({ flow, currency, value }, { flow: "payid", currency: "AUD", value: "order.7" });
    assert.deepEqual(details, { locale: "vi" });
  });
});

describe("the flow of a payment request", () => {
  test("is that of the rail that its instrument chooses, else the page's, else the checkout's", () => {
    assert.equal(flowOf(byPayId({ hostedPaymentPage: {} })), "payid");
    assert.equal(flowOf(input({ hostedPaymentPage: {} })), "hosted_page");
    assert.equal(flowOf(input()), "checkout");
    assert.deepEqual([railOf({ payId }), railOf({}), railOf(undefined)], ["payid", undefined, undefined]);
    assert.equal(fieldOf("payid"), "/payment/instrument/payId");
    assert.equal(payIdValueOf(input()), null);
  });

  test("has a page of the gateway, unless it is the checkout", () => {
    assert.deepEqual(
      ["hosted_page", "payid", "checkout"].map((flow) => hasPage(flow as never)),
      [true, true, false],
    );
  });

  test("by PayID needs a rail that serves the merchant", () => {
    const served = (rail: object | undefined) =>
      RAIL_RULES.payid.isServed({ findPayIdRail: () => rail } as unknown as Connectors, { mode: "live" });
    assert.equal(served({}), true);
    assert.equal(served(undefined), false);
  });
});

describe("the PayID of a payment request", () => {
  const settings = { payIdDomain: "pay.example", hostedUrl: "https://pages.example" } as Settings;
  const shown = (pageKey: string | null, value: string | null) =>
    RAIL_RULES.payid.present({ flow: "payid", pageKey, payIdValue: value } as PaymentRequest, settings);

  test("is an address of the gateway, with the page that shows it", () => {
    const key = "k".repeat(29 + 32);
    assert.deepEqual(shown(key, "order.7"), {
      payId: {
        type: "single",
        email: "order.7@pay.example",
        url: `https://pages.example/payid/${key}`,
        token: `tok_${"k".repeat(29)}p_${"k".repeat(32)}`,
      },
    });
  });

  test("of an old request has no page, and another flow has no PayID", () => {
    assert.deepEqual(shown(null, "order.7"), { payId: { type: "single", email: "order.7@pay.example" } });
    assert.equal(shown("key", null), undefined);
  });

  test("is found as a payer types it, and only at the gateway's domain", () => {
    const email = payIdEmail("order.7", "pay.example");
    assert.equal(payIdValue(email, "pay.example"), "order.7");
    assert.equal(payIdValue(" ORDER.7@Pay.Example ", "Pay.example"), "order.7");
    for (const other of [
      "order.7@other.example",
      "order.7",
      "@pay.example",
      "a b@pay.example",
      `${"x".repeat(65)}@pay.example`,
    ])
      assert.equal(payIdValue(other, "pay.example"), undefined, other);
  });
});
