import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { answerChallenge, callApi, getTransaction, ok, openFrame } from "../../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/gateway.ts";
import { type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { findInDatabase } from "../../support/invariants.ts";
import { openFrameFor, paySaved } from "../../support/saved-cards.ts";
import { storedCard } from "../../support/stored-cards.ts";

/** A test American Express number, and a security code that is searched for within quotation marks. */
const CANARY = { number: "371449635398431", securityCode: "7391", name: "Canary Bird" };
/** The last four digits may appear; the digits before them never. */
const SECRETS = [CANARY.number, CANARY.number.slice(0, -4), '"7391"', '\\"7391\\"'];

describe("I15: card number and security code leave the payer's frame only for the acquirer", () => {
  let database: TestDatabase;
  let gateway: GatewayProcess;
  const answers: Answer[] = [];
  before(async () => {
    database = await cloneDatabase();
    gateway = await startGatewayProcess(database, undefined, { TIDEGATE_LOG_LEVEL: "debug" });
    const { shop } = gateway;
    const record = (answer: Answer) => {
      answers.push(answer);
      return answer;
    };
    const category = { authenticationType: "3d_secure" };
    const store = { customerRequest: { paymentInstrument: "create" } };
    for (const overrides of [{}, store, { amount: 14_451 }, { amount: 14_482 }, { category }]) {
      ok(record(await (await openFrame(shop, overrides)).pay({ card: CANARY, consent: true })));
    }
    const { id: customer, paymentInstrumentId } = await storedCard(shop, {}, { card: CANARY });
    const returning = await openFrameFor(shop, customer);
    const savedCard = { id: paymentInstrumentId, securityCode: CANARY.securityCode };
    ok(record(await paySaved(returning, paymentInstrumentId, { savedCard })));
    const dropped = await openFrame(shop, { amount: 14_481 });
    ok(record(await dropped.pay({ card: CANARY })));
    for (const answer of ["approve", "fail"] as const) {
      const frame = await openFrame(shop, { amount: 14_418, category });
      const { challenge } = ok(record(await frame.pay({ card: CANARY })));
      record(await answerChallenge(shop, challenge.url, answer));
      record(await frame.continue(`${challenge.sealed.slice(0, -4)}AAAA`));
      record(await frame.continue(challenge.sealed));
    }
    // Refused input is not stored either.
    const refused = await openFrame(shop);
    for (const card of [
      { ...CANARY, securityCode: "73917391" },
      { ...CANARY, number: `${CANARY.number}0` },
      { ...CANARY, expiryMonth: 13 },
      { ...CANARY, surprise: CANARY.number },
    ]) {
      record(await refused.pay({ card }));
    }
    record(await refused.pay({ card: CANARY, total: 1 }));
    await eventually("the dropped payment is recovered", async () => {
      return ok(record(await dropped.outcome())).state === "approved";
    });
    for (const path of ["/transactions?limit=100", "/events?limit=100", "/paymentrequests?limit=100"]) {
      record(await callApi(shop, "GET", path));
    }
  });
  after(async () => {
    await gateway.kill();
    await database.drop();
  });

  test("neither is in any column of any table", async () => {
    for (const secret of [...SECRETS, 'securityCode"']) {
      assert.deepEqual(await findInDatabase(database, secret), []);
    }
    assert.deepEqual(
      await findInDatabase(database, CANARY.name),
      ["customers", "events", "payment_instruments", "transactions"],
      "control: the cardholder name is found",
    );
  });

  test("neither is in any response, event or page", async () => {
    const texts = answers.map((answer) => JSON.stringify([answer.body, [...answer.headers]]));
    for (const text of texts) for (const secret of SECRETS) assert.ok(!text.includes(secret));
    assert.ok(
      texts.some((text) => text.includes(CANARY.name)),
      "control: the cardholder name is found",
    );
  });

  test("neither is in any log line", () => {
    const log = gateway.log();
    for (const secret of SECRETS) assert.ok(!log.includes(secret));
    assert.match(log, /"route":"\/checkout\/pay"/);
  });

  test("the last four digits and the card type are readable", async () => {
    const { transactions } = ok(await callApi(gateway.shop, "GET", "/transactions?status=approved&limit=1"));
    const { payment } = await getTransaction(gateway.shop, transactions[0].id);
    assert.equal(payment.instrument.card.last4, "8431");
    assert.equal(payment.instrument.card.cardType, "amex");
  });
});
