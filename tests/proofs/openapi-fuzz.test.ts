import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Agent, setGlobalDispatcher, request as undiciRequest } from "undici";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { type AnsweredSubscriptions, answeredSubscriptions } from "../support/answered-subscriptions.ts";
import { shopOf } from "../support/checkout.ts";
import { answerProblems, validatorOf } from "../support/described-answers.ts";
import { type Answer, startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { operationsOf, type Placed } from "../support/openapi-rules.ts";
import { declareProof, proofSeed, sizedBy } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { acceptanceProblems } from "./fuzz/acceptance.ts";
import { startFacts } from "./fuzz/facts.ts";
import { isForeignUnknown, takesId } from "./fuzz/foreign-ids.ts";
import type { FuzzRequest } from "./fuzz/fuzz-request.ts";
import { randomOf } from "./fuzz/generate.ts";
import { requestOf } from "./fuzz/request-of.ts";
import { makeEach, makeSome, restoreAccount } from "./fuzz/resources.ts";
import { STATE_RULES } from "./fuzz/state-rules.ts";

const REQUESTS = sizedBy("TIDEGATE_FUZZ_REQUESTS", 3_000, 250_000);
const AT_ONCE = 6;
/** Disputes and authorisations come to an end: new ones are made after so many requests. */
const ROUND = 500;
/** So many operations get ids of another merchant after each round, and those that have not met one in their path, some times. */
const FOREIGN_EACH = 8;
const TRIES = 4;
/** The cards of the tests are good for two years at least; the requests move the clock. */
const YEAR = 365 * 24 * 60 * 60 * 1_000;

/** A connection that idles ends on this side long before the gateway ends it, so that no request can meet that end. */
const IDLE_MS = 4_000;

/** Its answer depends on a call to the merchant's own domain, which would leave this machine. */
const LEFT_OUT = new Set(["registerApplePayDomains"]);
/** Few resources are open for them, so they are tried more often. */
const OFTEN = new Set([
  "captureTransaction",
  "cancelTransaction",
  "sendDisputeEvidence",
  "acceptDispute",
  "redeliverEvent",
]);
const CHANGES_SUBSCRIPTIONS = new Set(["createWebhook", "changeWebhook"]);
/** There is no registered domain to remove, for the same reason. */
const NEVER_ACCEPTED = new Set(["removeApplePayDomains"]);

const proof = declareProof(
  "requests made from the OpenAPI description get no 5xx, every answer matches it, and a request is accepted exactly when the model accepts it; with another merchant's ids it is answered as with unknown ones; registration of Apple Pay domains is left out",
  ["I18", "I20"],
);

describe("I18, I20: requests made from the OpenAPI description", () => {
  test(`${REQUESTS} get no 5xx, every answer matches its description, and what the model accepts is accepted`, async (context) => {
    setGlobalDispatcher(new Agent({ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS }));
    const gateway = await startTestGateway({
      environment: {
        TIDEGATE_ROLES: "api,checkout,worker",
        TIDEGATE_RATE_LIMIT: "0",
        TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0",
      },
    });
    const counts: Record<string, number> = { requests: 0 };
    const subscriptions = answeredSubscriptions(gateway.database);
    try {
      const { accepted, unprobed } = await fuzz(gateway, subscriptions, counts);
      context.diagnostic(JSON.stringify(Object.fromEntries(accepted)));
      assert.deepEqual(
        [...accepted]
          .filter(([name, times]) => times === 0 && !NEVER_ACCEPTED.has(name))
          .map(([name]) => name),
        [],
        "every operation has accepted some requests",
      );
      assert.deepEqual(unprobed, [], "another merchant's id in its path was unknown to every operation");
      assert.deepEqual(await subscriptions.findViolations(), []);
    } finally {
      proof.count({
        "fuzzed requests": counts["requests"] ?? 0,
        "requests with another merchant's ids": counts["foreignIds"] ?? 0,
      });
      context.diagnostic(JSON.stringify(counts));
      await gateway.stop();
    }
    assert.ok((counts["status200"] ?? 0) > REQUESTS / 5, JSON.stringify(counts));
  });
});

test("I18: an answer that tells another merchant's id from an unknown one is noticed", async () => {
  const [facts, others] = [startFacts(() => 0), startFacts(() => 0)];
  others.note({ id: "rfd_other0" });
  const operation = { operationId: "getRefund", parameters: [], responses: {} };
  const placed = { path: "/refunds/{refundId}", method: "get", operation } as unknown as Placed;
  // It takes a known id each time.
  const known = { random: randomOf(() => 0, facts.now), facts, others };
  const ask = (statusOfForeign: number) =>
    isForeignUnknown({} as OpenApiDocument, placed, known, async ({ path }) => ({
      status: path.startsWith("/refunds/rfd_other0") ? statusOfForeign : 404,
      body: {},
    }));
  assert.equal(await ask(404), true);
  for (const status of [200, 403, 409]) await assert.rejects(ask(status), /tells another merchant's ids/);
});

test("an acceptance that stored state forbids for good is noticed", () => {
  const paid = (more: object) => ({
    payment: { totalAmount: 500, capturedAmount: 500 },
    result: {},
    ...more,
  });
  const declined = paid({ captureStatus: "captured", result: { status: "declined" } });
  const cases = [
    ["cancelPaymentRequest", "payment_request_state_conflict", { paymentRequestStatus: "completed" }],
    ["createToken", "payment_request_state_conflict", { paymentRequestStatus: "cancelled" }],
    ["createToken", "token_payment_request_flow_conflict", { hostedPaymentPage: {}, payment: {} }],
    ["captureTransaction", "transaction_capture_state_conflict", paid({ captureStatus: "voided" })],
    ["cancelTransaction", "transaction_capture_state_conflict", paid({ captureStatus: "expired" })],
    ["captureTransaction", "transaction_capture_amount_conflict", paid({ captureStatus: "uncaptured" })],
    ["createRefund", "refund_transaction_state_conflict", declined],
    ["createRefund", "refund_amount_conflict", paid({ captureStatus: "captured" })],
    ["sendDisputeEvidence", "dispute_state_conflict", { status: "under_review" }],
    ["acceptDispute", "dispute_state_conflict", { status: "lost" }],
  ] as const;
  const verdict = (operationId: string, message: string, before?: object) => {
    const params = { paymentRequestId: "it", transactionId: "it", disputeId: "it" };
    const request = { operationId, method: "POST", path: "/", params, query: [], headers: {} };
    const moments = { earliest: Date.now(), latest: Date.now() };
    const shown = { moments, contested: new Set<string>(), before: new Map([["it", before]]) };
    const body = { payment: { amount: 501 } };
    return STATE_RULES[message]?.({ request, body, query: {}, facts: startFacts(() => 0), ...shown });
  };
  for (const [operation, message, before] of cases) {
    assert.equal(verdict(operation, message, before), "breaks", `${operation} ${message}`);
    // Nothing is known, or the operation reads only.
    assert.equal(verdict(operation, message), "open");
    assert.equal(verdict("getTransaction", message, before), "open");
  }
});

type Fuzzed = {
  /** Times by operation. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Operations whose path has met no id of another merchant. */
  readonly unprobed: readonly string[];
};

async function fuzz(
  gateway: TestGateway,
  subscriptions: AnsweredSubscriptions,
  counts: Record<string, number>,
): Promise<Fuzzed> {
  const document: OpenApiDocument = (await gateway.get("/openapi.json")).body;
  const validator = validatorOf(document);
  const operations = operationsOf(document).filter(({ operation }) => !LEFT_OUT.has(operation.operationId));
  const often = operations.filter(({ operation }) => OFTEN.has(operation.operationId));
  const weighted = [...operations, ...often, ...often];
  const accepted = new Map(operations.map(({ operation }) => [operation.operationId, 0]));
  const next = seeded(proofSeed);
  const below = (limit: number) => Math.floor(next() * limit);
  const [facts, others] = [startFacts(below), startFacts(below)];
  const random = randomOf(next, facts.now);
  const shop = shopOf(gateway);
  const unprobed = new Set(operations.filter(takesId));
  await makeEach(gateway, shopOf(gateway, (await gateway.newMerchant()).key), others);
  await subscriptions.note();
  const account = (await gateway.get("/management/account")).body;
  const start = facts.now();
  const send = async (request: FuzzRequest) => {
    const { operationId } = request;
    const answered = facts.sending(request);
    const answer = await answerTo(gateway, request);
    const known = { facts, ...answered(answer) };
    counts["requests"] = (counts["requests"] ?? 0) + 1;
    counts[`status${answer.status}`] = (counts[`status${answer.status}`] ?? 0) + 1;
    if (answer.status < 300) accepted.set(operationId, (accepted.get(operationId) ?? 0) + 1);
    if (CHANGES_SUBSCRIPTIONS.has(operationId)) await subscriptions.note();
    const what = () =>
      `${JSON.stringify(request)} was answered with ${answer.status} ${JSON.stringify(answer.body)}`;
    assert.ok(answer.status < 500, what());
    // A path that its parameters changed (`..` is none of its own) belongs to another operation, or to none.
    if (Object.values(request.params).includes("..")) return;
    assert.deepEqual(answerProblems(document, validator, operationId, answer), [], what());
    assert.deepEqual(acceptanceProblems(document, validator, { request, answer }, known), [], what());
  };
  for (let left = REQUESTS; left > 0; left -= ROUND) {
    let disputed: Promise<unknown> | undefined;
    if (facts.now() - start < YEAR) {
      await restoreAccount(shop, account);
      ({ disputed } = await makeSome(gateway, shop, facts));
    }
    let inRound = Math.min(left, ROUND);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (inRound > 0) {
          inRound -= 1;
          await send(requestOf(document, random.pick(weighted), random, facts));
        }
      }),
    );
    await disputed;
    const tried = Array.from({ length: FOREIGN_EACH }, () => random.pick(operations));
    for (const placed of [...Array.from({ length: TRIES }, () => [...unprobed]).flat(), ...tried]) {
      counts["foreignIds"] = (counts["foreignIds"] ?? 0) + 1;
      if (
        await isForeignUnknown(document, placed, { random, facts, others }, (request) =>
          answerTo(gateway, request),
        )
      )
        unprobed.delete(placed);
    }
  }
  return { accepted, unprobed: [...unprobed].map(({ operation }) => operation.operationId) };
}

/** `fetch` sends no body with a GET. */
async function answerTo(
  gateway: TestGateway,
  request: FuzzRequest,
): Promise<Pick<Answer, "status" | "body">> {
  const { method, path, headers } = request;
  const body = request.body === undefined ? undefined : textOf(request.body);
  if (method !== "GET" || body === undefined) {
    const call = { method, headers, ...(body === undefined ? {} : { body }) };
    const { status, body: answered } = await gateway.call(path, call);
    return { status, body: answered };
  }
  const own = { "x-api-key": TEST_KEY, "content-type": "application/json", ...headers };
  const url = new URL(path, gateway.baseUrl.replace("localhost", "127.0.0.1"));
  const answer = await undiciRequest(url, { method, headers: own, body });
  const text = await answer.body.text();
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return { status: answer.statusCode, body: isJson ? JSON.parse(text) : text };
}

/** `JSON.stringify` leaves half a surrogate pair as an escape, which is JSON. */
function textOf(body: unknown): string {
  return JSON.stringify(body) ?? "null";
}
