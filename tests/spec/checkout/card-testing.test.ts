import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { asPayerSees } from "../../../src/features/card-testing/index.ts";
import type { Transaction } from "../../../src/features/transactions/index.ts";
import { defined } from "../../../src/kernel/defined.ts";
import { instant } from "../../../src/kernel/time.ts";
import type { Context } from "../../../src/platform/context.ts";
import { startAdyenGateway } from "../../support/adyen-gateway.ts";
import { assertRefused } from "../../support/answers.ts";
import {
  type Attempt,
  type AttemptAnswer,
  attack,
  attackWith,
  cardOf,
  DECLINED,
} from "../../support/card-tester.ts";
import {
  answerChallenge,
  CARD,
  callApi,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { FAKE_AMOUNTS } from "../../support/fake-adyen-answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { MASTERCARD, openFrameFor, savedVisa } from "../../support/saved-cards.ts";
import { chargeOf, type Stored, storedCard } from "../../support/stored-cards.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

const many = (count: number, attempt: (n: number) => Attempt): readonly Attempt[] =>
  Array.from({ length: count }, (_, n) => attempt(n));

/** Another network for each attempt. */
const elsewhere = (n: number) => `198.${18 + Math.floor(n / 250)}.${n % 250}.7`;

/** An acquirer answered, and so every other attempt was refused with how long to wait. */
function reached(answers: readonly AttemptAnswer[]): number {
  for (const { status, retryAfter, body } of answers) {
    if (status === 200) continue;
    assert.equal(status, 429, JSON.stringify(body));
    assert.equal(body.result.codes[0].id, "V11619");
    assert.match(retryAfter ?? "", /^[1-9]\d*$/);
  }
  return answers.filter(({ status }) => status === 200).length;
}

/** The steps of the address in the audit log. */
async function noted({ database }: TestGateway, merchantId: string): Promise<readonly string[]> {
  const entries = await database.rows<{ detail: string }>(
    "select detail from audit_log where act = 'card_testing' and merchant_id = $1 order by id",
    [merchantId],
  );
  return entries.map(({ detail }) => detail).filter((detail) => detail.startsWith("address"));
}

async function assertCounted(gateway: TestGateway, ...steps: readonly string[]): Promise<void> {
  const metrics: string = (await gateway.get("/metrics", { key: null })).body;
  for (const step of steps)
    assert.match(metrics, new RegExp(`tidegate_card_testing_total\\{step="${step}"\\} [1-9]`));
}

describe("contract 13: card testing", () => {
  let gateway: TestGateway;
  let ctx: Context;
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_TRUSTED_PROXIES: "127.0.0.1" },
      wrapContext: (made) => {
        ctx = made;
        return made;
      },
    });
  });
  after(() => gateway.stop());
  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const authorisations = async () => {
    const rows = await gateway.database.rows("select 1 from sandbox_ledger where kind = 'authorisation'");
    return rows.length;
  };

  /** How many attempts were slowed down. */
  const slowedDown = async () => {
    const metrics: string = (await gateway.get("/metrics", { key: null })).body;
    const lines = metrics.split("\n").filter((line) => line.startsWith("tidegate_card_testing_total{"));
    const counts = lines.filter((line) => line.includes('step="slow_down"'));
    assert.ok(counts.length > 0, metrics);
    return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  };

  test("of 150 declined attempts from one address at most 60 reach the acquirer, those made at once too", async () => {
    const shop = await newShop();
    const earlier = await authorisations();
    const answers = await attack(
      shop,
      many(150, (n) => ({ number: cardOf(String(411_200 + n), n) })),
      50,
    );
    const count = reached(answers);
    assert.equal((await authorisations()) - earlier, count);
    assert.ok(count >= 40 && count <= 60, `${count}`);
    // Another address pays as always.
    const [other] = await attack(shop, [{ amount: 3000, from: "203.0.113.9" }]);
    assert.equal(other?.body.state, "approved");
  });

  test("of 30 security codes on one card at most 20 reach the acquirer", async () => {
    const shop = await newShop();
    const codes = many(30, (n) => ({ securityCode: String(100 + n), from: elsewhere(n) }));
    const count = reached(await attack(shop, codes));
    assert.ok(count >= 10 && count <= 20, `${count}`);
    const [another] = await attack(shop, [{ amount: 3000, number: "5555555555554444", from: elsewhere(77) }]);
    assert.equal(another?.body.state, "approved");
  });

  test("a failed challenge is taken out of the counters once, however often its end is sent", async () => {
    const { id, key } = await gateway.newMerchant();
    const shop = shopOf(gateway, key);
    const risk = async () => {
      const rows = await gateway.database.rows<{ risk: number }>(
        "select risk from card_testing_counters where merchant_id = $1 and kind = 'card'",
        [id],
      );
      return rows[0]?.risk ?? 0;
    };
    await attack(
      shop,
      many(9, (n) => ({ securityCode: String(100 + n), from: elsewhere(n) })),
      1,
    );
    const before = await risk();
    assert.ok(before > 7, `${before}`);
    const frame = await openFrame(shop, { amount: 14418, category: { authenticationType: "3d_secure" } });
    const { challenge } = ok(await frame.pay({ card: { ...CARD, securityCode: "999" } }));
    ok(await answerChallenge(shop, challenge.url, "fail"));
    const ends = await Promise.all(Array.from({ length: 20 }, () => frame.continue(challenge.sealed)));
    assert.deepEqual([...new Set(ends.map(({ body }) => body.state))], ["declined"]);
    // The next attempt is counted after what the ended one took back.
    await attack(shop, [{ securityCode: "555", from: elsewhere(99) }]);
    const afterwards = await risk();
    assert.ok(afterwards > before - 0.5, `${before}, then ${afterwards}`);
  });

  test("a security code that only refused attempts have tried is not known", async () => {
    const shop = await newShop();
    const answers: AttemptAnswer[] = [];
    for (let n = 0; n < 30; n += 1) {
      const guess = { securityCode: String(300 + n), from: elsewhere(n) };
      const [refused] = await attack(shop, [{ ...guess, total: 1 }]);
      const codes = refused?.body.result.codes.map(({ message }: { message: string }) => message);
      assert.ok(
        ["checkout_total_changed", "checkout_attempts_too_many"].includes(codes[0]),
        JSON.stringify(refused?.body),
      );
      answers.push(...(await attack(shop, [guess])));
    }
    const count = reached(answers);
    assert.ok(count >= 10 && count <= 20, `${count}`);
  });

  test("the same security code on one card is not a search for it", async () => {
    const shop = await newShop();
    const answers = await attack(
      shop,
      many(26, (n) => ({ from: elsewhere(n) })),
    );
    assert.equal(reached(answers), 26);
  });

  test("of 120 cards of one BIN at most 60 reach the acquirer", async () => {
    const shop = await newShop();
    const cards = many(120, (n) => ({ number: cardOf("411111", n), from: elsewhere(n) }));
    const count = reached(await attack(shop, cards));
    assert.ok(count >= 40 && count <= 60, `${count}`);
  });

  test("of 150 attempts at a merchant whose decline ratio explodes at most 100 reach the acquirer", async () => {
    const shop = await newShop();
    const cards = many(150, (n) => ({ number: cardOf(String(420_000 + n), n), from: elsewhere(n) }));
    const usual = cards.slice(0, 10).map((card) => ({ ...card, amount: 3000 }));
    assert.equal(reached(await attack(shop, usual)), 10);
    const count = reached(await attack(shop, cards, 20));
    assert.ok(count >= 70 && count <= 100, `${count}`);
    // Another merchant is not affected.
    await payOnce(await newShop());
  });

  test("120 approvals before don't let more of an address or a BIN reach the acquirer; a merchant's limit is about the share", async () => {
    const shop = await newShop();
    const from = "203.0.113.40";
    const usual = many(120, (n) => ({ number: cardOf("411111", n), from, amount: 3000 }));
    assert.equal(reached(await attack(shop, usual)), 120);

    const cards = many(120, (n) => ({ number: cardOf("411111", 500 + n), from: elsewhere(n) }));
    const ofBin = reached(await attack(shop, cards, 30));
    assert.ok(ofBin >= 40 && ofBin <= 60, `${ofBin} of one BIN`);
    ok(await callApi(shop, "PUT", "/management/account", { cardTesting: { merchant: 1_000 } }));
    const fromOne = many(150, (n) => ({ number: cardOf(String(440_000 + n), n), from }));
    const ofAddress = reached(await attack(shop, fromOne, 30));
    assert.ok(ofAddress >= 40 && ofAddress <= 60, `${ofAddress} from one address`);
  });

  describe("with saved cards", () => {
    type Guess = { readonly securityCode?: string; readonly amount?: number; readonly from?: string };
    async function payWithSaved(shop: Shop, card: Stored, guess: Guess): Promise<AttemptAnswer> {
      const { securityCode = "123", amount = DECLINED, from } = guess;
      const frame = await openFrameFor(shop, card.id, { amount });
      const begun = performance.now();
      const savedCard = { id: card.paymentInstrumentId, securityCode };
      const response = await fetch(`${shop.hostedUrl.replace("localhost", "127.0.0.1")}/checkout/pay`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-checkout-session": frame.session,
          ...(from === undefined ? {} : { "x-forwarded-for": from }),
        },
        body: JSON.stringify({ method: "card", savedCard, total: amount, consent: false }),
      });
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        body: await response.json(),
        milliseconds: performance.now() - begun,
      };
    }

    test("of 30 security codes on one at most 20 reach the acquirer, and typing its number is no way around", async () => {
      const shop = await newShop();
      const card = await savedVisa(shop);
      const earlier = await authorisations();
      const guesses = many(30, (n) => ({ securityCode: String(100 + n), from: elsewhere(n) }));
      const count = reached(await attackWith(guesses, (guess) => payWithSaved(shop, card, guess)));
      assert.ok(count >= 10 && count <= 20, `${count}`);
      assert.equal((await authorisations()) - earlier, count);
      const [typed] = await attack(shop, [{ securityCode: "777", from: elsewhere(40) }]);
      assert.equal(typed?.status, 429, "the same number, typed");
      // The customer's other card pays as always.
      const other = await storedCard(
        shop,
        { customerRequest: { id: card.id } },
        { card: { number: MASTERCARD } },
      );
      const paid = await payWithSaved(shop, other, { amount: 3000, from: elsewhere(41) });
      assert.equal(paid.body.state, "approved");
    });

    test("of 30 security codes in charges of one at most 20 reach the acquirer, and the checkout is no way around", async () => {
      const shop = await newShop();
      const card = await savedVisa(shop);
      const earlier = await authorisations();
      const charge = (cvn?: string, headers = {}) => {
        const input = defined({ amount: DECLINED, cvn });
        return callApi({ ...shop, headers }, "POST", "/transactions", chargeOf(card, input));
      };
      const first = ok(await charge("100", { "x-idempotency-key": "first-guess" }));
      const answers = [];
      for (let n = 1; n < 30; n += 1) answers.push(await charge(String(100 + n)));
      const count = 1 + answers.filter(({ status }) => status === 200).length;
      assert.ok(count >= 10 && count <= 20, `${count}`);
      assert.equal((await authorisations()) - earlier, count);
      const last = answers.at(-1) ?? assert.fail();
      assertRefused(last, 429, "V11619");
      assert.match(last.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      const saved = await payWithSaved(shop, card, { securityCode: "777", from: elsewhere(40) });
      assert.equal(saved.status, 429, "in the checkout");
      const repeat = await charge("100", { "x-idempotency-key": "first-guess" });
      assert.equal(repeat.body.original.id, first.id, "a repeat is one, also at the limit");
      // Without a code nothing is guessed.
      assert.equal(ok(await charge()).result.status, "declined");
    });

    test("the same code in charges of one card again and again is no search for it", async () => {
      const shop = await newShop();
      const card = await savedVisa(shop);
      for (let n = 0; n < 26; n += 1) {
        const input = { amount: DECLINED, cvn: "123" };
        ok(await callApi(shop, "POST", "/transactions", chargeOf(card, input)));
      }
    });

    test("of 100 declined attempts with any amounts from one address at most 60 reach the acquirer", async () => {
      const shop = await newShop();
      const cards = [await savedVisa(shop), await savedVisa(shop)];
      const amounts = [14405, 14451, 14457, 14462];
      const attempts = many(100, (n) => ({ amount: amounts[n % 4] ?? DECLINED }));
      const answers = await attackWith([...attempts.entries()], ([n, attempt]) =>
        payWithSaved(shop, cards[n % 2] ?? assert.fail(), attempt),
      );
      const count = reached(answers);
      assert.ok(count >= 30 && count <= 60, `${count}`);
    });
  });

  test("three declines in a row change nothing for a payer", async () => {
    const shop = await newShop();
    const earlier = await slowedDown();
    const answers = await attack(
      shop,
      many(3, (n) => ({ securityCode: String(200 + n) })),
      1,
    );
    for (const { body } of answers) assert.equal(body.result.codes[0].id, "D04405");
    const [paid] = await attack(shop, [{ amount: 3000 }]);
    assert.equal(paid?.body.state, "approved");
    assert.equal(await slowedDown(), earlier);
  });

  test("close to a limit a payment is slower, a live payer sees a general decline, the API the exact code; it is on record", async () => {
    const { id: merchantId, key } = await gateway.newMerchant();
    const shop = shopOf(gateway, key);
    ok(await callApi(shop, "PUT", "/management/account", { cardTesting: { address: 10 } }));
    const earlier = await slowedDown();
    const from = "203.0.113.20";
    const answers = await attack(
      shop,
      many(12, () => ({ from })),
      1,
    );
    const codes = answers.map(({ body }) => body.result.codes[0].id);
    assert.deepEqual(codes, [...Array(10).fill("D04405"), ...Array(2).fill("V11619")], codes.join());
    assert.ok((answers[6]?.milliseconds ?? 0) > 900, "slowed down");
    assert.ok((await slowedDown()) > earlier, "and counted");
    const seventh = await getTransaction(shop, answers[6]?.body.transactionId);
    assert.equal(seventh.result.codes[0].id, "D04405");
    assert.equal(seventh.authentication, undefined);
    const attempt = { merchantId, id: seventh.id, status: "declined" } as const;
    const shown = async (mode: "sandbox" | "live", code: string) =>
      (await asPayerSees(ctx, { mode }, { ...attempt, code } as Transaction)).code;
    assert.equal(await shown("live", "do_not_honour"), "declined");
    assert.equal(await shown("live", "downstream_error"), "downstream_error");
    assert.equal(await shown("sandbox", "do_not_honour"), "do_not_honour");
    assert.deepEqual(await noted(gateway, merchantId), ["address slow_down", "address refuse"]);
    await assertCounted(gateway, "slow_down", "refuse");
  });

  test("in the sandbox an amount means the same close to a limit: 3D Secure is for requests that ask for it", async () => {
    const shop = await newShop();
    ok(await callApi(shop, "PUT", "/management/account", { cardTesting: { address: 10 } }));
    const declined = many(8, () => ({}));
    assert.equal(reached(await attack(shop, declined, 1)), 8);
    for (const amount of [14417, 14418, 14428]) {
      const [paid] = await attack(shop, [{ amount }]);
      assert.equal(paid?.body.state, "approved", `${amount}`);
      assert.ok((paid?.milliseconds ?? 0) > 900, "close to the limit");
      assert.equal((await getTransaction(shop, paid?.body.transactionId)).authentication, undefined);
    }
    const frame = await openFrame(shop, { amount: 14418, category: { authenticationType: "3d_secure" } });
    assert.equal(ok(await frame.pay()).state, "challenge");
  });

  test("a page without scripts says to wait, with 429", async () => {
    const shop = await newShop();
    ok(await callApi(shop, "PUT", "/management/account", { cardTesting: { address: 6 } }));
    const open = async (amount: number) =>
      (await createHosted(shop, { amount })).hostedPaymentPage.url as string;
    for (let count = 0; count < 6; count += 1) {
      const sent = await visitPage(shop, await open(14451), CARD_FORM);
      assert.equal(sent.status, 303);
    }
    const refused = await visitPage(shop, await open(3000), CARD_FORM);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /Too many payments were declined just now/);
  });

  test("limits are the merchant's own, from 6 on, and null restores a default", async () => {
    const shop = await newShop();
    const set = (cardTesting: object) => callApi(shop, "PUT", "/management/account", { cardTesting });
    assert.deepEqual(ok(await set({ card: 6, bin: 1_000_000 })).cardTesting, {
      address: 45,
      bin: 1_000_000,
      card: 6,
      merchant: 80,
    });
    for (const wrong of [5, 1_000_001, 6.5, "6", {}]) {
      const answer = await set({ card: wrong });
      assert.deepEqual(
        answer.body.result.codes.map((code: { id: string; field: string }) => [code.id, code.field]),
        [["V11318", "/cardTesting/card"]],
      );
    }
    assert.equal(ok(await set({ card: null })).cardTesting.card, 15);
    const live = await gateway.newMerchant({ mode: "live" });
    const change = { cardTesting: { card: 20 } };
    const refused = await callApi(shopOf(gateway, live.key), "PUT", "/management/account", change);
    assert.equal(refused.status, 403);
  });
});

