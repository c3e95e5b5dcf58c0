import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { answerChallenge, callApi, getTransaction, ok, openFrame } from "../../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { findInDatabase } from "../../support/invariants.ts";

/** An American Express that nobody has, and a security code that stands out in quotation marks. */
const CANARY = { number: "371449635398431", securityCode: "7391", name: "Canary Bird" };
/** The last four digits may be known; what comes before them never. */
const SECRETS = [CANARY.number, CANARY.number.slice(0, -4), '"7391"', '\\"7391\\"'];

describe("I15: card number and security code are nowhere but in the payer's frame", () => {
  let database: TestDatabase;
  let gateway: GatewayProcess;
  const answers: Answer[] = [];
  before(async () => {
    database = await cloneDatabase();
    gateway = await startGatewayProcess(database, undefined, { TIDEGATE_LOG_LEVEL: "debug" });
    const { shop } = gateway;
    const note = (answer: Answer) => {
      answers.push(answer);
      return answer;
    };
    const category = { authenticationType: "3d_secure" };
    const store = { customerRequest: { paymentInstrument: "create" } };
    for (const wish of [{}, store, { amount: 14_451 }, { amount: 14_482 }, { category }]) {
      ok(note(await (await openFrame(shop, wish)).pay({ card: CANARY, consent: true })));
    }
    const dropped = await openFrame(shop, { amount: 14_481 });
    ok(note(await dropped.pay({ card: CANARY })));
    for (const answer of ["approve", "fail"] as const) {
      const frame = await openFrame(shop, { amount: 14_418, category });
      const { challenge } = ok(note(await frame.pay({ card: CANARY })));
      note(await answerChallenge(shop, challenge.url, answer));
      note(await frame.continue(`${challenge.sealed.slice(0, -4)}AAAA`));
      note(await frame.continue(challenge.sealed));
    }
    // What is refused is not kept either.
    const refused = await openFrame(shop);
    for (const card of [
      { ...CANARY, securityCode: "73917391" },
      { ...CANARY, number: `${CANARY.number}0` },
      { ...CANARY, expiryMonth: 13 },
      { ...CANARY, surprise: CANARY.number },
    ]) {
      note(await refused.pay({ card }));
    }
    note(await refused.pay({ card: CANARY, total: 1 }));
    await eventually("what was dropped is recovered", async () => {
      return ok(note(await dropped.outcome())).state === "approved";
    });
    for (const path of ["/transactions?limit=100", "/events?limit=100", "/paymentrequests?limit=100"]) {
      note(await callApi(shop, "GET", path));
    }
  });
  after(async () => {
    await gateway.kill();
    await database.drop();
  });

  test("not in any column of any table", async () => {
    for (const secret of [...SECRETS, "securityCode"]) {
      assert.deepEqual(await findInDatabase(database, secret), []);
    }
    assert.deepEqual(
      await findInDatabase(database, CANARY.name),
      ["customers", "events", "payment_instruments", "transactions"],
      "the twin is there",
    );
  });

  test("not in any answer, event or page", async () => {
    const texts = answers.map((answer) => JSON.stringify([answer.body, [...answer.headers]]));
    for (const text of texts) for (const secret of SECRETS) assert.ok(!text.includes(secret));
    assert.ok(
      texts.some((text) => text.includes(CANARY.name)),
      "the twin is there",
    );
  });

  test("not in any line of the log", () => {
    const log = gateway.log();
    for (const secret of SECRETS) assert.ok(!log.includes(secret));
    assert.match(log, /"route":"\/checkout\/pay"/);
  });

  test("what may be known is known", async () => {
    const { transactions } = ok(await callApi(gateway.shop, "GET", "/transactions?status=approved&limit=1"));
    const { payment } = await getTransaction(gateway.shop, transactions[0].id);
    assert.equal(payment.instrument.card.last4, "8431");
    assert.equal(payment.instrument.card.cardType, "amex");
  });
});
