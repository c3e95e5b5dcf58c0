import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ChallengeStep, ThreeDSecure } from "../../../src/connectors/ports/three-d-secure.ts";
import { BROWSER, SECURE } from "../../support/challenges.ts";
import {
  callApi,
  eventsOf,
  getRequest,
  getTransaction,
  ok,
  openFrame,
  postForm,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { CARD_FORM, hiddenField, visitPage } from "../../support/visit-page.ts";

const SLOW_METHOD = 14_429;

describe("contract 9: the method step of 3D Secure", () => {
  let gateway: TestGateway;
  let shop: Shop;
  /** Changes what the 3D Secure connector does. */
  let change: (real: ThreeDSecure) => Partial<ThreeDSecure> = () => ({});
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        connectors: {
          ...ctx.connectors,
          getThreeDSecure: (merchant) => {
            const real = ctx.connectors.getThreeDSecure(merchant);
            return { ...real, ...change(real) };
          },
        },
      }),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  type Step = { url: string; fields: Record<string, string>; sealed: string };

  /** A payment whose bank looks at the payer's browser. */
  async function atMethod(on: Shop = shop) {
    const frame = await openFrame(on, { amount: SLOW_METHOD, category: SECURE });
    const { state, transactionId, method, result } = ok(await frame.pay({ browser: BROWSER }));
    assert.equal(state, "method");
    assert.deepEqual(result, { mode: "sandbox", status: "pending" });
    return { frame, transactionId: transactionId as string, ...(method as Step) };
  }

  const completionsOf = (transactionId: string) =>
    gateway.database.rows<{ facts: object }>(
      "select facts from sandbox_ledger where kind = 'method' and reference = $1",
      [transactionId],
    );

  for (const methodCompletion of ["Y", "N"] as const) {
    test(`14429 runs it, and the payment goes on when it ended with ${methodCompletion}`, async () => {
      const { frame, transactionId, url, fields, sealed } = await atMethod();
      const page = await postForm(shop, url, fields);
      assert.equal(page.status, 200);
      assert.match(page.body, /action="\/checkout\/3ds\/method" data-seconds="9"/);
      const done = await postForm(shop, "/checkout/3ds/method", fields);
      assert.match(done.body, /data-step="method"/);

      assert.equal(ok(await frame.outcome()).state, "pending");
      assert.equal((await getRequest(shop, frame.requestId)).paymentRequestStatus, "created");
      assert.equal(ok(await frame.continue(sealed, { methodCompletion })).state, "approved");
      const { authentication } = await getTransaction(shop, transactionId);
      assert.equal(authentication.status, "authenticated");
      const reported = await completionsOf(transactionId);
      assert.deepEqual(reported, [{ facts: { completion: methodCompletion } }]);
      assert.equal((await eventsOf(shop, transactionId)).length, 3);
    });
  }

  test("without a script that could run it there is none", async () => {
    const frame = await openFrame(shop, { amount: SLOW_METHOD, category: SECURE });
    assert.equal(ok(await frame.pay()).state, "approved");
  });

  test("browser data that no browser has is refused at its field, and nothing is recorded", async () => {
    const frame = await openFrame(shop, { amount: SLOW_METHOD, category: SECURE });
    for (const [name, wrong] of Object.entries({
      language: "x".repeat(36),
      colourDepth: 0,
      screenWidth: -1,
      screenHeight: 1.5,
      timeZoneOffset: 1_441,
      javaEnabled: "no",
    })) {
      const refused = await frame.pay({ browser: { ...BROWSER, [name]: wrong } });
      assert.deepEqual(problemsOf(refused), [`V11640 /browser/${name}`]);
    }
    assert.deepEqual(problemsOf(await frame.continue("x", { methodCompletion: "U", cres: "{}" })), [
      "V11641 /methodCompletion",
      "V11642 /cres",
    ]);
    assert.equal(ok(await frame.outcome()).state, "none");
    const widest = { ...BROWSER, language: "x".repeat(35), colourDepth: 64, timeZoneOffset: -1_440 };
    const { state, method } = ok(await frame.pay({ browser: widest }));
    assert.equal(state, "method");
    assert.equal(ok(await frame.continue(method.sealed, { methodCompletion: "Y" })).state, "approved");
  });

  test("the connector gets the browser's data, our URLs and the address as the gateway sees it", async () => {
    const seen: unknown[] = [];
    change = ({ begin }) => ({
      begin: (request, signal) => {
        const { reference: _, card, ...facts } = request;
        seen.push({ ...facts, card: card.number.slice(-4) });
        return begin(request, signal);
      },
    });
    const frame = await openFrame(shop, { category: SECURE });
    ok(await frame.pay({ browser: BROWSER }));
    const without = await openFrame(shop, { category: SECURE });
    ok(await without.pay());
    change = () => ({});
    const facts = {
      amount: 3000,
      surcharge: 0,
      currency: "AUD",
      card: "1111",
      challengeNotificationUrl: `${gateway.hostedUrl}/checkout/3ds/challenge`,
      challengeIn: "frame",
    };
    const headers = { acceptHeader: "*/*", userAgent: "node", ipAddress: "127.0.0.1" };
    assert.deepEqual(seen, [
      {
        ...facts,
        browser: { ...headers, ...BROWSER, javaScriptEnabled: true },
        methodNotificationUrl: `${gateway.hostedUrl}/checkout/3ds/method`,
      },
      { ...facts, browser: { ...headers, language: "*", javaScriptEnabled: false } },
    ]);
  });

  test("ten concurrent continuations charge once", async () => {
    const { frame, transactionId, sealed } = await atMethod();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => frame.continue(sealed, { methodCompletion: "Y" })),
    );
    assert.ok(answers.every((answer) => ["approved", "pending"].includes(ok(answer).state)));
    assert.equal(ok(await frame.outcome()).state, "approved");
    assert.equal((await eventsOf(shop, transactionId)).length, 3);
  });

  test("the sealed state must be the frame's own and unaltered", async () => {
    const [one, other] = [await atMethod(), await atMethod()];
    for (const sealed of [other.sealed, "x", one.sealed.slice(0, -20)]) {
      const refused = await one.frame.continue(sealed, { methodCompletion: "Y" });
      assert.deepEqual(problemsOf(refused), ["V11617 /sealed"]);
    }
    for (const { frame, sealed } of [one, other]) {
      assert.equal(ok(await frame.continue(sealed, { methodCompletion: "Y" })).state, "approved");
    }
  });

  test("a payer who leaves during it ends the attempt as abandoned", async () => {
    const { frame, transactionId, sealed } = await atMethod();
    ok(await frame.abandon());
    assert.equal(ok(await frame.continue(sealed, { methodCompletion: "Y" })).state, "declined");
    assert.equal((await getTransaction(shop, transactionId)).authentication.status, "abandoned");
  });

  test("a browser that does not return from it in 45 seconds has abandoned the payment", async () => {
    const before = Date.now();
    const { frame, transactionId } = await atMethod();
    const after = Date.now();
    const jobs = () =>
      gateway.database.rows<{ kind: string; dueAt: number }>(
        `select kind, extract(epoch from due_at)::float8 * 1000 as "dueAt" from jobs where subject_id = $1
         order by due_at`,
        [transactionId],
      );
    const [begun, method] = await jobs();
    assert.equal(begun?.kind, "checkout_recover_authentication");
    assert.equal(method?.kind, "checkout_recover_method");
    const from = (method?.dueAt ?? 0) - 45_000;
    assert.ok(from >= before && from <= after + 1, `due ${from - before} ms after it began, and 45 s`);
    // The deadline of the first call is not the method step's.
    const runNow = (kind: string) =>
      gateway.database.rows("update jobs set due_at = now() where subject_id = $1 and kind = $2", [
        transactionId,
        kind,
      ]);
    await runNow("checkout_recover_authentication");
    await eventually("that job has run", async () => (await jobs()).length === 1);
    assert.equal(ok(await frame.outcome()).state, "pending");
    await runNow("checkout_recover_method");
    await eventually("the attempt has ended", async () => ok(await frame.outcome()).state === "declined");
    assert.equal((await getTransaction(shop, transactionId)).authentication.status, "abandoned");
  });

  describe("followed by a challenge", () => {
    const CHALLENGE: ChallengeStep = {
      kind: "challenge",
      handover: { url: "https://bank.example/acs", fields: { creq: "e30" } },
      state: "kept",
    };

    test("a repeated end of the step gets the same challenge, and its result gets state and cres back", async () => {
      const asked: unknown[] = [];
      change = () => ({
        authenticate: async () => CHALLENGE,
        resultOf: async (_reference, challenge) => {
          asked.push(challenge);
          return { status: "Y", eci: "05", version: "2.2.0" };
        },
      });
      const { frame, sealed } = await atMethod();
      for (let time = 0; time < 2; time += 1) {
        const { state, challenge } = ok(await frame.continue(sealed, { methodCompletion: "Y" }));
        assert.equal(state, "challenge");
        assert.deepEqual({ ...challenge, sealed: "" }, { ...CHALLENGE.handover, sealed: "" });
        if (time === 0) continue;
        assert.equal(ok(await frame.continue(challenge.sealed, { cres: "e30" })).state, "approved");
      }
      assert.deepEqual(asked, [{ cres: "e30", state: "kept" }]);
      change = () => ({});
    });

    test("no error can skip a challenge that has begun, even where the merchant proceeds without 3D Secure", async () => {
      const ours = shopOf(gateway, (await gateway.newMerchant()).key);
      ok(await callApi(ours, "PUT", "/management/account", { threeDSecureUnavailable: "proceed" }));
      let calls = 0;
      let bothCalled = () => {};
      const both = new Promise<void>((resolve) => {
        bothCalled = resolve;
      });
      change = () => ({
        authenticate: async () => {
          calls += 1;
          if (calls === 1) {
            await both;
            return CHALLENGE;
          }
          if (calls === 2) {
            bothCalled();
            await eventually("the challenge has begun", async () => {
              const find = "select from transactions where id = $1 and phase = 'challenged'";
              return (await gateway.database.rows(find, [transactionId])).length === 1;
            });
          }
          throw new Error("planted");
        },
      });
      const { frame, sealed, transactionId } = await atMethod(ours);
      const go = () => frame.continue(sealed, { methodCompletion: "Y" });
      const states = (await Promise.all([go(), go()])).map((answer) => ok(answer).state);
      assert.deepEqual(new Set(states), new Set(["challenge", "pending"]));
      assert.equal(ok(await go()).state, "pending", "and later");
      ok(await frame.abandon());
      assert.equal((await getTransaction(ours, transactionId)).authentication.status, "abandoned");
      change = () => ({});
    });
  });

  describe("on the hosted page without scripts", () => {
    const open = async (amount: number) => {
      const { id, hostedPaymentPage } = await createHosted(shop, { amount, category: SECURE });
      return { id, url: hostedPaymentPage.url as string, path: new URL(hostedPaymentPage.url).pathname };
    };

    test("14429 has no method step", async () => {
      const { url } = await open(SLOW_METHOD);
      const sent = await visitPage(shop, url, CARD_FORM);
      assert.equal(sent.status, 303);
      assert.equal((await visitPage(shop, sent.location ?? "")).state, "approved");
    });

    test("a bank that wants a form post gets one from a page with a button, and may post back", async () => {
      const asked: unknown[] = [];
      change = () => ({
        begin: async ({ challengeIn, challengeNotificationUrl }) => {
          asked.push({ challengeIn, challengeNotificationUrl });
          return {
            kind: "challenge",
            handover: { url: "https://bank.example/acs", fields: { creq: "e30" } },
          };
        },
        resultOf: async (_reference, { cres }) => {
          asked.push(cres);
          return { status: "Y" };
        },
      });
      const { url, path } = await open(3000);
      const page = await visitPage(shop, url, CARD_FORM);
      assert.equal(page.status, 200);
      assert.equal(page.state, "challenge");
      assert.match(page.text, /<form [^>]*method="post" action="https:\/\/bank\.example\/acs">/);
      assert.equal(hiddenField(page, "creq"), "e30");
      assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self' https:;/);
      const cookie = (page.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
      // A post from another site brings no cookie.
      const back = await visitPage(shop, `${path}/return`, { cres: "e30=" });
      assert.equal(back.location, `${path}/return?cres=e30%3D`);
      const done = await visitPage(shop, back.location ?? "", undefined, { cookie });
      assert.equal((await visitPage(shop, done.location ?? "")).state, "approved");
      const challengeNotificationUrl = `${gateway.hostedUrl}${path}/return`;
      assert.deepEqual(asked, [{ challengeIn: "window", challengeNotificationUrl }, "e30="]);
      change = () => ({});
    });

    test("what is no cres is not passed on", async () => {
      const { path } = await open(3000);
      for (const cres of ["", "<script>", "x".repeat(8193)]) {
        const back = await visitPage(shop, `${path}/return`, { cres });
        assert.equal(back.location, `${path}/return`);
        const done = await postForm(shop, "/checkout/3ds/challenge", { cres });
        assert.match(done.body, /data-step="challenge" data-cres=""/);
      }
    });
  });
});
