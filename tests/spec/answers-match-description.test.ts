import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { API_ROUTES } from "../../src/app/routes.ts";
import { codeId } from "../../src/kernel/codes/catalogue.ts";
import { defined } from "../../src/kernel/defined.ts";
import { errorAnswer } from "../../src/platform/http/error-answer.ts";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { alteredAnswers } from "../support/altered-answers.ts";
import { shopOf } from "../support/checkout.ts";
import { answerProblems, type Validator, validatorOf } from "../support/described-answers.ts";
import { type Answer, type Call, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { operationsOf, type Placed } from "../support/openapi-rules.ts";
import { makeKey } from "../support/operator.ts";
import { CHECKOUT, HOSTED_PAGE, NO_SUCH_ID, payIdRequestBody } from "../support/request-bodies.ts";
import { storedCard } from "../support/stored-cards.ts";
import { refusedCalls, SUCCESSES } from "./described-calls.ts";
import { refusedByState, startLimitedGateway } from "./described-refusals.ts";
import type { DescribedCall } from "./described-webhook-calls.ts";

let gateway: TestGateway;
let document: OpenApiDocument;
let validator: Validator;

before(async () => {
  gateway = await startTestGateway();
  document = (await gateway.get("/openapi.json")).body;
  validator = validatorOf(document);
});
after(() => gateway.stop());

const send = (
  { method }: Placed,
  { path, body, key, at = gateway }: DescribedCall,
  extra: Call = {},
): Promise<Answer> => at.call(path, { ...defined({ body, key }), ...extra, method: method.toUpperCase() });

/** The response has that status and matches its description; altered in any way, it does not. */
function assertDescribed(operationId: string, status: number, answer: Answer): void {
  const problemsOf = (body: unknown) =>
    answerProblems(document, validator, operationId, { status: answer.status, body });
  assert.equal(answer.status, status, `${operationId}: ${JSON.stringify(answer.body)}`);
  assert.deepEqual(problemsOf(answer.body), [], operationId);
  for (const { what, body } of alteredAnswers(answer.body)) {
    assert.notDeepEqual(problemsOf(body), [], `${operationId}: the description accepts a changed ${what}`);
  }
}

async function firstSuccess({ operation }: Placed): Promise<DescribedCall> {
  const calls = await SUCCESSES[operation.operationId]?.(gateway);
  return calls?.[0] ?? assert.fail(`described-calls.ts has no successful call for ${operation.operationId}`);
}

describe("contract 2: responses match the OpenAPI description", () => {
  test("every operation has sample calls", () => {
    const described = operationsOf(document).map(({ operation }) => operation.operationId);
    assert.deepEqual(Object.keys(SUCCESSES).toSorted(), described.toSorted());
  });

  test("every successful response matches its description", async () => {
    for (const placed of operationsOf(document)) {
      const calls = (await SUCCESSES[placed.operation.operationId]?.(gateway)) ?? [];
      assert.ok(calls.length > 0);
      for (const call of calls) assertDescribed(placed.operation.operationId, 200, await send(placed, call));
    }
  });

  test("contract 3: each of the three forms of a payment request matches its description, and no mixture does", async () => {
    const problemsOf = (body: unknown) =>
      validator(body, "components", "schemas", "CreatePaymentRequestBody");
    const forms = [CHECKOUT, HOSTED_PAGE, payIdRequestBody("described")];
    for (const body of forms) {
      assert.deepEqual(problemsOf(body), []);
      assert.equal((await gateway.post("/paymentrequests", body)).status, 200);
    }
    const { transactionRequest: _, ...halfCheckout } = CHECKOUT;
    for (const body of [
      { ...HOSTED_PAGE, ...payIdRequestBody("mixed") },
      { ...CHECKOUT, ...payIdRequestBody("mixed") },
      halfCheckout,
    ]) {
      assert.notDeepEqual(problemsOf(body), []);
      assert.equal((await gateway.post("/paymentrequests", body)).status, 400);
    }
  });

  test("every operation's example request succeeds", async () => {
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

  test("spec 6: every webhook body matches the description of its event", async () => {
    const rows = await gateway.database.rows<{ event: string; body: string }>(
      "select event, body from events",
    );
    const problemsOf = (event: string, envelope: unknown) =>
      validator(envelope, "webhooks", event, "post", "requestBody", "content", "application/json", "schema");
    const seen = new Set<string>();
    for (const { event, body } of rows) {
      const envelope = JSON.parse(body);
      assert.deepEqual(problemsOf(event, envelope), [], body);
      const { payload } = envelope;
      seen.add(payload.category?.method === "refund" ? "refunds" : event);
      if (payload.deletedDateTime !== undefined) seen.add("deletions");
      for (const { what, body: altered } of alteredAnswers(envelope))
        assert.notDeepEqual(
          problemsOf(event, altered),
          [],
          `${event}: the description accepts a changed ${what}`,
        );
    }
    assert.deepEqual([...seen].toSorted(), [
      "customers",
      "deletions",
      "disputes",
      "payment_instruments",
      "payment_requests",
      "payouts",
      "refunds",
      "transactions",
    ]);
  });

  test("every refusal by a rule or a state matches its description", async (t) => {
    const limited = await startLimitedGateway();
    t.after(() => limited.stop());
    const byRule = await refusedCalls(gateway);
    const calls = [...(await refusedByState(gateway, limited)), ...byRule];
    const declared = API_ROUTES.flatMap(({ refusals = [] }) => refusals.map(codeId));
    const provoked = calls.map(([, code]) => code);
    assert.deepEqual(
      [...new Set(declared)].filter((code) => !provoked.includes(code)),
      [],
    );
    for (const [operationId, code, call] of calls) {
      const placed = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
      assert.ok(placed, operationId);
      const answer = await send(placed, call);
      assert.ok(JSON.stringify(answer.body).includes(code), `${code}: ${JSON.stringify(answer.body)}`);
      assertDescribed(operationId, answer.status, answer);
    }
  });
});

describe("contract 2: refusals common to all operations match the OpenAPI description", () => {
  test("keys, scopes, browsers and queries", async () => {
    const account = await gateway.get("/management/account");
    for (const placed of operationsOf(document)) {
      const { operationId, "x-scope": scope } = placed.operation;
      const valid = await firstSuccess(placed);
      const other = scope === "read" ? "write" : "read";
      const { key } = await makeKey(gateway.database, account.body.id, [other]);
      const refused = async (status: number, extra: Call, call = valid) =>
        assertDescribed(operationId, status, await send(placed, call, extra));
      await refused(401, { key: null });
      await refused(401, { key: "an unknown key, long enough" });
      await refused(403, { key });
      await refused(403, { headers: { origin: "https://shop.example" } });
      await refused(400, {}, { ...valid, path: `${valid.path.split("?")[0]}?unknown=1` });
    }
  });

  test("bodies and idempotency keys", async () => {
    const big = `{"reference":"${"x".repeat(300_000)}"}`;
    for (const placed of operationsOf(document).filter(({ method }) => method !== "get")) {
      const { operationId } = placed.operation;
      const valid = await firstSuccess(placed);
      const refused = async (status: number, call: Call) =>
        assertDescribed(operationId, status, await send(placed, { path: valid.path }, call));
      await refused(400, { body: "{" });
      await refused(400, { body: [] });
      await refused(400, { body: { unknown: 1 } });
      await refused(413, { body: big });
      await refused(415, { body: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } });
      await refused(400, { headers: { "x-idempotency-key": "two words" } });
      const once = { headers: { "x-idempotency-key": `once-${operationId}` } };
      assertDescribed(operationId, 200, await send(placed, valid, once));
      const repeated = await send(placed, valid, once);
      assertDescribed(operationId, 409, repeated);
      assert.equal(repeated.body.original.status, "done");
    }
  });

  test("ids of other merchants, unknown ids, and sandbox paths in live mode", async () => {
    const { key } = await gateway.newMerchant({ mode: "live" });
    const other = await gateway.newMerchant();
    for (const placed of operationsOf(document)) {
      const { operationId, requestBody } = placed.operation;
      const body = requestBody?.content["application/json"].example;
      if (placed.path.includes("{")) {
        const path = placed.path.replace(/\{\w+\}/g, NO_SUCH_ID);
        assertDescribed(operationId, 404, await send(placed, { path, body }));
        const own = await firstSuccess(placed);
        assertDescribed(operationId, 404, await send(placed, own, { key: other.key }));
        assertDescribed(operationId, 200, await send(placed, own));
      }
      if (placed.operation["x-sandbox-only"] === true) {
        assertDescribed(operationId, 404, await send(placed, { path: placed.path, body }, { key }));
      }
    }
  });

  test("429 for too many requests", async () => {
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

  test("500 for a bug, 503 for a database that is down", () => {
    const databaseDown = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    for (const [error, expected] of [
      [new Error("a bug"), 500],
      [databaseDown, 503],
    ] as const) {
      const { status, body } = errorAnswer(error, "live", gateway.baseUrl);
      assertDescribed("getAccount", expected, { status, body, headers: new Headers() });
    }
  });
});
