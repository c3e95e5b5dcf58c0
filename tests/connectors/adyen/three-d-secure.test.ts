import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthenticationRequest, ThreeDSecure } from "../../../src/connectors/ports/three-d-secure.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { cents } from "../../../src/kernel/money.ts";
import { instant } from "../../../src/kernel/time.ts";
import { DESCRIPTIONS_MISSING, findAdyenDescription } from "../../support/adyen-description.ts";
import { FAKE_3DS_AMOUNTS } from "../../support/fake-adyen-three-d-secure.ts";
import { testThreeDSecure } from "../three-d-secure-contract.ts";
import { type OpenAdyen, openAdyen, WAIT } from "./open-adyen.ts";

testThreeDSecure("Adyen", async () => {
  const adyen = await openAdyen();
  const { attempted, fails, unavailable, rejected, challenges, method } = FAKE_3DS_AMOUNTS;
  return {
    threeDSecure: adyen.acquirer.threeDSecure ?? assert.fail("no 3D Secure"),
    amounts: { Y: 3000, A: attempted, N: fails, U: unavailable, R: rejected, challenge: challenges, method },
    answer: async ({ fields }, passed) => {
      const creq = Buffer.from(fields?.["creq"] ?? "", "base64url").toString();
      const { acsTransID } = JSON.parse(creq) as { acsTransID: string };
      return adyen.fake.answerChallenge(acsTransID, passed);
    },
    close: adyen.close,
  };
});

