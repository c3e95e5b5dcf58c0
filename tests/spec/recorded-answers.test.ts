import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { RECORDED_ANSWERS } from "../../src/platform/http/generated/recorded-answers.ts";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { operationsOf, type Placed } from "../support/openapi-rules.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { stableAnswer } from "../support/stable-answer.ts";
import { storedCard } from "../support/stored-cards.ts";
import { SUCCESSES } from "./described-calls.ts";

const FILE = "src/platform/http/generated/recorded-answers.ts";
const HEAD = `/**
 * Answers of the gateway, by operation: the examples of the API reference. Ids, times and secrets are replaced by stable ones.
 * Recorded by \`TIDEGATE_TEST_RECORD=1 npm test -- tests/spec/recorded-answers.test.ts\`; a test finds outdated ones.
 */
export const RECORDED_ANSWERS: Readonly<Record<string, object>> = `;

/** What a delivery's attempt fills in, a refund's settlement adds, and the newest event is about: all a matter of moments. */
const VARYING = [
  "attemptedDateTime",
  "error",
  "httpStatus",
  "latencyMs",
  "nextAttemptDateTime",
  "nextCursor",
  "codes",
  "payload",
];

/** Names and types of all fields, of lists those of the first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const fields = Object.entries(value).filter(([name]) => !VARYING.includes(name));
  return Object.fromEntries(fields.map(([name, inner]) => [name, shapeOf(inner)]));
}

describe("the examples at {base_url}/docs are answers of the gateway", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  /** Sends the operation's example request, or a call that succeeds where it needs no body. */
  async function answerOf({ method, operation }: Placed): Promise<unknown> {
    const [call = assert.fail(operation.operationId)] =
      (await SUCCESSES[operation.operationId]?.(gateway)) ?? [];
    const example = operation.requestBody?.content["application/json"].example;
    const body = example === undefined ? call.body : await withIds(example);
    const { status, body: answer } = await gateway.call(call.path, {
      method: method.toUpperCase(),
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(status, 200, `${operation.operationId}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async function withIds(example: unknown): Promise<string> {
    const stored = await storedCard(shopOf(gateway), {}, { card: { number: "5555555555554444" } });
    const { id } = (await gateway.post("/paymentrequests", CHECKOUT)).body;
    return JSON.stringify(example)
      .replaceAll("pr_…", id)
      .replaceAll("cus_…", stored.id)
      .replaceAll("pi_…", stored.paymentInstrumentId);
  }

  test("every recorded answer is what the gateway answers today", async () => {
    const document: OpenApiDocument = (await gateway.get("/openapi.json")).body;
    const answers: Record<string, unknown> = {};
    for (const placed of operationsOf(document)) {
      const answer = await answerOf(placed);
      // A CSV or a file is no JSON; its example is the one of its schema.
      if (typeof answer !== "object" || answer === null) continue;
      answers[placed.operation.operationId] = stableAnswer(answer, gateway);
    }
    const text = `${HEAD}${JSON.stringify(answers, undefined, 2)};\n`;
    if (process.env["TIDEGATE_TEST_RECORD"] === "1") return writeFile(FILE, text);
    assert.deepEqual(Object.keys(answers), Object.keys(RECORDED_ANSWERS), "record them again");
    assert.deepEqual(shapeOf(answers), shapeOf(RECORDED_ANSWERS), "record the answers again");
    for (const { operation } of operationsOf(document)) {
      const shown = operation.responses["200"];
      const recorded = RECORDED_ANSWERS[operation.operationId];
      if (recorded === undefined || shown === undefined || !("content" in shown)) continue;
      const [content] = Object.values(shown.content ?? {}) as { readonly example?: unknown }[];
      assert.deepEqual(content?.example, recorded, operation.operationId);
    }
  });
});
