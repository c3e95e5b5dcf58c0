import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CARD,
  callApi,
  callFrame,
  getRequest,
  getTransaction,
  ok,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted, type HostedOverrides } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { MASTERCARD, newCustomer, savedVisa } from "../../support/saved-cards.ts";
import { storedCard } from "../../support/stored-cards.ts";
import { CARD_FORM, hiddenField, visitPage } from "../../support/visit-page.ts";

const GONE = /can&#39;t be used any more/;

describe("contract 3: saved cards on the hosted page without scripts", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  async function hostedFor(customer: string, { more, ...rest }: HostedOverrides = {}, on = shop) {
    const customerRequest = { id: customer, ...(more?.["customerRequest"] as object) };
    const { id, hostedPaymentPage } = await createHosted(on, { ...rest, more: { customerRequest } });
    return { id: id as string, page: new URL(hostedPaymentPage.url).pathname };
  }
  const chosen = (savedCard: string, more: Readonly<Record<string, string>> = {}) => ({
    attempt: "0",
    savedCard,
    securityCode: CARD.securityCode,
    ...more,
  });

  test("the page offers each card and another one; the first is chosen, and no field of another card is compulsory", async () => {
    const customer = await newCustomer(shop);
    const visa = await storedCard(shop, { customerRequest: { id: customer } });
    const newest = await storedCard(
      shop,
      { customerRequest: { id: customer } },
      { card: { number: MASTERCARD } },
    );
    const { page } = await hostedFor(customer);
    const { text } = await visitPage(shop, page);
    const year = String(CARD.expiryYear).slice(2);
    assert.match(text, new RegExp(`Mastercard ending in 4444<small> Expires 12/${year}`));
    assert.match(text, new RegExp(`Visa ending in 1111<small> Expires 12/${year}`));
    assert.match(text, /Use another card/);
    const radios = [...text.matchAll(/type="radio" value="([^"]*)"[^>]*?( checked)?>/g)];
    assert.deepEqual(
      radios.map(([, value, checked]) => [value, checked !== undefined]),
      [
        [newest.paymentInstrumentId, true],
        [visa.paymentInstrumentId, false],
        ["", false],
      ],
    );
    assert.doesNotMatch(text, /<input id="(number|expiry)"[^>]* required/);
    assert.match(text, /<input id="securityCode"[^>]* required/);
    assert.doesNotMatch(text, />Remove</);
  });

  test("a saved card pays by form post, and customerResult stays absent", async () => {
    const { id: customer, paymentInstrumentId } = await savedVisa(shop);
    const { id, page } = await hostedFor(customer);
    const { status } = await visitPage(shop, page, chosen(paymentInstrumentId));
    assert.equal(status, 303);
    const { transactionResult, customerResult } = await getRequest(shop, id);
    assert.equal(customerResult, undefined);
    const { payment } = await getTransaction(shop, transactionResult.id);
    assert.equal(payment.instrument.customer.paymentInstrumentId, paymentInstrumentId);
    assert.match((await visitPage(shop, page)).text, /Visa ending in 1111/);
  });

  test("another card pays as without saved ones", async () => {
    const { id: customer } = await savedVisa(shop);
    const { id, page } = await hostedFor(customer);
    assert.equal((await visitPage(shop, page, { ...CARD_FORM, savedCard: "" })).status, 303);
    assert.equal((await getRequest(shop, id)).paymentRequestStatus, "completed");
  });

  test("another customer's card and a removed one are refused with words, and nothing is charged", async () => {
    const mine = await savedVisa(shop);
    const theirs = await savedVisa(shop);
    const { id, page } = await hostedFor(mine.id);
    const foreign = await visitPage(shop, page, chosen(theirs.paymentInstrumentId));
    assert.equal(foreign.status, 400);
    assert.match(foreign.text, GONE);
    const path = `/customers/${mine.id}/paymentinstruments/${mine.paymentInstrumentId}`;
    ok(await callApi(shop, "DELETE", path));
    assert.match((await visitPage(shop, page, chosen(mine.paymentInstrumentId))).text, GONE);
    const { paymentRequestStatus, transactionAttempts } = await getRequest(shop, id);
    assert.deepEqual([paymentRequestStatus, transactionAttempts], ["created", undefined]);
  });

  test("a wrong security code is marked, and the chosen card stays chosen", async () => {
    const customer = await newCustomer(shop);
    const older = await storedCard(shop, { customerRequest: { id: customer } });
    await storedCard(shop, { customerRequest: { id: customer } });
    const { page } = await hostedFor(customer);
    for (const securityCode of ["", "12", "1234"]) {
      const shown = await visitPage(shop, page, chosen(older.paymentInstrumentId, { securityCode }));
      assert.equal(shown.status, 400);
      assert.match(shown.text, /field-securityCode field-wrong/);
      assert.match(shown.text, new RegExp(`value="${older.paymentInstrumentId}" autocomplete="off" checked`));
    }
  });

  test("the security code may have Arabic or full-width digits, as that of a typed card", async () => {
    const { id: customer, paymentInstrumentId } = await savedVisa(shop);
    for (const securityCode of ["١٢٣", "１２３ "]) {
      const { page } = await hostedFor(customer);
      assert.equal((await visitPage(shop, page, chosen(paymentInstrumentId, { securityCode }))).status, 303);
      assert.equal((await visitPage(shop, page)).state, "approved");
    }
  });

  test("a surcharge is confirmed first, without the security code in the page", async () => {
    const own = shopOf(gateway, (await gateway.newMerchant()).key);
    const { id: customer, paymentInstrumentId } = await savedVisa(own);
    const rates = { visa: { percent: 1, fixed: 0 } };
    ok(await callApi(own, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    const { id, page } = await hostedFor(customer, {}, own);
    const asked = await visitPage(own, page, chosen(paymentInstrumentId, { securityCode: "739" }));
    assert.match(asked.text, /A surcharge applies to your Visa ending in 1111/);
    assert.doesNotMatch(asked.text, /\b739\b/);
    const [total = "", sealed = ""] = [hiddenField(asked, "total"), hiddenField(asked, "sealed")];
    assert.equal((await visitPage(own, page, { attempt: "0", total, sealed })).status, 303);
    const { transactionResult } = await getRequest(own, id);
    assert.equal((await getTransaction(own, transactionResult.id)).payment.surcharge, 30);
  });

  test("a card is removed after a question, where the merchant allows it", async () => {
    const { id: customer, paymentInstrumentId: id } = await savedVisa(shop);
    const path = `/customers/${customer}/paymentinstruments/${id}`;
    const closed = await hostedFor(customer);
    const refused = await visitPage(shop, `${closed.page}/remove`, { id, confirmed: "yes" });
    assert.deepEqual([refused.status, refused.location], [303, closed.page]);
    ok(await callApi(shop, "GET", path));

    const { page } = await hostedFor(customer, { more: { customerRequest: { allowRemoval: true } } });
    assert.match((await visitPage(shop, page)).text, new RegExp(`form="removal" name="id" value="${id}"`));
    const question = await visitPage(shop, `${page}/remove`, { id });
    assert.match(question.text, /Remove this card\?[\s\S]*Visa ending in 1111[\s\S]*Keep it/);
    ok(await callApi(shop, "GET", path));
    const removed = await visitPage(shop, `${page}/remove`, { id, confirmed: "yes" });
    assert.deepEqual([removed.status, removed.location], [303, page]);
    assert.equal((await callApi(shop, "GET", path)).status, 404);
    assert.doesNotMatch((await visitPage(shop, page)).text, /type="radio"/);
  });

  test("the page's session removes only where the merchant allows it, and a finished page shows no card", async () => {
    const { id: customer, paymentInstrumentId: id } = await savedVisa(shop);
    const { page } = await hostedFor(customer);
    const session = `page.${page.slice("/pay/".length)}.0`;
    assert.equal((await callFrame(shop, "/checkout/remove-card", { id }, session)).status, 403);
    assert.equal((await visitPage(shop, page, chosen(id))).status, 303);
    assert.doesNotMatch((await visitPage(shop, page)).text, new RegExp(id));
  });
});
