import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { errorAnswer } from "../../src/platform/http/error-answer.ts";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { CHECKOUT, NO_SUCH_ID } from "../support/asks.ts";
import { shopOf } from "../support/checkout.ts";
import { answerProblems, type Judge, judgeOf } from "../support/described-answers.ts";
import { doctored } from "../support/doctored.ts";
import { type Answer, type Call, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { operationsOf, type Placed } from "../support/openapi-rules.ts";
import { makeKey } from "../support/operator.ts";
import { storedCard } from "../support/stored-cards.ts";
import { type RouteInput, refusedCalls, SUCCESSES } from "./described-calls.ts";

let gateway: TestGateway;
let document: OpenApiDocument;
let judge: Judge;

before(async () => {
  gateway = await startTestGateway();
  document = (await gateway.get("/openapi.json")).body;
  judge = judgeOf(document);
});
after(() => gateway.stop());

const send = ({ method }: Placed, { path, body }: RouteInput, extra: Call = {}): Promise<Answer> =>
  gateway.call(path, { ...(body === undefined ? {} : { body }), ...extra, method: method.toUpperCase() });

/** The answer has that status and is as described; spoilt in any way, it is not. */
function assertDescribed(operationId: string, status: number, answer: Answer): void {
  const problemsOf = (body: unknown) =>
    answerProblems(document, judge, operationId, { status: answer.status, body });
  assert.equal(answer.status, status, `${operationId}: ${JSON.stringify(answer.body)}`);
  assert.deepEqual(problemsOf(answer.body), [], operationId);
  for (const { what, body } of doctored(answer.body)) {
    assert.notDeepEqual(problemsOf(body), [], `${operationId}: nobody noticed a change of ${what}`);
  }
}

async function firstSuccess({ operation }: Placed): Promise<RouteInput> {
  const asks = await SUCCESSES[operation.operationId]?.(gateway);
  return asks?.[0] ?? assert.fail(`described-calls.ts has no call that works for ${operation.operationId}`);
}

describe("contract 2: answers are what the description says", () => {
  test("every operation has calls that work", () => {
    const described = operationsOf(document).map(({ operation }) => operation.operationId);
    assert.deepEqual(Object.keys(SUCCESSES).toSorted(), described.toSorted());
  });

  test("what works is answered as described", async () => {
    for (const placed of operationsOf(document)) {
      const asks = (await SUCCESSES[placed.operation.operationId]?.(gateway)) ?? [];
      assert.ok(asks.length > 0);
      for (const ask of asks) assertDescribed(placed.operation.operationId, 200, await send(placed, ask));
    }
  });

  test("the example of every operation works", async () => {
    const stored = await storedCard(shopOf(gateway), {}, { card: { number: "5555555555554444" } });
    for (const placed of operationsOf(document)) {
      const example = placed.operation.requestBody?.content["application/json"].example;
      if (example === undefined) continue;
      const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
      const body = JSON.stringify(example)
        .replaceAll("pr_…", id)
        .replaceAll("cus_…", stored.id)
        .replaceAll("pi_…", stored.paymentInstrumentId);
      const { path } = await firstSuccess(placed);
      assertDescribed(placed.operation.operationId, 200, await send(placed, { path, body }));
    }
  });

  test("spec 6: what is posted to merchants is as described, by its event value", async () => {
    const rows = await gateway.database.rows<{ event: string; body: string }>(
      "select event, body from events",
    );
    const problemsOf = (event: string, envelope: unknown) =>
      judge(envelope, "webhooks", event, "post", "requestBody", "content", "application/json", "schema");
    const seen = new Set<string>();
    for (const { event, body } of rows) {
      const envelope = JSON.parse(body);
      assert.deepEqual(problemsOf(event, envelope), [], body);
      const { payload } = envelope;
      seen.add(payload.category?.method === "refund" ? "refunds" : event);
      if (payload.deletedDateTime !== undefined) seen.add("deletions");
      for (const { what, body: spoilt } of doctored(envelope))
        assert.notDeepEqual(problemsOf(event, spoilt), [], `${event}: nobody noticed a change of ${what}`);
    }
    assert.deepEqual([...seen].toSorted(), [
      "customers",
      "deletions",
      "payment_instruments",
      "payment_requests",
      "payouts",
      "refunds",
      "transactions",
    ]);
  });

  test("what a rule or a state refuses is answered as described", async () => {
    for (const [operationId, code, ask] of await refusedCalls(gateway)) {
      const placed = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
      assert.ok(placed, operationId);
      const answer = await send(placed, ask);
      assert.ok(JSON.stringify(answer.body).includes(code), `${code}: ${JSON.stringify(answer.body)}`);
      assertDescribed(operationId, answer.status, answer);
    }
  });
});

describe("contract 2: what every operation refuses is answered as described", () => {
  test("keys, scopes, browsers and queries", async () => {
    const account = await gateway.get("/management/account");
    for (const placed of operationsOf(document)) {
      const { operationId, security } = placed.operation;
      const ask = await firstSuccess(placed);
      const other = security[0].apiKey[0] === "read" ? "write" : "read";
      const { key } = await makeKey(gateway.database, account.body.id, [other]);
      const refused = async (status: number, call: Call, asked = ask) =>
        assertDescribed(operationId, status, await send(placed, asked, call));
      await refused(401, { key: null });
      await refused(401, { key: "nobody has this key, not one" });
      await refused(403, { key });
      await refused(403, { headers: { origin: "https://shop.example" } });
      await refused(400, {}, { ...ask, path: `${ask.path.split("?")[0]}?unheardof=1` });
    }
  });

  test("bodies and idempotency keys", async () => {
    const big = `{"reference":"${"x".repeat(300_000)}"}`;
    for (const placed of operationsOf(document).filter(({ method }) => method !== "get")) {
      const { operationId } = placed.operation;
      const ask = await firstSuccess(placed);
      const refused = async (status: number, call: Call) =>
        assertDescribed(operationId, status, await send(placed, { path: ask.path }, call));
      await refused(400, { body: "{" });
      await refused(400, { body: [] });
      await refused(400, { body: { unheardOf: 1 } });
      await refused(413, { body: big });
      await refused(415, { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } });
      await refused(400, { headers: { "x-idempotency-key": "two words" } });
      const once = { headers: { "x-idempotency-key": `once-${operationId}` } };
      assertDescribed(operationId, 200, await send(placed, ask, once));
      const repeated = await send(placed, ask, once);
      assertDescribed(operationId, 409, repeated);
      assert.equal(repeated.body.original.status, "done");
    }
  });

  test("ids that this merchant does not have, and sandbox paths in live mode", async () => {
    const { key } = await gateway.newMerchant({ mode: "live" });
    for (const placed of operationsOf(document)) {
      const { operationId, requestBody } = placed.operation;
      const body = requestBody?.content["application/json"].example;
      if (placed.path.includes("{")) {
        const path = placed.path.replace(/\{\w+\}/g, NO_SUCH_ID);
        assertDescribed(operationId, 404, await send(placed, { path, body }));
      }
      if (placed.operation["x-sandbox-only"] === true) {
        assertDescribed(operationId, 404, await send(placed, { path: placed.path, body }, { key }));
      }
    }
  });

  test("too many requests", async () => {
    const slow = await startTestGateway({ environment: { TIDEGATE_RATE_LIMIT: "1" } });
    try {
      const answers = await Promise.all(Array.from({ length: 4 }, () => slow.get("/events")));
      const refused = answers.find(({ status }) => status === 429);
      assert.ok(refused);
      assertDescribed("listEvents", 429, refused);
    } finally {
      await slow.stop();
    }
  });

  test("trouble on our side", () => {
    const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    for (const [error, expected] of [
      [new Error("a bug"), 500],
      [away, 503],
    ] as const) {
      const { status, body } = errorAnswer(error, "live", gateway.baseUrl);
      assertDescribed("getAccount", expected, { status, body, headers: new Headers() });
    }
  });
});
