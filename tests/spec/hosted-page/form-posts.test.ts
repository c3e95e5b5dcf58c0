import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { advanceClock, CARD, callApi, getRequest, ok, type Shop, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted, type HostedOverrides } from "../../support/hosted-page.ts";
import { CARD_FORM, hiddenField, visitPage } from "../../support/visit-page.ts";

describe("contract 11: the hosted page works with plain form posts", () => {
  let gateway: TestGateway;
  let shop: Shop;
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());

  async function open(overrides: HostedOverrides = {}): Promise<{ id: string; url: string }> {
    const { id, hostedPaymentPage } = await createHosted(shop, overrides);
    return { id, url: hostedPaymentPage.url };
  }

  async function transactionsOf(id: string): Promise<number> {
    return ok(await callApi(shop, "GET", `/transactions?paymentrequestid=${id}`)).count;
  }

  test("a payment redirects to a page that is safe to reload", async () => {
    const { id, url } = await open();
    const sent = await visitPage(shop, url, CARD_FORM);
    assert.equal(sent.status, 303);
    assert.equal(sent.location, `${new URL(url).pathname}?after=0`);
    assert.equal((await visitPage(shop, sent.location ?? "")).state, "approved");
    assert.equal((await visitPage(shop, url)).state, "approved");
    assert.equal(await transactionsOf(id), 1);
  });

  test("without scripts, Arabic and full-width digits are read as digits", async () => {
    const { id, url } = await open();
    const card = { number: "٤١١١ ١١١١ ١١١١ ١١١١", expiry: "１２/２０３０", securityCode: "١٢٣" };
    const sent = await visitPage(shop, url, { ...CARD_FORM, ...card });
    assert.equal((await visitPage(shop, sent.location ?? "")).state, "approved");
    assert.equal(await transactionsOf(id), 1);
  });

  test("a partial approval that the request accepts shows what was charged", async () => {
    const { url } = await open({
      amount: 14410,
      more: { transactionRequest: { category: { partialApproval: "accept" } } },
    });
    const sent = await visitPage(shop, url, CARD_FORM);
    const { state, text } = await visitPage(shop, sent.location ?? "");
    assert.equal(state, "approved");
    assert.match(
      text,
      /<dt>Total<\/dt><dd>\$144\.10 AUD<\/dd>[\s\S]*<dt>Charged<\/dt><dd>\$72\.05 AUD<\/dd>/,
    );
  });

  test("a redirect URL in any script is encoded correctly", async () => {
    for (const [redirectUrl, location] of [
      ["https://shop.example/thanks?order=1#top", "https://shop.example/thanks?order=1#top"],
      ["https://läden.example/dank/☃?für=1", "https://xn--lden-loa.example/dank/%E2%98%83?f%C3%BCr=1"],
    ]) {
      const { url } = await open({ page: { resultPage: "redirect", redirectUrl } });
      const sent = await visitPage(shop, url, CARD_FORM);
      const redirected = await visitPage(shop, sent.location ?? "");
      assert.equal(redirected.status, 303);
      assert.equal(redirected.location, location);
    }
  });

  test("the same form sent again, concurrently or later, charges once", async () => {
    const { id, url } = await open({ amount: 14405, page: { attempts: 3 } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => visitPage(shop, url, CARD_FORM)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal((await visitPage(shop, url, CARD_FORM)).status, 303);
    assert.equal(await transactionsOf(id), 1);
    // Control: the next form is another attempt.
    await visitPage(shop, url, { ...CARD_FORM, attempt: "1" });
    assert.equal(await transactionsOf(id), 2);
  });

  test("a form in another encoding is refused with 415 and charges nothing", async () => {
    const { id, url } = await open();
    const sendWith = async (headers: Readonly<Record<string, string>>) => {
      const address = shop.hostedUrl.replace("localhost", "127.0.0.1") + new URL(url).pathname;
      const body = new URLSearchParams(CARD_FORM).toString();
      const type = "application/x-www-form-urlencoded";
      const init = { method: "POST", headers: { "content-type": type, ...headers }, body } as const;
      return (await fetch(address, { ...init, redirect: "manual" })).status;
    };
    assert.equal(await sendWith({ "content-encoding": "gzip" }), 415);
    assert.equal(
      await sendWith({ "content-type": "application/x-www-form-urlencoded; charset=utf-16" }),
      415,
    );
    assert.equal(await transactionsOf(id), 0);
  });

  test("a form with an invalid attempt number charges nothing", async () => {
    const { id, url } = await open({ page: { attempts: 3 } });
    for (const attempt of ["1", "2", "-1", "", "0x0", "00", "nonsense"]) {
      assert.equal((await visitPage(shop, url, { ...CARD_FORM, attempt })).status, 303);
    }
    assert.equal(await transactionsOf(id), 0);
  });

  test("a problem is shown at its field, without card number or security code", async () => {
    const { id, url } = await open();
    const wrong = {
      number: "4111111111111112",
      expiry: "13 / 30",
      securityCode: "12",
      name: `${"x".repeat(101)}`,
    };
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await visitPage(shop, url, { ...CARD_FORM, [field]: value });
      assert.equal(answer.status, 400, field);
      assert.equal(answer.state, "ready");
      assert.match(answer.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`), field);
      assert.ok(!answer.text.includes(wrong.number) && !answer.text.includes(CARD.number));
    }
    const empty = await visitPage(shop, url, { attempt: "0" });
    for (const field of ["number", "expiry", "securityCode"]) {
      assert.match(empty.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`), field);
    }
    assert.match(empty.text, /id="name"[^>]*aria-invalid="false"/);
    assert.equal(await transactionsOf(id), 0);
  });

  test("a problem is in the window's title, and name, expiry and consent stay", async () => {
    const { url } = await open({ more: { customerRequest: { paymentInstrument: "create" } } });
    const wrong = { ...CARD_FORM, number: "4111111111111112", name: "Ada", consent: "yes" };
    const { text } = await visitPage(shop, url, wrong);
    assert.match(text, /<title>Check the marked fields\./);
    assert.match(text, new RegExp(`id="expiry"[^>]*value="${CARD_FORM.expiry}"`));
    assert.match(text, /id="name"[^>]*value="Ada"/);
    assert.match(text, /id="consent"[^>]* checked>/);
    const { text: unticked } = await visitPage(shop, url, { ...wrong, consent: "", expiry: CARD.number });
    assert.doesNotMatch(unticked, / checked>/);
    assert.ok(!unticked.includes(CARD.number), "a number in the wrong field");
  });

  test("a card's expiry goes by the merchant's clock", async () => {
    const own = shopOf(gateway, (await gateway.newMerchant()).key);
    const now = new Date().toISOString();
    const ofThisMonth = { ...CARD_FORM, expiry: `${now.slice(5, 7)} / ${now.slice(2, 4)}` };
    const pay = async () => visitPage(own, (await createHosted(own)).hostedPaymentPage.url, ofThisMonth);
    assert.equal((await pay()).status, 303);
    await advanceClock(own, 60 * 86_400);
    const late = await pay();
    assert.equal(late.status, 400);
    assert.match(late.text, /id="expiry"[^>]*aria-invalid="true"/);
  });

  test("the card is stored if the payer ticks the box; for payments that recur, by paying", async () => {
    const more = { customerRequest: { paymentInstrument: "create" } };
    for (const [frequency, consent, stores] of [
      ["single", {}, false],
      ["single", { consent: "yes" }, true],
      ["recurring", {}, true],
    ] as const) {
      const { id, url } = await open({ more, category: { frequency } });
      const { text } = await visitPage(shop, url);
      assert.equal(/type="checkbox"/.test(text), frequency === "single");
      assert.equal(/By paying, you let/.test(text), frequency === "recurring");
      assert.equal((await visitPage(shop, url, { ...CARD_FORM, ...consent })).status, 303);
      assert.equal((await getRequest(shop, id)).customerResult !== undefined, stores);
    }
  });

  test("a cancelled or expired request is never charged", async () => {
    const { id, url } = await open();
    ok(await callApi(shop, "POST", `/paymentrequests/${id}/cancel`));
    assert.equal((await visitPage(shop, url, CARD_FORM)).status, 303);
    assert.equal((await visitPage(shop, url)).state, "cancelled");
    const old = await open();
    await advanceClock(shop, 2 * 86_400);
    assert.equal((await visitPage(shop, old.url, CARD_FORM)).status, 303);
    assert.equal((await visitPage(shop, old.url)).state, "expired");
    assert.equal((await transactionsOf(id)) + (await transactionsOf(old.id)), 0);
  });

  test("an overdue request is never charged, though no worker has expired it", async () => {
    const idle = await startTestGateway({ environment: { TIDEGATE_ROLES: "api,checkout" } });
    try {
      const { id, hostedPaymentPage } = await createHosted(shopOf(idle));
      await advanceClock(shopOf(idle), 2 * 86_400);
      assert.equal((await visitPage(shopOf(idle), hostedPaymentPage.url, CARD_FORM)).status, 303);
      const path = `/transactions?paymentrequestid=${id}`;
      assert.equal(ok(await callApi(shopOf(idle), "GET", path)).count, 0);
    } finally {
      await idle.stop();
    }
  });

  describe("the confirmation of a surcharge", () => {
    before(async () => {
      const rates = { visa: { percent: 1, fixed: 0 } };
      ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    });
    after(async () => {
      ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: false } }));
    });

    test("keeps the card sealed for this page and this attempt only, for 15 minutes", async () => {
      const { id, url } = await open();
      const confirmation = await visitPage(shop, url, CARD_FORM);
      assert.equal(confirmation.status, 200);
      assert.match(confirmation.text, /Check the total/);
      assert.ok(!confirmation.text.includes(CARD.number));
      const sealed = hiddenField(confirmation, "sealed") ?? "";
      assert.equal(hiddenField(confirmation, "total"), "3030");
      const confirm = { attempt: "0", total: "3030", sealed };

      const other = await open();
      assert.equal(
        (await visitPage(shop, other.url, confirm)).status,
        400,
        "the sealed card of another page",
      );
      const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
      assert.equal(
        (await visitPage(shop, url, { ...confirm, sealed: changed })).status,
        400,
        "an altered sealed card",
      );
      assert.equal(await transactionsOf(id), 0);

      assert.equal((await visitPage(shop, url, confirm)).status, 303);
      const { transactionResult } = await getRequest(shop, id);
      const paid = ok(await callApi(shop, "GET", `/transactions/${transactionResult.id}`));
      assert.equal(paid.payment.totalAmount, 3030);

      const late = await open();
      const held = await visitPage(shop, late.url, CARD_FORM);
      await advanceClock(shop, 15 * 60 + 1);
      const tooLate = await visitPage(shop, late.url, {
        attempt: "0",
        total: "3030",
        sealed: hiddenField(held, "sealed") ?? "",
      });
      assert.equal(tooLate.status, 400);
      assert.match(tooLate.text, /open too long/);
    });

    test("the challenge shows the total that the payer confirmed", async () => {
      const { url } = await open({ amount: 14418, category: { authenticationType: "3d_secure" } });
      const sealed = hiddenField(await visitPage(shop, url, CARD_FORM), "sealed") ?? "";
      const sent = await visitPage(shop, url, { attempt: "0", total: "14562", sealed });
      const bank = await visitPage(shop, sent.location ?? "");
      assert.match(bank.text, /\$145\.62/);
    });

    test("a total that the payer was not shown is confirmed again, never charged", async () => {
      const { id, url } = await open();
      const sealed = hiddenField(await visitPage(shop, url, CARD_FORM), "sealed") ?? "";
      for (const total of ["3000", "1", "", "3030.0"]) {
        const answer = await visitPage(shop, url, { attempt: "0", total, sealed });
        assert.match(answer.text, /Check the total/, total);
      }
      assert.equal(await transactionsOf(id), 0);
    });

    test("a surcharge that ends after the payer has seen the total is confirmed again", async () => {
      const own = shopOf(gateway, (await gateway.newMerchant()).key);
      const surcharging = { enabled: true, rates: { visa: { percent: 1, fixed: 0 } } };
      ok(await callApi(own, "PUT", "/management/account", { surcharging }));
      const { id, hostedPaymentPage } = await createHosted(own);
      const asked = await visitPage(own, hostedPaymentPage.url, CARD_FORM);
      ok(await callApi(own, "PUT", "/management/account", { surcharging: { enabled: false } }));
      const confirm = { attempt: "0", total: "3030", sealed: hiddenField(asked, "sealed") ?? "" };
      const again = await visitPage(own, hostedPaymentPage.url, confirm);
      assert.match(again.text, /Check the total/);
      assert.doesNotMatch(again.text, /A surcharge applies/);
      assert.equal((await getRequest(own, id)).paymentRequestStatus, "created");
      const total = hiddenField(again, "total") ?? "";
      assert.equal(total, "3000");
      assert.equal((await visitPage(own, hostedPaymentPage.url, { ...confirm, total })).status, 303);
      assert.equal((await getRequest(own, id)).paymentRequestStatus, "completed");
    });
  });

  describe("3D Secure by full-page redirect", () => {
    const category = { authenticationType: "3d_secure" };

    test("the payer's browser keeps the card sealed, and the issuer redirects back", async () => {
      const { id, url } = await open({ amount: 14418, category });
      const sent = await visitPage(shop, url, CARD_FORM);
      assert.equal(sent.status, 303);
      assert.match(sent.location ?? "", /^\/sandbox\/bank\//);
      const cookie = sent.headers.get("set-cookie") ?? "";
      assert.match(cookie, /; Path=\/pay\/[\w-]+; Max-Age=900; HttpOnly; SameSite=Lax$/);
      assert.ok(!cookie.includes(CARD.number));

      // Meanwhile the page is pending, also in other windows.
      assert.equal((await visitPage(shop, url)).state, "pending");
      assert.equal((await visitPage(shop, url, CARD_FORM)).status, 303);
      assert.equal(await transactionsOf(id), 1);

      const answered = await visitPage(shop, sent.location ?? "", { answer: "approve" });
      assert.ok(answered.location?.startsWith(`${new URL(url).pathname}/return?cres=`));
      const kept = { cookie: cookie.split(";")[0] ?? "" };
      const back = await visitPage(shop, answered.location ?? "", undefined, kept);
      assert.equal(back.location, `${new URL(url).pathname}?after=0`);
      assert.match(back.headers.get("set-cookie") ?? "", /Max-Age=0/);
      assert.equal((await visitPage(shop, url)).state, "approved");
    });

    test("while the bank has no result the browser keeps the card, and the same address is asked again", async () => {
      const { url } = await open({ amount: 14418, category });
      const sent = await visitPage(shop, url, CARD_FORM);
      const kept = { cookie: (sent.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
      const returnPath = `${new URL(url).pathname}/return?cres=eyJ9`;
      const early = await visitPage(shop, returnPath, undefined, kept);
      assert.deepEqual([early.status, early.state, early.headers.get("refresh")], [200, "pending", "3"]);
      assert.equal(early.headers.get("set-cookie"), null);
      await visitPage(shop, sent.location ?? "", { answer: "approve" });
      const back = await visitPage(shop, returnPath, undefined, kept);
      assert.match(back.headers.get("set-cookie") ?? "", /Max-Age=0/);
      assert.equal((await visitPage(shop, url)).state, "approved");
    });

    test("returning without an answer, or in another browser, charges nothing, and the payer can cancel", async () => {
      const { id, url } = await open({ amount: 14418, category, page: { attempts: 2 } });
      const sent = await visitPage(shop, url, CARD_FORM);
      const returnPath = `${new URL(url).pathname}/return`;
      const kept = { cookie: (sent.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
      const early = await visitPage(shop, returnPath, undefined, kept);
      assert.match(early.text, /Cancel this payment/);
      assert.equal((await visitPage(shop, url)).state, "pending");
      await visitPage(shop, sent.location ?? "", { answer: "approve" });
      await visitPage(shop, returnPath);
      const waiting = await visitPage(shop, url);
      assert.equal(waiting.state, "pending");
      assert.match(waiting.text, /Cancel this payment/);
      const cancelled = await visitPage(shop, `${new URL(url).pathname}/abandon`, { attempt: "0" });
      assert.equal(cancelled.status, 303);
      const retry = await visitPage(shop, url);
      assert.equal(retry.state, "declined");
      assert.match(retry.text, /name="attempt" value="1"/);
      assert.equal((await getRequest(shop, id)).transactionAttempts.length, 1);
    });
  });
});
