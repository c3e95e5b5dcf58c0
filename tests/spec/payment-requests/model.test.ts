import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { instant } from "../../../src/kernel/time.ts";
import { withLiveAcquirer } from "../../support/fake-acquirer.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { randomRequest } from "./random-requests.ts";
import { assertErrorShape, writtenRows } from "./request-assertions.ts";
import { judge, type ModelMerchant } from "./request-model.ts";
import type { Body } from "./sample-requests.ts";
import { GOOD_LOGOS, NOW } from "./valid-requests.ts";

/** `TIDEGATE_TEST_SEED` repeats or varies a run; a failure prints its seed and the smallest failing body. */
const SEED = Number(process.env["TIDEGATE_TEST_SEED"] ?? 20_260_210);
const RUNS = Number(process.env["TIDEGATE_TEST_RUNS"] ?? 1_000);

const ALL = { cardNotPresent: true, threeDSecure: true, applePay: true, googlePay: true, payId: true };
const FEW = { ...ALL, threeDSecure: false, googlePay: false };

let gateway: TestGateway;
let merchants: readonly (ModelMerchant & { readonly key: string })[];
before(async () => {
  const environment = { TIDEGATE_ROLES: "api", TIDEGATE_RATE_LIMIT: "0" };
  gateway = await startTestGateway({ environment, now: () => instant(NOW), wrapContext: withLiveAcquirer });
  const live = await gateway.newMerchant({ mode: "live" });
  const [few, withoutPayId] = [await gateway.newMerchant(), await gateway.newMerchant({ country: "NZ" })];
  // Its acquirer offers no 3D Secure, so its choice is to go on without.
  await gateway.database.rows(
    "update merchants set capabilities = $2, three_d_secure_unavailable = 'proceed' where id = $1",
    [live.id, JSON.stringify({ ...ALL, directDebit: false })],
  );
  await gateway.put("/management/account", { capabilities: FEW }, { key: few.key });
  await gateway.put(
    "/management/account",
    { capabilities: { ...ALL, payId: false } },
    { key: withoutPayId.key },
  );
  const model = { mode: "sandbox", capabilities: ALL, today: "2026-02-10", now: NOW } as const;
  merchants = [
    { ...model, key: TEST_KEY },
    { ...model, key: live.key, mode: "live" },
    { ...model, key: few.key, capabilities: FEW },
    { ...model, key: withoutPayId.key, capabilities: { ...ALL, payId: false } },
  ];
});
after(() => gateway.stop());

describe("sections 2.1, 2.4, 2.5, 2.6 and 2.8: the gateway accepts exactly what the specification accepts", () => {
  const logos = new Set<unknown>(GOOD_LOGOS);
  const openPayIds = new Set<string>();
  const counts = { 200: 0, 400: 0, 403: 0, 409: 0 };

  /** The HTTP status that the model expects, given the PayIDs that are open by now. */
  function expected(body: Body, merchant: ModelMerchant): keyof typeof counts {
    const verdict = judge(body, merchant, logos);
    if (verdict !== "accepted") return verdict === "invalid" ? 400 : 403;
    return openPayIds.has(body.payment.instrument?.payId.value) ? 409 : 200;
  }

  test(`${RUNS} random requests, most with one or two invalid fields`, async () => {
    const before = await writtenRows(gateway);
    const merchant = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(randomRequest, merchant, async (generated, index) => {
        const body: Body = JSON.parse(JSON.stringify(generated));
        const owner = merchants[index];
        assert.ok(owner);
        const answer = await gateway.post("/paymentrequests", body, { key: owner.key });
        const wanted = expected(body, owner);
        if (answer.status === 200 && body.payment?.instrument !== undefined) {
          openPayIds.add(body.payment.instrument.payId.value);
        }
        assert.equal(answer.status, wanted, JSON.stringify(answer.body));
        counts[wanted] += 1;
        if (wanted !== 200) assertErrorShape(answer, owner.mode);
        else assert.equal(answer.body.paymentRequestStatus, "created");
      }),
      { seed: SEED, numRuns: RUNS },
    );
    const rows = await writtenRows(gateway);
    assert.equal(Number(rows["requests"]) - Number(before["requests"]), counts[200]);
    assert.equal(Number(rows["events"]) - Number(before["events"]), counts[200]);
  });

  test("every expected status occurred, and a good part was accepted", () => {
    assert.ok(counts[200] > RUNS / 5, JSON.stringify(counts));
    assert.ok(counts[400] > RUNS / 5, JSON.stringify(counts));
    assert.ok(counts[403] > RUNS / 50, JSON.stringify(counts));
  });
});
