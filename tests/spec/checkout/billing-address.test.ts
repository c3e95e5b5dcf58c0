import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest } from "../../../src/connectors/ports/card-acquirer.ts";
import { LANGUAGES } from "../../../src/kernel/languages/languages.ts";
import {
  answerChallenge,
  CARD,
  callApi,
  createRequest,
  createToken,
  getRequest,
  getTransaction,
  initialise,
  ok,
  openFrame,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { notingAuthorisations } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { tryCommand } from "../../support/typed-command.ts";
import { CARD_FORM, hiddenField, visitPage } from "../../support/visit-page.ts";

const HOME = { line1: "12 Wharf Street", city: "Sydney", state: "NSW", postcode: "2000", country: "AU" };
const AT_THE_ACQUIRER = {
  lines: ["12 Wharf Street"],
  city: "Sydney",
  state: "NSW",
  postcode: "2000",
  country: "AU",
};
const FULL = { collectAddress: "full" } as const;

describe("the billing address, where the merchant wants it", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const sent = new Map<string, AuthorisationRequest>();
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) => notingAuthorisations(ctx, sent),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const addressOf = (transactionId: string) => sent.get(transactionId)?.payer?.address;

  async function create(transactionRequest: object, more: object = {}) {
    const body = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest, ...more };
    return callApi(shop, "POST", "/paymentrequests", body);
  }

  test("collectAddress is echoed as sent, absent by default, and takes its three values only", async () => {
    for (const collectAddress of ["none", "postcode", "full"])
      assert.equal(ok(await create({ collectAddress })).transactionRequest.collectAddress, collectAddress);
    assert.equal("collectAddress" in ok(await create({})).transactionRequest, false);
    for (const collectAddress of ["Full", "", null, true, "line1"]) {
      const answer = await create({ collectAddress });
      assert.deepEqual(
        [answer.status, problemsOf(answer)],
        [400, ["V11141 /transactionRequest/collectAddress"]],
      );
    }
  });

  test("a request by wallets alone cannot ask for it: a wallet has its own", async () => {
    const wallets = { paymentMethods: ["google_pay"] };
    assert.deepEqual(problemsOf(await create(FULL, wallets)), ["V11141 /transactionRequest/collectAddress"]);
    assert.equal((await create({ collectAddress: "none" }, wallets)).status, 200);
    assert.equal((await create(FULL, { paymentMethods: ["card", "google_pay"] })).status, 200);
  });

  test("off by default: no field in the frame, and an address is refused", async () => {
    const frame = await openFrame(shop);
    assert.equal(frame.shown.address, undefined);
    assert.deepEqual(problemsOf(await frame.pay({ address: { postcode: "2000" } })), [
      "V11646 /address/postcode",
    ]);
    assert.equal(ok(await frame.pay()).state, "approved");
  });

  for (const [collectAddress, names, required] of [
    ["postcode", ["postcode"], ["postcode"]],
    ["full", ["line1", "city", "state", "postcode", "country"], ["line1", "city", "postcode", "country"]],
  ] as const) {
    test(`${collectAddress}: the frame gets ${names.join(", ")}, with autocomplete, labels and limits`, async () => {
      const { html } = (await openFrame(shop, { collectAddress })).shown.address;
      const inputs = [...html.matchAll(/<(?:input|select)[^>]*>/g)].map(([tag]) => String(tag));
      const nameOf = (tag: string) => /name="(\w+)"/.exec(tag)?.[1] ?? "";
      assert.deepEqual(inputs.map(nameOf), names);
      assert.deepEqual(inputs.filter((tag) => / required/.test(tag)).map(nameOf), required);
      for (const tag of inputs) {
        assert.match(tag, /autocomplete="billing [a-z0-9-]+"/);
        assert.ok(html.includes(`<label for="${nameOf(tag)}">`));
        assert.ok(html.includes(`id="${nameOf(tag)}-problem"`) && tag.includes(`${nameOf(tag)}-problem`));
      }
      assert.match(html, /maxlength="10"/);
    });
  }

  test("every language has its own labels and its names of countries", async () => {
    const seen = new Set<string>();
    for (const { tag, address } of LANGUAGES) {
      const { id } = await createRequest(shop, { ...FULL, locale: tag });
      const { html } = ok(await initialise(shop, await createToken(shop, id))).address;
      assert.ok(html.includes(`>${address.postcode}</label>`), tag);
      assert.match(html, /<option value="AU" selected>[^<]+</);
      seen.add(/<option value="DE">([^<]+)</.exec(html)?.[1] ?? "");
    }
    assert.ok(seen.size >= 4, [...seen].join(", "));
  });

  test("full: all of it reaches the acquirer, and the issuer's check is in the record", async () => {
    const frame = await openFrame(shop, FULL);
    const { transactionId } = ok(await frame.pay({ address: { ...HOME, city: "  Sydney " } }));
    assert.deepEqual(addressOf(transactionId), AT_THE_ACQUIRER);
    const { acquirer } = await getTransaction(shop, transactionId);
    assert.equal(acquirer.addressResult, "Y");
  });

  test("a state is optional; the postcode alone is one part", async () => {
    const { state: _, ...stateless } = HOME;
    const full = ok(await (await openFrame(shop, FULL)).pay({ address: { ...stateless, state: "" } }));
    assert.equal(addressOf(full.transactionId)?.state, undefined);
    const frame = await openFrame(shop, { collectAddress: "postcode" });
    const { transactionId } = ok(await frame.pay({ address: { postcode: "0000" } }));
    assert.deepEqual(addressOf(transactionId), { lines: [], postcode: "0000" });
    assert.equal((await getTransaction(shop, transactionId)).acquirer.addressResult, "N");
  });

  for (const [what, address, ...fields] of [
    ["nothing", undefined, "city", "country", "line1", "postcode"],
    ["blank parts", { ...HOME, line1: "  ", city: "" }, "city", "line1"],
    ["an unknown country", { ...HOME, country: "XX" }, "country"],
    ["a country's name", { ...HOME, country: "Australia" }, "country"],
    ["a part of another type", { ...HOME, postcode: 2000 }, "postcode"],
    ["a control character", { ...HOME, line1: "12\nWharf Street" }, "line1"],
    ["a postcode of 11", { ...HOME, postcode: "12345678901" }, "postcode"],
    ["a line of 101", { ...HOME, line1: "x".repeat(101) }, "line1"],
    ["a city of 61", { ...HOME, city: "x".repeat(61) }, "city"],
    ["a state of 41", { ...HOME, state: "x".repeat(41) }, "state"],
  ] as const) {
    test(`${what} is refused at its field, and nothing is charged`, async () => {
      const frame = await openFrame(shop, FULL);
      const answer = await frame.pay(address === undefined ? {} : { address });
      assert.equal(answer.status, 400);
      assert.deepEqual(
        problemsOf(answer),
        fields.map((field) => `V11646 /address/${field}`),
      );
      assert.equal(ok(await frame.pay({ address: HOME })).state, "approved");
    });
  }

  test("a card number typed into it is refused as everywhere", async () => {
    const frame = await openFrame(shop, FULL);
    const answer = await frame.pay({ address: { ...HOME, line1: CARD.number } });
    assert.deepEqual(problemsOf(answer), ["V11031 /address/line1"]);
  });

  test("the longest parts are taken, counted in code points", async () => {
    const longest = {
      line1: "Ā".repeat(100),
      city: "馬".repeat(60),
      state: "🏖".repeat(40),
      postcode: "1234567890",
      country: "NZ",
    };
    const { transactionId } = ok(await (await openFrame(shop, FULL)).pay({ address: longest }));
    assert.equal(addressOf(transactionId)?.state, longest.state);
  });

  test("postcode: other parts are refused", async () => {
    const frame = await openFrame(shop, { collectAddress: "postcode" });
    assert.deepEqual(problemsOf(await frame.pay({ address: { postcode: "2000", city: "Sydney" } })), [
      "V11646 /address/city",
    ]);
  });

  test("it survives a challenge, and is stored nowhere", async () => {
    const secret = "77 Nowhere Lane";
    const frame = await openFrame(shop, {
      ...FULL,
      amount: 14_418,
      category: { authenticationType: "3d_secure" },
    });
    const { challenge, transactionId } = ok(await frame.pay({ address: { ...HOME, line1: secret } }));
    await answerChallenge(shop, challenge.url, "approve");
    assert.equal(ok(await frame.continue(challenge.sealed)).state, "approved");
    assert.deepEqual(addressOf(transactionId)?.lines, [secret]);
    assert.equal(sent.get(transactionId)?.payer?.ip, "127.0.0.1");
    const tables = await gateway.database.rows<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    for (const { name } of tables) {
      const found = await gateway.database.rows(
        `select 1 from "${name}" one where one::text like $1 limit 1`,
        [`%${secret}%`],
      );
      assert.equal(found.length, 0, name);
    }
  });

  test("a payment of the sandbox's simulated payer fills it in", async () => {
    for (const collectAddress of ["postcode", "full"]) {
      const { id } = await createRequest(shop, { collectAddress });
      const { code, stderr } = await tryCommand(gateway, "sandbox", "pay", id);
      assert.equal(code, 0, stderr);
      assert.equal((await getRequest(shop, id)).transactionResult !== undefined, true);
    }
  });

  describe("on the hosted page, without scripts", () => {
    const open = async (collectAddress: string, more: object = {}) =>
      (await createHosted(shop, { more: { transactionRequest: { collectAddress }, ...more } }))
        .hostedPaymentPage.url as string;

    test("the form has the fields, and a payment carries them", async () => {
      const url = await open("full");
      const { text } = await visitPage(shop, url);
      assert.match(text, /role="group" aria-label="Address of the card"/);
      assert.match(text, /autocomplete="billing postal-code"/);
      const done = await visitPage(shop, url, { ...CARD_FORM, ...HOME });
      assert.equal(done.status, 303);
      assert.equal((await visitPage(shop, url)).state, "approved");
      assert.deepEqual([...sent.values()].at(-1)?.payer?.address, AT_THE_ACQUIRER);
    });

    test("none by default", async () => {
      const { text } = await visitPage(shop, await open("none"));
      assert.doesNotMatch(text, /postal-code/);
    });

    test("what is missing is said beside its field, and what was typed stays", async () => {
      const url = await open("full");
      const again = await visitPage(shop, url, { ...CARD_FORM, ...HOME, postcode: " ", city: 'Syd"ney' });
      assert.equal(again.status, 400);
      assert.match(again.text, /field-postcode field-wrong/);
      assert.match(again.text, /Enter the postcode of the card&#39;s billing address/);
      assert.match(again.text, /value="12 Wharf Street"/);
      assert.match(again.text, /value="Syd&quot;ney"/);
      assert.doesNotMatch(again.text, new RegExp(CARD_FORM.number));
      assert.equal((await visitPage(shop, url)).state, "ready");
    });

    test("it is kept across the step that confirms a surcharge", async () => {
      const surcharged = shopOf(gateway, (await gateway.newMerchant()).key);
      const surcharging = { enabled: true, rates: { visa: { percent: 1, fixed: 0 } } };
      ok(await callApi(surcharged, "PUT", "/management/account", { surcharging }));
      const more = { transactionRequest: { collectAddress: "postcode" } };
      const { url } = (await createHosted(surcharged, { more })).hostedPaymentPage;
      const asked = await visitPage(surcharged, url, { ...CARD_FORM, postcode: "2000" });
      const hidden = Object.fromEntries(
        ["attempt", "total", "sealed"].map((name) => [name, hiddenField(asked, name) ?? ""]),
      );
      await visitPage(surcharged, url, hidden);
      assert.equal((await visitPage(surcharged, url)).state, "approved");
      assert.deepEqual([...sent.values()].at(-1)?.payer?.address, { lines: [], postcode: "2000" });
    });
  });
});