describe("contract 13: card testing, in live mode", () => {
  test("from four fifths of a limit 3D Secure is required, also of a request that does not ask for it", async (t) => {
    const adyen = await startAdyenGateway();
    t.after(() => adyen.stop());
    const { gateway } = adyen;
    const { shop } = await adyen.newLiveShop();
    const account = async () => ok(await callApi(shop, "GET", "/management/account"));
    const { id } = await account();
    await gateway.database.rows(`update merchants set card_testing = '{"address": 10}' where id = $1`, [id]);
    await eventually("the limit is seen", async () => (await account()).cardTesting.address === 10);
    const attempts = many(12, () => ({ amount: FAKE_AMOUNTS.insufficientFunds }));
    const answers = await attack(shop, attempts, 1);
    assert.equal(reached(answers), 10);
    const authenticated = answers.slice(0, 10).map(async ({ body }) => {
      const { authentication } = await getTransaction(shop, body.transactionId);
      return authentication?.status;
    });
    assert.deepEqual(await Promise.all(authenticated), [
      ...Array(8).fill(undefined),
      ...Array(2).fill("authenticated"),
    ]);
    const steps = ["address slow_down", "address three_d_secure", "address refuse"];
    assert.deepEqual(await noted(gateway, id), steps);
    await assertCounted(gateway, "slow_down", "three_d_secure", "refuse");
  });
});

describe("contract 13: card testing, on several nodes", () => {
  test("limits hold across nodes and restarts, and the address is the socket's", async (t) => {
    // Time stands still: counts fade.
    const moment = instant(Date.now());
    const now = () => moment;
    const first = await startTestGateway({ now });
    t.after(() => first.stop());
    const second = await startTestGateway({ now, database: first.database });
    const shops: readonly Shop[] = [shopOf(first), shopOf(second)];
    const attempts = many(100, (n) => ({ number: cardOf(String(430_000 + n), n), from: elsewhere(n) }));
    const answers = await Promise.all(
      shops.map((shop, node) => attack(shop, attempts.slice(node * 50, node * 50 + 50))),
    );
    await second.stop();
    const count = reached(answers.flat());
    assert.ok(count >= 40 && count <= 60, `${count}`);
    const third = await startTestGateway({ now, database: first.database });
    const [again] = await attack(shopOf(third), [{ from: elsewhere(1) }]);
    await third.stop();
    assert.equal(again?.status, 429);
  });
});
