import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { LOADER_CODES, PAYING_CODES } from "../../browser/protocol/client-codes.ts";
import { CATALOGUE, CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import { OUTCOME_DETAILS, operationDetail } from "../../src/kernel/codes/outcome-details.ts";
import { OUTCOMES } from "../../src/kernel/codes/outcomes.ts";
import { callApi, eventsOf, getTransaction, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { shownCode } from "../support/codes.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type Element, readPage } from "../support/page.ts";

const DETAILS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(CODES_BY_ID).map(([id, { meaning }]) => [id, meaning])),
  ...Object.fromEntries(
    Object.entries(OUTCOMES).map(([name, id]) => [id, OUTCOME_DETAILS[name as keyof typeof OUTCOMES]]),
  ),
};

describe("contract 2: every code says what to do", () => {
  test("in one sentence that begins with what to do", () => {
    const verbs =
      /^(Add|Ask|Call|Capture|Change|Check|Choose|Collect|Contact|Create|Do not|Enter|Give|Have|Host|Initialise|Leave|Let|Load|Make|Nothing|Omit|Pass|Pay|Read|Refund|Register|Remove|Report|Send|Show|Store|Try|Use|Wait)\b/;
    const ofOperations = Object.entries(OUTCOMES).map(([name, id]) => {
      const detail = operationDetail(name as keyof typeof OUTCOMES);
      assert.doesNotMatch(
        detail,
        /the payer to|pay with|another card/,
        `${id} of a refund is no advice for a payment`,
      );
      return [id, detail] as const;
    });
    for (const [id, detail] of [...Object.entries(DETAILS), ...ofOperations]) {
      assert.match(detail, verbs, id);
      assert.match(detail, /^[^\n]+[^.]\.$/, id);
      assert.doesNotMatch(detail, /[.!?] [A-Z]/, `${id} has one sentence`);
      assert.equal(detail.split("`").length % 2, 1, `${id} closes its backticks`);
    }
  });

  test("codes that the browser reports itself have the number and sentence of the catalogue", () => {
    const codes = { ...LOADER_CODES, ...PAYING_CODES };
    const names = Object.keys(codes);
    const known = Object.entries({ ...CATALOGUE, ...OUTCOMES }).filter(([name]) => names.includes(name));
    assert.deepEqual(
      codes,
      Object.fromEntries(
        known.map(([name, code]) => {
          const id = typeof code === "string" ? code : code.id;
          return [name, [id, DETAILS[id]]];
        }),
      ),
    );
  });
});

describe("contract 2: answers carry the sentence of a code and the link to it", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let page: readonly Element[];
  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway);
    page = readPage((await gateway.get("/docs/codes", { key: null })).body);
  });
  after(() => gateway.stop());

  const shown = (code: string) => shownCode(code, gateway.baseUrl);

  test("a refusal", async () => {
    const refused = await gateway.get("/customers", { key: null });
    assert.deepEqual(refused.body.result.codes, [
      {
        id: "V11006",
        message: "header_api_key_missing",
        detail: "Send your API key in the `X-Api-Key` header.",
        docs: `${gateway.baseUrl}/docs/codes#V11006`,
      },
    ]);
  });

  test("a declined payment: the checkout's answer, the record, the list and the event", async () => {
    const { paid, transactionId } = await payOnce(shop, { amount: 14_451 });
    const codes = [shown("D04451 insufficient_funds")];
    assert.match(codes[0]?.detail ?? "", /^Ask the payer/);
    assert.deepEqual(paid.result.codes, codes);
    const record = await getTransaction(shop, transactionId);
    assert.deepEqual(record.result.codes, codes);
    const listed = ok(await callApi(shop, "GET", "/transactions?limit=1")).transactions;
    assert.deepEqual(listed, [record]);
    const events = await eventsOf(shop, transactionId);
    assert.deepEqual(events.at(-1)?.payload, record);
  });

  test("a declined refund's is for the merchant, not for a payment", async () => {
    const { transactionId } = await payOnce(shop, { amount: 20_000 });
    const { id } = ok(
      await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 14_451 } }),
    );
    await callApi(shop, "POST", "/sandbox/settlements/run");
    const { result } = ok(await callApi(shop, "GET", `/refunds/${id}`));
    assert.equal(result.codes[0].id, "D04451");
    assert.match(result.codes[0].detail, /^Try again later, or ask your acquirer/);
  });

  test("the link of every code leads to its row on the page of codes, which shows the sentence", () => {
    const ids = page.flatMap(({ attributes }) => attributes["id"] ?? []);
    assert.deepEqual(
      ids.filter((id) => /^[ADVS]\d{5}$/.test(id)).toSorted(),
      Object.keys(DETAILS).toSorted(),
    );
    for (const [id, detail] of Object.entries(DETAILS)) {
      const row = page.find(({ attributes }) => attributes["id"] === id);
      assert.ok(row?.text.includes(detail.replaceAll("`", "")), id);
    }
  });

  test("the hosted origin, which is all that a script in the browser knows, redirects to the page of codes", async () => {
    const answer = await fetch(`${gateway.hostedUrl.replace("localhost", "127.0.0.1")}/docs/codes`, {
      redirect: "manual",
    });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), `${gateway.baseUrl}/docs/codes`);
  });
});
