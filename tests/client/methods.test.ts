import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { OPERATIONS } from "../../packages/client/src/generated/api.ts";
import { createTidegate, type Tidegate, TidegateError } from "../../packages/client/src/index.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { disputeOf, whenDisputeIs } from "../support/disputes.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";

type Methods = { readonly [name: string]: Methods | ((...args: readonly unknown[]) => unknown) };

/** `refunds.get` of a resource as `transactions.refunds.get`. */
function namesOf(methods: Methods, path = ""): readonly string[] {
  return Object.entries(methods).flatMap(([name, one]) =>
    typeof one === "function" ? [path + name] : namesOf(one, `${path}${name}.`),
  );
}

/** The rows of the README's table: `a` `b`, `group.c` `.d`. */
function namesIn(readme: string): readonly string[] {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| (`.*) \|$/gm)];
  return rows.flatMap(([, resource = "", cell = ""]) => {
    let group = "";
    return [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => {
      const [, own = "", last = ""] = /^(\w*)\.(\w+)$/.exec(name) ?? [];
      if (own !== "") group = own;
      return `${resource}.${last === "" ? name : `${group}.${last}`}`;
    });
  });
}

describe("the client knows every operation", () => {
  const client = createTidegate({ apiKey: "key" }) as unknown as Methods;

  test("the README lists every method, and no other", async () => {
    const readme = await readFile(new URL("../../packages/client/README.md", import.meta.url), "utf8");
    assert.deepEqual([...namesIn(readme)].sort(), [...namesOf(client)].sort());
  });

  test("every operation of the API's description has a method", async () => {
    const folder = new URL("../../packages/client/src/resources/", import.meta.url);
    const sources = await Promise.all(
      (await readdir(folder)).map((name) => readFile(new URL(name, folder), "utf8")),
    );
    const called = new Set(sources.join("").match(/(?<=call\(\s*")\w+/g));
    assert.deepEqual(
      Object.keys(OPERATIONS).filter((name) => !called.has(name)),
      [],
    );
  });
});

describe("the client's refunds, disputes, exports and metadata", () => {
  let gateway: TestGateway;
  let tidegate: Tidegate;
  before(async () => {
    gateway = await startTestGateway();
    tidegate = createTidegate({ apiKey: TEST_KEY, baseUrl: gateway.baseUrl });
  });
  after(() => gateway.stop());

  test("a refund is read and listed without its transaction, and exported", async () => {
    const { transactionId } = await payOnce(shopOf(gateway));
    const { id, location } = await tidegate.transactions.refund(transactionId, { payment: { amount: 700 } });
    assert.equal(location, `${gateway.baseUrl}/transactions/${transactionId}/refunds/${id}`);
    assert.equal((await tidegate.refunds.get(id)).payment.amount, 700);
    const { refunds } = await tidegate.refunds.list({ transactionid: transactionId });
    assert.deepEqual(
      refunds.map((one) => one.id),
      [id],
    );
    const lines = (csv: string) => csv.trimEnd().split("\r\n").slice(1);
    assert.ok(lines(await tidegate.refunds.export())[0]?.startsWith(`${id},${transactionId},`));
    assert.ok(lines(await tidegate.transactions.export())[0]?.startsWith(`${transactionId},`));
    assert.deepEqual(lines(await tidegate.transactions.export({ status: "declined" })), []);
    await tidegate.sandbox.runSettlements();
    const { payouts } = await tidegate.payouts.list();
    assert.match(await tidegate.payouts.export(payouts[0]?.id ?? ""), /^id,transactionId,reference,/);
  });

  test("a dispute is listed, answered with evidence and accepted", async () => {
    const shop = shopOf(gateway);
    const [answered, accepted] = [await disputeOf(shop), await disputeOf(shop)];
    const { disputes } = await tidegate.disputes.list({ status: "needs_response" });
    assert.deepEqual(
      disputes.map((one) => one.id),
      [accepted.id, answered.id],
    );
    assert.equal((await tidegate.disputes.sendEvidence(answered.id, { text: "win" })).status, "under_review");
    assert.equal((await tidegate.disputes.accept(accepted.id)).status, "accepted");
    await assert.rejects(
      tidegate.disputes.accept(answered.id),
      (error) => error instanceof TidegateError && error.status === 409,
    );
    await whenDisputeIs(shop, answered.id, "under_review");
    assert.equal((await tidegate.disputes.get(accepted.id)).status, "accepted");
  });

  test("contract 2: metadata is an object in a body and a filter of a list", async () => {
    const metadata = { "crm.id": "88 & 1=?" };
    const { id } = await tidegate.customers.create({ name: "Ann", email: "ann@example.com", metadata });
    await tidegate.customers.create({ name: "Bo", email: "bo@example.com" });
    const { customers } = await tidegate.customers.list({ metadata, limit: 5 });
    assert.deepEqual(
      customers.map((one) => [one.id, one.metadata]),
      [[id, metadata]],
    );
    const all: string[] = [];
    for await (const one of tidegate.customers.listAll({ metadata })) all.push(one.id);
    assert.deepEqual(all, [id]);
  });
});
