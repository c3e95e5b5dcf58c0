import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../support/answers.ts";
import { callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { payIdRequestBody } from "../support/request-bodies.ts";
import { type Point, watchContext } from "../support/watched-context.ts";

describe("contract 2: `original.status` while the first request goes on after its commit", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let holdAt: Point | undefined;
  const held: (() => void)[] = [];
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => {
          if (point !== holdAt) return;
          holdAt = undefined;
          return new Promise((resolve) => held.push(resolve));
        }),
    });
    shop = shopOf(gateway);
  });
  after(() => gateway.stop());

  /** Asserts that a repeat gets `processing`, and `done` once the first request is answered. Returns both answers' bodies. */
  async function repeatMeanwhile(point: Point, path: string, body?: object) {
    const headers = { "x-idempotency-key": path };
    const post = () => callApi({ ...shop, headers }, "POST", path, body);
    holdAt = point;
    const first = post();
    await eventually("the first request is held", async () => held.length === 1);
    const repeat = await post();
    assertRefused(repeat, 409, "V10018");
    assert.equal(repeat.body.original.status, "processing");
    held.pop()?.();
    const answer = ok(await first);
    assert.deepEqual((await post()).body.original, { ...repeat.body.original, status: "done" });
    return { original: repeat.body.original, answer };
  }

  test("is `processing` for a test ping, which is no resource", async () => {
    const url = "http://127.0.0.1:65001/";
    const { id } = ok(await callApi(shop, "POST", "/webhooks", { event: "payouts", url }));
    const { original } = await repeatMeanwhile("idempotency_claim:committed", `/webhooks/${id}/test`);
    assert.deepEqual([original.id, original.location], [null, null]);
  });

  test("is `processing` for a settlement run", async () => {
    await repeatMeanwhile("idempotency_claim:committed", "/sandbox/settlements/run");
  });

  test("is `processing` for a PayID request until its PayID is registered", async () => {
    const { original, answer } = await repeatMeanwhile(
      "payment_request_insert_payid:committed",
      "/paymentrequests",
      payIdRequestBody("held-payid"),
    );
    assert.equal(original.id, answer.id);
  });
});
