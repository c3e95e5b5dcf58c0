import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTidegate, type Tidegate } from "../../packages/client/src/index.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";

describe("contract 2: the client sends and finds metadata", () => {
  let gateway: TestGateway;
  let tidegate: Tidegate;
  before(async () => {
    gateway = await startTestGateway();
    tidegate = createTidegate({ apiKey: TEST_KEY, baseUrl: gateway.baseUrl });
  });
  after(() => gateway.stop());

  test("as an object in a body and as a filter of a list", async () => {
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
