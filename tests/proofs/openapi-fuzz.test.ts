import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OpenApiDocument } from "../../src/platform/http/openapi-shape.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { storedAccount } from "../support/debits.ts";
import { answerProblems, validatorOf } from "../support/described-answers.ts";
import { disputeOf } from "../support/disputes.ts";
import { type Answer, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { operationsOf } from "../support/openapi-rules.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { storedCard } from "../support/stored-cards.ts";
import { acceptanceProblems } from "./fuzz/acceptance.ts";
import { randomOf } from "./fuzz/generate.ts";
import { type FuzzRequest, requestOf } from "./fuzz/request-of.ts";

const REQUESTS = Number(process.env["TIDEGATE_FUZZ_REQUESTS"] ?? sized(3_000, 250_000));
const AT_ONCE = 6;

/** Its answer depends on a call to the merchant's own domain, which would leave this machine. */
const LEFT_OUT = new Set(["registerApplePayDomains"]);

/** Which parameter of a path an id belongs into, by the id's prefix. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  pr: ["paymentRequestId"],
  txn: ["transactionId", "transactionOrRefundId"],
  rfd: ["refundId", "transactionOrRefundId"],
  cus: ["customerId"],
  pi: ["paymentInstrumentId"],
  whk: ["webhookId"],
  evt: ["eventId"],
  dsp: ["disputeId"],
  po: ["payoutId"],
};
const MOST_IDS = 200;

const proof = declareProof(
  "requests made from the OpenAPI description get no 5xx, every answer matches it, and bodies are accepted when it accepts them",
  ["I20"],
);

describe("I20: requests made from the OpenAPI description", () => {
  test(`${REQUESTS} get no 5xx, and every answer matches its description`, async (context) => {
    const gateway = await startTestGateway({
      environment: {
        TIDEGATE_ROLES: "api,checkout,worker",
        TIDEGATE_RATE_LIMIT: "0",
        TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0",
      },
    });
    const counts: Record<string, number> = { requests: 0 };
    try {
      await fuzz(gateway, counts);
      await assertInvariants(gateway.database);
    } finally {
      proof.count({ "fuzzed requests": counts["requests"] ?? 0 });
      context.diagnostic(JSON.stringify(counts));
      await gateway.stop();
    }
    assert.ok((counts["status200"] ?? 0) > REQUESTS / 5, JSON.stringify(counts));
  });
});

async function fuzz(gateway: TestGateway, counts: Record<string, number>): Promise<void> {
  const document: OpenApiDocument = (await gateway.get("/openapi.json")).body;
  const validator = validatorOf(document);
  const operations = operationsOf(document).filter(({ operation }) => !LEFT_OUT.has(operation.operationId));
  const random = randomOf(seeded(proofSeed));
  const known = new Map<string, string[]>();
  const note = (id: unknown) => {
    if (typeof id !== "string") return;
    for (const place of PLACES[id.slice(0, id.indexOf("_"))] ?? []) {
      const ids = known.get(place) ?? [];
      if (ids.length < MOST_IDS) ids.push(id);
      else ids[random.below(MOST_IDS)] = id;
      known.set(place, ids);
    }
  };
  await makeSome(gateway, note);
  const send = async (request: FuzzRequest) => {
    const { operationId, method, path, body, headers } = request;
    const answer = await gateway.call(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: textOf(body) }),
    });
    counts["requests"] = (counts["requests"] ?? 0) + 1;
    counts[`status${answer.status}`] = (counts[`status${answer.status}`] ?? 0) + 1;
    assertGood(operationId, request, answer);
    note(answer.body?.id);
    for (const list of Object.values(answer.body ?? {}))
      if (Array.isArray(list)) for (const one of list) note(one?.id);
  };
  const assertGood = (operationId: string, request: FuzzRequest, answer: Answer) => {
    const what = () =>
      `${JSON.stringify(request)} was answered with ${answer.status} ${JSON.stringify(answer.body)}`;
    assert.ok(answer.status < 500, what());
    // A path that its parameters changed (`..` is none of its own) belongs to another operation, or to none.
    if (/\/(?:\.|%2E|%2F|\?|$)/i.test(request.path) && [404, 405].includes(answer.status)) return;
    assert.deepEqual(answerProblems(document, validator, operationId, answer), [], what());
    assert.deepEqual(acceptanceProblems(document, validator, request, answer), [], what());
  };
  const next = () => requestOf(document, random.pick(operations), random, known);
  let left = REQUESTS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        await send(next());
      }
    }),
  );
}

/** `JSON.stringify` leaves half a surrogate pair as an escape, which is JSON. */
function textOf(body: unknown): string {
  return JSON.stringify(body) ?? "null";
}

/** Resources of every noun, which some operations need and none makes. */
async function makeSome(gateway: TestGateway, note: (id: unknown) => void): Promise<void> {
  const shop = shopOf(gateway);
  for (const category of [{}, { captureType: "manual" }, { captureType: "manual" }]) {
    note((await payOnce(shop, { category })).transactionId);
  }
  for (const stored of [await storedCard(shop), await storedAccount(shop)]) {
    note(stored.id);
    note(stored.paymentInstrumentId);
  }
  note((await disputeOf(shop)).id);
}