describe("Adyen: native 3D Secure", () => {
  let adyen: OpenAdyen;
  let threeDSecure: ThreeDSecure;
  before(async () => {
    adyen = await openAdyen({ answersWithinMs: 1_000 });
    threeDSecure = adyen.acquirer.threeDSecure ?? assert.fail("no 3D Secure");
  });
  after(() => adyen.close());

  const newRequest = (
    amount: number,
    changes: Partial<AuthenticationRequest> = {},
  ): AuthenticationRequest => ({
    reference: newId("transaction", instant(Date.now())),
    amount: cents(amount),
    surcharge: cents(0),
    currency: "AUD",
    card: { number: "4111111111111111", expiryMonth: 3, expiryYear: 2030, name: "Jo Payer" },
    browser: {
      acceptHeader: "text/html",
      userAgent: "Mozilla/5.0",
      language: "en-AU",
      ipAddress: "192.0.2.1",
      javaScriptEnabled: true,
    },
    methodNotificationUrl: "https://pay.example/checkout/3ds/method",
    challengeNotificationUrl: "https://pay.example/checkout/3ds/challenge",
    challengeIn: "frame",
    ...changes,
  });

  const messageIn = (text: string | undefined) =>
    JSON.parse(Buffer.from(text ?? "", "base64url").toString()) as Record<string, string>;

  async function challenged() {
    const request = newRequest(FAKE_3DS_AMOUNTS.challenges);
    const step = await threeDSecure.begin(request, WAIT);
    if (step.kind !== "challenge") assert.fail(step.kind);
    const { acsTransID = "" } = messageIn(step.handover.fields?.["creq"]);
    const { state = assert.fail("no state") } = step;
    return { request, step, state, acsTransID };
  }

  test("an authentication without a question has the data that the acquirer needs", async () => {
    const step = await threeDSecure.begin(newRequest(3000), WAIT);
    assert.ok(step.kind === "done");
    const { dsTransactionId, cavv = "", ...data } = step.data;
    assert.equal(Buffer.from(cavv, "base64").length, 20);
    assert.match(dsTransactionId ?? "", /^[0-9a-f-]{36}$/);
    assert.deepEqual(data, {
      status: "Y",
      eci: "05",
      version: "2.2.0",
    });
  });

  test("it takes no money, and its reference is not the payment's", async () => {
    const request = newRequest(3000);
    await threeDSecure.begin(request, WAIT);
    const { body } = adyen.fake.calls.at(-1) ?? assert.fail();
    assert.equal(body["reference"], `${request.reference}-3ds`);
    assert.deepEqual(adyen.fake.ledgerOf(`${request.reference}-3ds`), { held: 0, captured: 0, refunded: 0 });
    assert.deepEqual(adyen.fake.takeNotifications(), []);
  });

  test("a repeated call gets the same answer", async () => {
    const request = newRequest(3000);
    const first = await threeDSecure.begin(request, WAIT);
    assert.deepEqual(await threeDSecure.begin(request, WAIT), first);
  });

  test("a failed one is N, without a cryptogram; one that Adyen does not do is U", async () => {
    const failed = await threeDSecure.begin(newRequest(FAKE_3DS_AMOUNTS.fails), WAIT);
    assert.ok(failed.kind === "done" && failed.data.status === "N" && failed.data.cavv === undefined);
    const none = await threeDSecure.begin(newRequest(FAKE_3DS_AMOUNTS.unreadable), WAIT);
    assert.deepEqual(none, { kind: "done", data: { status: "U" } });
  });

  test("the method step posts the issuer our URL; then the issuer answers, however it ended", async () => {
    for (const completion of ["Y", "N"] as const) {
      const request = newRequest(FAKE_3DS_AMOUNTS.method);
      const step = await threeDSecure.begin(request, WAIT);
      if (step.kind !== "method") assert.fail(step.kind);
      const { url, fields } = step.handover;
      assert.equal(url, "https://acs.example/method");
      const data = messageIn(fields?.["threeDSMethodData"]);
      assert.equal(data["threeDSMethodNotificationURL"], request.methodNotificationUrl);
      assert.ok(data["threeDSServerTransID"]);
      const { state = "" } = step;
      const next = await threeDSecure.authenticate(request, { completion, state }, WAIT);
      assert.equal(next.kind === "done" && next.data.status, "Y");
    }
  });

  test("without our URL for it the method step is skipped", async () => {
    const { methodNotificationUrl: _, ...request } = newRequest(FAKE_3DS_AMOUNTS.method);
    const step = await threeDSecure.begin(request, WAIT);
    assert.equal(step.kind === "done" && step.data.status, "Y");
  });

  test("a challenge is a form post with a creq that names neither payment nor card", async () => {
    const { request, step } = await challenged();
    assert.equal(step.handover.url, "https://acs.example/challenge");
    const creq = messageIn(step.handover.fields?.["creq"]);
    assert.deepEqual([creq["messageType"], creq["messageVersion"]], ["CReq", "2.2.0"]);
    assert.ok(creq["acsTransID"] && creq["threeDSServerTransID"]);
    const text = JSON.stringify([step.handover, creq]);
    assert.ok(!text.includes(request.reference) && !text.includes(request.card.number.slice(-4)));
  });

  for (const passed of [true, false]) {
    test(`the issuer's word is the result of a challenge (passed: ${passed}), not the browser's`, async () => {
      const { request, state, acsTransID } = await challenged();
      const { reference } = request;
      const forged = Buffer.from(JSON.stringify({ transStatus: "Y" })).toString("base64url");
      for (const challenge of [
        {},
        { state },
        { cres: forged },
        { cres: "x", state },
        { cres: forged, state },
      ])
        assert.equal(await threeDSecure.resultOf(reference, challenge, WAIT), "open");
      const cres = adyen.fake.answerChallenge(acsTransID, passed);
      const data = await threeDSecure.resultOf(reference, { cres, state }, WAIT);
      assert.equal(data !== "open" && data.status, passed ? "Y" : "N");
      assert.deepEqual(await threeDSecure.resultOf(reference, { cres, state }, WAIT), data);
    });
  }

  test("an error or silence is U at the beginning, and leaves a challenge open", async () => {
    for (const fault of [
      { does: "answer", status: 500 },
      { does: "answer", status: 401 },
      { does: "say", text: "<html>" },
      { does: "hang", after: false },
    ] as const) {
      adyen.fake.fault("/payments", fault);
      assert.deepEqual(await threeDSecure.begin(newRequest(3000), WAIT), {
        kind: "done",
        data: { status: "U" },
      });
      const { request, state, acsTransID } = await challenged();
      const cres = adyen.fake.answerChallenge(acsTransID, true);
      adyen.fake.fault("/details", fault);
      assert.equal(await threeDSecure.resultOf(request.reference, { cres, state }, WAIT), "open");
    }
  });

  test("every request is valid against Adyen's own description, and so is what the fake answers", (t) => {
    const description = findAdyenDescription();
    if (description === undefined) return t.skip(DESCRIPTIONS_MISSING);
    assert.ok(adyen.fake.calls.some(({ path }) => path === "/payments/details"));
    for (const { path, body } of adyen.fake.calls)
      assert.deepEqual(description.requestProblems(path, body), [], path);
    for (const { path, status, body } of adyen.fake.answers)
      assert.deepEqual(description.answerProblems(path, status, body), [], path);
    return undefined;
  });
});
