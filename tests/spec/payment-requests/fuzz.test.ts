import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertErrorShape } from "./request-assertions.ts";
import {
  AGREEMENT,
  type Body,
  CHECKOUT,
  hostedWith,
  payIdRequest,
  placesIn,
  withValue,
} from "./sample-requests.ts";

const SEED = Number(process.env["TIDEGATE_TEST_SEED"] ?? 20_260_210);
const times = (runs: number) => ({
  seed: SEED,
  numRuns: Math.round((runs * Number(process.env["TIDEGATE_TEST_RUNS"] ?? 1_000)) / 1_000),
});

let gateway: TestGateway;
before(async () => {
  const environment = { TIDEGATE_ROLES: "api", TIDEGATE_RATE_LIMIT: "0" };
  gateway = await startTestGateway({ environment });
});
after(() => gateway.stop());

/** Any input gets a well-formed response that is never a 5xx. */
async function assertWellFormed(body: unknown): Promise<number> {
  const answer = await gateway.post("/paymentrequests", body);
  if (answer.status === 200) assert.equal(answer.body.paymentRequestStatus, "created");
  else assertErrorShape(answer, "sandbox");
  return answer.status;
}

const FULL_REQUEST: Body = {
  ...hostedWith(
    3010,
    [{ title: "Ticket", amount: 1500, quantity: 2, image: "https://shop.example/t.png", modifier: "pc" }],
    [{ title: "Post", amount: 10, adjustmentType: "Shipping", order: 1 }],
  ),
  reference: "r",
  externalReference: "e",
  expiryDateTime: new Date(Date.now() + 3_600_000).toISOString(),
  paymentMethods: ["apple_pay"],
  transactionRequest: {
    category: { frequency: "single", captureType: "auto", authenticationType: "3d_secure" },
  },
  customerRequest: { paymentInstrument: "create", name: "Ana", email: "a@shop.example" },
  agreementDetails: {
    ...AGREEMENT,
    frequency: "daily",
    frequencyCount: 1,
    startDate: "2026-01-01",
    amount: 0,
  },
};

describe("contract 2: any input gets a well-formed response and never a 5xx", () => {
  test("control: a full request is accepted", async () => {
    assert.equal(await assertWellFormed(FULL_REQUEST), 200);
  });

  test("any JSON", async () => {
    const anything = fc.jsonValue({ depthSize: "medium", stringUnit: "binary" });
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        await assertWellFormed(JSON.stringify(body));
      }),
      times(200),
    );
  });

  test("any JSON at any place of a full request", async () => {
    const places = [FULL_REQUEST, payIdRequest()].flatMap((body) =>
      placesIn(body)
        .filter((place) => place !== "")
        .map((place) => [body, place] as const),
    );
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.bigInt().map(Number),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), anything, async ([body, place], value) => {
        await assertWellFormed(withValue(body, place, value));
      }),
      times(400),
    );
  });

  test("any text in a text field is returned unchanged or refused", async () => {
    const place = fc.constantFrom(
      "/reference",
      "/externalReference",
      "/payment/description",
      "/customerRequest/name",
    );
    const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 70 }), fc.string({ unit: "grapheme" }));
    await fc.assert(
      fc.asyncProperty(place, anyText, async (where, value) => {
        const answer = await gateway.post("/paymentrequests", withValue(CHECKOUT, where, value));
        if (answer.status !== 200) return assertErrorShape(answer, "sandbox");
        const [, first = "", second] = where.split("/");
        const echoed = second === undefined ? answer.body[first] : answer.body[first][second];
        assert.equal(echoed, value);
        const read = await gateway.get(`/paymentrequests/${answer.body.id}`);
        assert.deepEqual(read.body, answer.body);
      }),
      times(150),
    );
  });

  test("bytes that are not JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        await assertWellFormed(bytes);
      }),
      times(100),
    );
  });

  test("a request with some bytes changed", async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify({ ...CHECKOUT, reference: "é🌊", customerRequest: {} }),
    );
    const change = fc.record({
      at: fc.nat({ max: bytes.length - 1 }),
      byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...Buffer.from(`"{}[]:,\\u0-e.9`))),
      how: fc.constantFrom("replace", "insert", "cut"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const list = Array.from(bytes);
        for (const { at, byte, how } of changes) {
          list.splice(at, how === "insert" ? 0 : 1, ...(how === "cut" ? [] : [byte]));
        }
        await assertWellFormed(new Uint8Array(list));
      }),
      times(200),
    );
  });
});
