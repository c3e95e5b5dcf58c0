import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { followGuide } from "../../support/guide.ts";

describe("docs/guides/payid.md", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  test("every call does what the guide says", async () => {
    const answers = await followGuide("docs/guides/payid.md", gateway);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200, 200],
    );
  });
});
