import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isLanguageTag } from "../../../browser/protocol/language-tag.ts";
import { LANGUAGE_TAG, LONGEST_TAG } from "../../../src/kernel/languages/language-tag.ts";
import { ENGLISH, LANGUAGES } from "../../../src/kernel/languages/languages.ts";
import { challenged } from "../../support/challenges.ts";
import {
  advanceClock,
  callApi,
  callFrame,
  createRequest,
  createToken,
  MERCHANT_PAGE,
  ok,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { CARD_FORM, hiddenField, visitPage } from "../../support/visit-page.ts";

const WELL_FORMED = [
  "en",
  "zh-Hans",
  "ZH-cn",
  "de-CH-1996",
  "zh-cmn-Hans-CN",
  "sl-rozaj-biske",
  "de-a-value-u-co-phonebk",
  "es-419",
  "x-own",
  "mi-x-a",
  "abcdefgh",
  `en-x${"-a1b2c3d".repeat(3)}-abcdef`,
];
const MALFORMED = [
  "",
  "e",
  "en_AU",
  "en-",
  "-en",
  "en--AU",
  "abcdefghi",
  "en-AU-",
  "english please",
  "zh-Hans\u0000",
  "日本語",
  "en-a",
  "x",
  "en-x",
  `en-x${"-a1b2c3d".repeat(3)}-abcdefg`,
];

describe("contract 3: the payer's language", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());

  const bodyWith = (locale: unknown) => ({
    locale,
    payment: { amount: 3000 },
    paymentMethods: ["card"],
    transactionRequest: {},
  });

  test("accepts every well-formed tag of up to 35 characters and echoes it as sent", async () => {
    assert.equal(WELL_FORMED.at(-1)?.length, LONGEST_TAG);
    for (const locale of WELL_FORMED) {
      const made = ok(await callApi(shop, "POST", "/paymentrequests", bodyWith(locale)));
      assert.equal(made.locale, locale);
      assert.equal(ok(await callApi(shop, "GET", `/paymentrequests/${made.id}`)).locale, locale);
    }
    const listed = ok(await callApi(shop, "GET", "/paymentrequests?limit=1"));
    assert.equal(listed.paymentRequests[0].locale, WELL_FORMED.at(-1));
    const payId = await callApi(shop, "POST", "/paymentrequests", {
      locale: "vi",
      payment: { amount: 3000, instrument: { payId: { type: "single", value: "language.check" } } },
    });
    assert.equal(ok(payId).locale, "vi");
  });

  test("left out, it is absent", async () => {
    assert.equal("locale" in (await createRequest(shop)), false);
  });

  test("refuses a malformed tag with V11139, and a card number in one", async () => {
    for (const locale of [...MALFORMED, 7, null, ["en"]]) {
      const answer = await callApi(shop, "POST", "/paymentrequests", bodyWith(locale));
      assert.equal(answer.status, 400, JSON.stringify(locale));
      assert.deepEqual(problemsOf(answer), ["V11139 /locale"], JSON.stringify(locale));
    }
    const smuggled = await callApi(shop, "POST", "/paymentrequests", bodyWith("x-41111111-11111111"));
    assert.equal(smuggled.status, 400);
    assert.match(problemsOf(smuggled).join(), /^V\d+ \/locale$/);
  });

  test("the loader judges tags as the API does", () => {
    const ofApi = (tag: string) => tag.length <= LONGEST_TAG && new RegExp(LANGUAGE_TAG).test(tag);
    for (const tag of [...WELL_FORMED, ...MALFORMED]) assert.equal(isLanguageTag(tag), ofApi(tag), tag);
  });

  /** The heading's language, as the page declares it, and a text that shows it. */
  const page = async (url: string, acceptLanguage?: string, form?: Readonly<Record<string, string>>) => {
    const visited = await visitPage(shop, url, form, {
      ...(acceptLanguage && { "accept-language": acceptLanguage }),
    });
    const [, tag, direction] = /<html lang="([^"]+)"(?: dir="(\w+)")?>/.exec(visited.text) ?? [];
    return { ...visited, tag, direction };
  };

  test("the hosted page is in the request's language, whatever the browser prefers", async () => {
    const { hostedPaymentPage } = await createHosted(shop, { more: { locale: "ar-EG" } });
    const { tag, direction, text } = await page(hostedPaymentPage.url, "vi");
    assert.deepEqual([tag, direction], ["ar", "rtl"]);
    assert.match(text, /<label for="number">رقم البطاقة<\/label>/);
    assert.match(text, /<input id="number"[^>]* dir="ltr"/);
    assert.match(text, /data-language="\{&quot;tag&quot;:&quot;ar&quot;/);
  });

  test("without a locale it is in the language that the browser prefers, without scripts too", async () => {
    const { hostedPaymentPage } = await createHosted(shop);
    assert.equal((await page(hostedPaymentPage.url, "de, zh-CN;q=0.8, en;q=0.5")).tag, "zh-Hans");
    assert.equal((await page(hostedPaymentPage.url, "vi-VN")).tag, "vi");
    assert.equal((await page(hostedPaymentPage.url, "mi")).tag, "mi");
    const english = await page(hostedPaymentPage.url, "de");
    assert.deepEqual([english.tag, english.direction], ["en", undefined]);
    assert.doesNotMatch(english.text, /data-language/);
    assert.equal((await page(hostedPaymentPage.url)).tag, "en");
  });

  test("a language that the gateway lacks is English, also for a browser in another", async () => {
    const { hostedPaymentPage } = await createHosted(shop, { more: { locale: "de" } });
    assert.equal((await page(hostedPaymentPage.url, "zh")).tag, "en");
  });

  test("without scripts problems, confirmation, outcome and receipt are in the payer's language", async () => {
    const surcharging = { enabled: true, rates: { visa: { percent: 1.2, fixed: 10 } } };
    ok(await callApi(shop, "PUT", "/management/account", { surcharging }));
    const { hostedPaymentPage } = await createHosted(shop, {
      description: "Two <tickets>",
      page: { merchantName: "Harbour Coffee" },
      more: { locale: "vi" },
    });
    const { url } = hostedPaymentPage;
    const wrong = await page(url, "en", { ...CARD_FORM, number: "4111111111111112" });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /Số thẻ này không được chấp nhận/);
    assert.match(wrong.text, /Hãy kiểm tra các ô được đánh dấu/);
    const sent = await page(url, "en", CARD_FORM);
    assert.match(sent.text, /Visa số cuối 1111 của bạn có phụ phí/);
    assert.match(sent.text, /Phụ phí<span class="price-reason">Visa 1,2% \+ 0,10\u00a0\$/);
    const names = ["attempt", "total", "sealed"];
    const hidden = Object.fromEntries(names.map((name) => [name, hiddenField(sent, name) ?? ""]));
    assert.equal((await page(url, "en", hidden)).status, 303);
    ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: false } }));
    const paid = await page(url, "en");
    assert.equal(paid.state, "approved");
    assert.match(paid.text, /Thanh toán thành công/);
    assert.match(paid.text, /<dd>[^<]*tháng[^<]*<\/dd>/);
    assert.match(paid.text, /Visa số cuối 1111/);
    assert.match(paid.text, /<bdi>Two &lt;tickets&gt;<\/bdi>/);
    assert.match(paid.text, /\d,\d\d\u00a0\$/);
  });

  test("an unknown address is answered in the browser's language", async () => {
    const { tag, status, text } = await page(`${shop.hostedUrl}/pay/none`, "zh");
    assert.deepEqual([status, tag], [404, "zh-Hans"]);
    assert.match(text, /此付款页面不存在/);
  });

  /** Calls initialise as the frame does. */
  const open = async (
    request: Readonly<Record<string, unknown>>,
    input: Readonly<Record<string, string>> = {},
  ) => {
    const { id } = await createRequest(shop, request);
    const token = await createToken(shop, id);
    return callFrame(shop, "/checkout/initialise", {
      token,
      parentOrigin: MERCHANT_PAGE,
      version: "1.0.0",
      ...input,
    });
  };

  test("the frame gets the texts of a language that it does not have yet, and no others", async () => {
    assert.equal("language" in ok(await open({})), false);
    assert.equal("language" in ok(await open({ locale: "de" })), false);
    const { language } = ok(await open({ locale: "zh-SG" }));
    assert.deepEqual([language.tag, language.words.cardNumber], ["zh-Hans", "卡号"]);
    assert.equal("walletWords" in language, false);
    assert.equal("language" in ok(await open({ locale: "zh" }, { language: "zh-Hans" })), false);
    assert.equal(ok(await open({}, { language: "ar" })).language.tag, "en");
    const wallets = ok(await open({ locale: "vi", paymentMethods: ["card", "google_pay"] }));
    assert.equal(wallets.language.walletWords.cancel, "Hủy");
  });

  test("what the merchant's page chose takes precedence over the request; a malformed tag is refused", async () => {
    assert.equal(ok(await open({ locale: "zh" }, { locale: "ar" })).language.tag, "ar");
    assert.equal("language" in ok(await open({ locale: "zh" }, { locale: "de" })), false);
    const refused = await open({}, { locale: "en_AU" });
    assert.deepEqual([refused.status, problemsOf(refused)], [400, ["V11139 /locale"]]);
  });

  test("a request that has ended is refused with the texts that say so", async () => {
    const { id } = await createRequest(shop, { locale: "ar" });
    const token = await createToken(shop, id);
    ok(await callApi(shop, "POST", `/paymentrequests/${id}/cancel`, {}));
    const input = { token, parentOrigin: MERCHANT_PAGE, version: "1.0.0" };
    const refused = await callFrame(shop, "/checkout/initialise", input);
    assert.equal(refused.body.language?.tag, "ar", JSON.stringify(refused.body));
  });

  test("a token that expired, a payment in progress and a page that may not embed it are refused with the texts", async () => {
    const ours = shopOf(gateway, (await gateway.newMerchant()).key);
    const refuses = async (token: string, problem: string) => {
      const input = { token, parentOrigin: MERCHANT_PAGE, version: "1.0.0" };
      const refused = await callFrame(ours, "/checkout/initialise", input);
      assert.deepEqual([problemsOf(refused), refused.body.language?.tag], [[problem], "ar"]);
      assert.equal(refused.body.paymentRequestStatus, undefined);
    };
    const { frame } = await challenged(ours, { locale: "ar" });
    await refuses(await createToken(ours, frame.requestId), "V11612");
    const { id } = await createRequest(ours, { locale: "ar" });
    const token = await createToken(ours, id);
    await advanceClock(ours, 60 * 60);
    await refuses(token, "V11610 /token");
    ok(await callApi(ours, "PUT", "/management/account", { allowedOrigins: ["https://other.example"] }));
    await refuses(await createToken(ours, id), "V11611 /parentOrigin");
  });

  test("the frame's page is in the language of the merchant's page, else of the browser", async () => {
    const { id } = await createRequest(shop);
    const [, hint] = /^tok_([0-9a-z]{29})/.exec(await createToken(shop, id)) ?? [];
    const frame = `${shop.hostedUrl}/checkout/1.0.0/${hint}/frame`;
    for (const language of LANGUAGES) {
      const { tag, direction, text, headers } = await page(`${frame}?locale=${language.tag}`, "en");
      assert.deepEqual([tag, direction ?? "ltr"], [language.tag, language.direction]);
      assert.ok(text.includes(language.page.loading));
      if (language !== ENGLISH) {
        assert.ok(!text.includes(ENGLISH.page.loading) && !text.includes(ENGLISH.page.frameNeedsScript));
        assert.ok(!text.includes(ENGLISH.checkout.frameTitle));
      }
      assert.doesNotMatch(headers.get("content-security-policy") ?? "", /unsafe/);
    }
    assert.equal((await page(frame, "vi")).tag, "vi");
    assert.equal((await page(frame)).tag, "en");
    assert.equal((await page(`${frame}?locale=de`, "vi")).tag, "en");
    assert.equal((await page(`${frame}?locale=vi&locale=ar`, "vi")).tag, "en");
  });
});
