import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  callApi,
  callFrame,
  createRequest,
  createToken,
  getRequest,
  initialise,
  ok,
  openFrameOn,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { withLiveAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";
import {
  createSandboxToken,
  openWalletFrame,
  REGISTERED_PAGE,
  registerLocalhost,
  sendToken,
} from "../../support/wallets.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway({ wrapContext: withLiveAcquirer });
  shop = shopOf(gateway);
  await registerLocalhost(shop);
});
after(() => gateway.stop());

const newShop = async (): Promise<Shop> => {
  const { key } = await gateway.newMerchant();
  return { ...shop, key };
};
const walletTypes = (shown: { wallets: { type: string }[] }) => shown.wallets.map(({ type }) => type);

describe("spec 1, contract 8: the wallets offered to the payer", () => {
  test("are those of the request, in its order, with the settings of each script", async () => {
    const agreementDetails = {
      description: "Gold membership",
      managementURL: "https://shop.example/manage",
      billingAgreement: "You pay monthly until you cancel.",
      amount: 1050,
      frequency: "monthly",
      frequencyCount: 3,
      startDate: "2030-01-31",
      endDate: "2031-01-31",
    };
    const { shown, requestId } = await openWalletFrame(shop, {
      paymentMethods: ["google_pay", "apple_pay"],
      agreementDetails,
    });
    const [google, apple] = shown.wallets;
    assert.deepEqual(walletTypes(shown), ["google_pay", "apple_pay"]);
    const merchantId = google.gatewayMerchantId;
    assert.match(merchantId, /^mer_/);
    const shared = {
      sandbox: true,
      merchantName: "Sandbox merchant",
      countryCode: "AU",
      currencyCode: "AUD",
    };
    const agreed = {
      terms: [
        "Gold membership",
        "Amount: $10.50",
        "Frequency: Every 3 months",
        "You pay monthly until you cancel.",
      ],
      termsLink: "https://shop.example/manage",
    };
    const { sandboxCards, ...googleSetup } = google;
    assert.deepEqual(googleSetup, {
      type: "google_pay",
      ...shared,
      ...agreed,
      environment: "TEST",
      gateway: "tidegate-sandbox",
      gatewayMerchantId: merchantId,
      allowedCardNetworks: ["AMEX", "DISCOVER", "JCB", "MASTERCARD", "VISA"],
      allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"],
    });
    assert.deepEqual(sandboxCards, [
      { id: "visa", cardType: "visa", last4: "3478", label: "Visa" },
      { id: "mastercard", cardType: "mastercard", last4: "8785", label: "Mastercard" },
      { id: "amex", cardType: "amex", last4: "6244", label: "American Express" },
      { id: "visa_number_only", cardType: "visa", last4: "5262", label: "Visa, number only" },
    ]);
    const { sandboxCards: appleCards, applicationData, ...appleSetup } = apple;
    assert.deepEqual(appleSetup, {
      type: "apple_pay",
      ...shared,
      ...agreed,
      merchantCapabilities: ["supports3DS"],
      supportedNetworks: ["amex", "discover", "jcb", "masterCard", "visa"],
      agreement: {
        paymentDescription: "Gold membership",
        managementURL: "https://shop.example/manage",
        billingAgreement: "You pay monthly until you cancel.",
        regularBilling: {
          label: "Gold membership",
          amount: "10.50",
          type: "final",
          paymentTiming: "recurring",
          recurringPaymentStartDate: "2030-01-31",
          recurringPaymentEndDate: "2031-01-31",
          recurringPaymentIntervalUnit: "month",
          recurringPaymentIntervalCount: 3,
        },
      },
    });
    assert.deepEqual(appleCards, sandboxCards.slice(0, 3));
    assert.equal(Buffer.from(applicationData, "base64").toString(), `${merchantId}|${requestId}`);
  });

  test("an agreement without an amount says that it varies, and one without a frequency has no interval", async () => {
    const managementURL = "https://shop.example/manage";
    const agreementDetails = { description: "Top-ups", managementURL, startDate: "2030-01-31" };
    const { shown } = await openWalletFrame(shop, { paymentMethods: ["apple_pay"], agreementDetails });
    const [{ terms, agreement }] = shown.wallets;
    assert.deepEqual(terms, ["Top-ups", "Amount: Varies"]);
    assert.deepEqual(agreement.regularBilling, {
      label: "Top-ups",
      amount: "0.00",
      type: "pending",
      paymentTiming: "recurring",
      recurringPaymentStartDate: "2030-01-31",
    });
  });

  test("the sandbox's sheet has the agreement in the payer's language, in the frame and on the hosted page", async () => {
    const agreementDetails = {
      description: "Gold membership",
      managementURL: "https://shop.example/manage",
      amount: 123_450,
      frequency: "annual",
    };
    const paymentMethods = ["apple_pay"];
    for (const [locale, frequencyCount, amount, often] of [
      ["vi", 1, "Số tiền: 1.234,50\u00a0$", "Tần suất: Hằng năm"],
      ["zh", 2, "金额：$1,234.50", "频率：每 2 年"],
      ["mi", 2, "Te moni: $1,234.50", "Auau: Ia 2 tau"],
      ["en-NZ", 2, "Amount: $1,234.50", "Frequency: Every 2 years"],
    ] as const) {
      const details = { ...agreementDetails, frequencyCount };
      const { shown } = await openWalletFrame(shop, { paymentMethods, agreementDetails: details, locale });
      assert.deepEqual(shown.wallets[0].terms, ["Gold membership", amount, often]);
      const more = { paymentMethods, agreementDetails: details };
      const { hostedPaymentPage } = await createHosted(shop, { more });
      const { text } = await visitPage(shop, hostedPaymentPage.url, undefined, { "accept-language": locale });
      assert.ok(text.includes(often), often);
    }
  });

  test("Apple Pay is offered on a registered domain only, and not on a similar name", async () => {
    const other = await newShop();
    const on = async (page: string, of = shop) => {
      const request = await createRequest(of, { paymentMethods: ["apple_pay", "google_pay"] });
      const frame = await openFrameOn(of, request.id, page);
      return { frame, types: walletTypes(frame.shown) };
    };
    for (const page of [REGISTERED_PAGE, "https://LOCALHOST", "http://localhost"]) {
      assert.deepEqual((await on(page)).types, ["apple_pay", "google_pay"], page);
    }
    for (const page of ["https://shop.example", "http://localhost.example", "http://notlocalhost", "null"]) {
      const { frame, types } = await on(page);
      assert.deepEqual(types, ["google_pay"], page);
      const simulated = await callFrame(
        shop,
        "/sandbox/wallets/apple_pay",
        { card: "visa", total: 3000 },
        frame.session,
      );
      assert.deepEqual([simulated.status, ...problemsOf(simulated)], [403, "V11628"]);
      const session = await callFrame(
        shop,
        "/checkout/applepay/session",
        { validationURL: "https://x" },
        frame.session,
      );
      assert.deepEqual(problemsOf(session), ["V11628"]);
      assert.deepEqual(problemsOf(await sendToken(frame, "apple_pay", {})), ["V11628 /method"]);
    }
    assert.deepEqual((await on(REGISTERED_PAGE, other)).types, ["google_pay"], "another merchant's domain");
  });

  test("the hosted page needs no registered domain", async () => {
    const other = await newShop();
    const more = { paymentMethods: ["apple_pay", "google_pay"] };
    const { hostedPaymentPage, id } = await createHosted(other, { more, page: { attempts: 2 } });
    const session = `page.${hostedPaymentPage.url.split("/").at(-1)}.0`;
    const simulated = await callFrame(
      other,
      "/sandbox/wallets/apple_pay",
      { card: "visa", total: 3000 },
      session,
    );
    const body = { method: "apple_pay", wallet: { token: ok(simulated).token }, total: 3000, consent: false };
    assert.equal(ok(await callFrame(other, "/checkout/pay", body, session)).state, "approved");
    assert.equal((await getRequest(other, id)).paymentRequestStatus, "completed");
  });

  test("contract 8: without cardNotPresent neither card nor wallet is accepted, in the frame and on the hosted page", async () => {
    const other = shopOf(gateway, (await gateway.newMerchant()).key);
    const paymentMethods = ["google_pay", "card"];
    const request = await createRequest(other, { paymentMethods });
    const page = await createHosted(other, { more: { paymentMethods } });
    const frame = await openFrameOn(other, request.id);
    const token = await createSandboxToken(frame, "google_pay");
    const pageShows = async () =>
      (await visitPage(other, page.hostedPaymentPage.url)).text.includes(
        "&quot;type&quot;:&quot;google_pay&quot;",
      );
    assert.equal(await pageShows(), true);
    ok(await callApi(other, "PUT", "/management/account", { capabilities: { cardNotPresent: false } }));
    for (const refused of [
      await sendToken(frame, "google_pay", token),
      await frame.pay(),
      await initialise(other, await createToken(other, request.id)),
    ]) {
      assert.deepEqual([refused.status, ...problemsOf(refused)], [403, "V11645"]);
    }
    assert.equal(await pageShows(), false);
    const { text } = await visitPage(other, page.hostedPaymentPage.url);
    assert.match(text, /data-state="error"[\s\S]*doesn&#39;t take cards/);
    assert.doesNotMatch(text, /autocomplete="cc-number"|<form/);
    const posted = await visitPage(other, page.hostedPaymentPage.url, CARD_FORM);
    assert.match(posted.text, /data-state="error"[\s\S]*doesn&#39;t take cards/);
    assert.deepEqual(ok(await callApi(other, "GET", "/transactions")).transactions, []);
    ok(await callApi(other, "PUT", "/management/account", { capabilities: { cardNotPresent: true } }));
    const again = await openFrameOn(other, request.id);
    assert.equal(ok(await sendToken(again, "google_pay", token)).state, "approved");
  });

  test("a wallet is neither offered nor accepted after its capability is removed", async () => {
    const other = await newShop();
    const request = await createRequest(other, { paymentMethods: ["google_pay", "card"] });
    const frame = await openFrameOn(other, request.id);
    const token = await createSandboxToken(frame, "google_pay");
    ok(await callApi(other, "PUT", "/management/account", { capabilities: { googlePay: false } }));
    assert.deepEqual(problemsOf(await sendToken(frame, "google_pay", token)), ["V11616 /method"]);
    assert.deepEqual((await openFrameOn(other, request.id)).shown.wallets, []);
    ok(await callApi(other, "PUT", "/management/account", { capabilities: { googlePay: true } }));
    assert.equal(ok(await sendToken(frame, "google_pay", token)).state, "approved");
  });

  test("the sandbox simulates Apple's session for the page that the payer sees", async () => {
    const frame = await openWalletFrame(shop);
    const body = { validationURL: "https://apple-pay-gateway.apple.com/paymentservices/paymentSession" };
    const { merchantSession } = ok(await callFrame(shop, "/checkout/applepay/session", body, frame.session));
    assert.equal(merchantSession.domainName, "localhost");
    assert.equal(merchantSession.displayName, "Sandbox merchant");
    const withoutSession = await callFrame(shop, "/checkout/applepay/session", body);
    assert.deepEqual([withoutSession.status, ...problemsOf(withoutSession)], [401, "V11615"]);
  });

  test("a live merchant of a gateway without wallet keys is offered none, and paying is 403", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows(
      `update merchants set capabilities = '{"cardNotPresent":true,"googlePay":true}' where id = $1`,
      [id],
    );
    const live = { ...shop, key };
    const request = await createRequest(live, { paymentMethods: ["google_pay", "card"] });
    const frame = await fetch(`${gateway.hostedUrl}/checkout/1.0.0/${id.slice("mer_".length)}/frame/wallets`);
    assert.match(String(frame.headers.get("content-security-policy")), /script-src 'self';/);
    const shown = ok(await initialise(live, await createToken(live, request.id)));
    assert.deepEqual(shown.wallets, []);
    const simulated = await callFrame(
      live,
      "/sandbox/wallets/google_pay",
      { card: "visa", total: 3000 },
      shown.session,
    );
    assert.deepEqual([simulated.status, ...problemsOf(simulated)], [404, "V11010"]);
    const body = { method: "google_pay", wallet: { token: "{}" }, total: 3000, consent: false };
    const paid = await callFrame(live, "/checkout/pay", body, shown.session);
    assert.deepEqual([paid.status, ...problemsOf(paid)], [403, "V11627 /method"]);
  });
});
