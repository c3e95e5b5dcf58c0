import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorisationRequest } from "../../../src/connectors/ports/card-acquirer.ts";
import {
  advanceClock,
  answerChallenge,
  CARD,
  callApi,
  createRequest,
  createToken,
  eventsOf,
  getRequest,
  getTransaction,
  initialise,
  ok,
  openFrame,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { storedAccount } from "../../support/debits.ts";
import { notingAuthorisations } from "../../support/fake-acquirer.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import {
  AMEX,
  MASTERCARD,
  newCustomer,
  type Offered,
  openFrameFor,
  paySaved,
  removeSaved,
  savedVisa,
} from "../../support/saved-cards.ts";
import { storedCard } from "../../support/stored-cards.ts";

const REFUSED = "V11643 /savedCard/id";
const SECURE = { authenticationType: "3d_secure" };

describe("contract 3: the checkout offers the stored cards of the customer", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const called = new Map<string, AuthorisationRequest>();
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) => notingAuthorisations(ctx, called),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => shopOf(gateway, (await gateway.newMerchant()).key);
  const offeredIds = ({ shown }: { shown: { savedCards: readonly Offered[] } }) =>
    shown.savedCards.map(({ id }) => id);

  test("brand, last four and expiry, newest first, and nothing more", async () => {
    const id = await newCustomer(shop);
    const visa = await storedCard(shop, { customerRequest: { id } });
    const mastercard = await storedCard(shop, { customerRequest: { id } }, { card: { number: MASTERCARD } });
    const { shown } = await openFrameFor(shop, id);
    const { expiryMonth, expiryYear } = CARD;
    assert.deepEqual(shown.savedCards, [
      { id: mastercard.paymentInstrumentId, cardType: "mastercard", last4: "4444", expiryMonth, expiryYear },
      { id: visa.paymentInstrumentId, cardType: "visa", last4: "1111", expiryMonth, expiryYear },
    ]);
    assert.equal(shown.allowRemoval, false);
  });

  test("none without a customer, for a verification, or where cards are not accepted", async () => {
    const { id } = await savedVisa(shop);
    assert.deepEqual((await openFrame(shop)).shown.savedCards, []);
    const verifying = { amount: 0, customerRequest: { paymentInstrument: "create" } };
    assert.deepEqual((await openFrameFor(shop, id, verifying)).shown.savedCards, []);
    const wallets = { paymentMethods: ["apple_pay"] };
    assert.deepEqual((await openFrameFor(shop, id, wallets)).shown.savedCards, []);
    assert.equal((await openFrameFor(shop, id)).shown.savedCards.length, 1);
  });

  test("at most the ten newest; a bank account is not among them", async () => {
    const id = await newCustomer(shop);
    const stored: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      stored.unshift((await storedCard(shop, { customerRequest: { id } })).paymentInstrumentId);
    }
    const bankAccount = { accountName: "Ana Silva", bsb: "062000", number: "12345678" };
    ok(await callApi(shop, "POST", `/customers/${id}/paymentinstruments`, { bankAccount }));
    assert.deepEqual(offeredIds(await openFrameFor(shop, id)), stored.slice(0, 10));
  });

  test("paying with one goes to the acquirer as the payer's use of a stored card, with the security code", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const first = (await callApi(shop, "GET", `/transactions?customerid=${id}`)).body.transactions[0];
    const frame = await openFrameFor(shop, id, { customerRequest: { paymentInstrument: "create" } });
    const paid = ok(await paySaved(frame, paymentInstrumentId, { consent: true }));
    assert.equal(paid.state, "approved");
    const request = called.get(paid.transactionId);
    assert.equal(request?.initiator, "payer");
    assert.deepEqual(request?.storedCredential, {
      use: "subsequent",
      purpose: "unscheduled",
      customerId: id,
      ...(first.acquirer.networkTransactionId && {
        networkTransactionId: first.acquirer.networkTransactionId,
      }),
    });
    assert.deepEqual(
      [request?.card.number, request?.card.securityCode, request?.card.expiryYear],
      [CARD.number, CARD.securityCode, CARD.expiryYear],
    );
    const { payment, category } = await getTransaction(shop, paid.transactionId);
    assert.deepEqual(payment.instrument.customer, { id, paymentInstrumentId });
    assert.deepEqual([payment.instrument.card.last4, category.source], ["1111", "card"]);
    const done = await getRequest(shop, frame.requestId);
    assert.equal(done.paymentRequestStatus, "completed");
    assert.equal(done.customerResult, undefined, "nothing was stored");
    assert.equal((await eventsOf(shop, frame.requestId)).at(-1).payload.customerResult, undefined);
    const { paymentInstruments } = ok(await callApi(shop, "GET", `/customers/${id}/paymentinstruments`));
    assert.equal(paymentInstruments.length, 1, "consent stores no second copy");
    const uses = await gateway.database.rows(
      "select from audit_log where subject_id = $1 and act = 'number_used'",
      [paymentInstrumentId],
    );
    assert.equal(uses.length, 1, "the use of the number is on record");
  });

  test("a new card beside saved ones is stored for the same customer, as always", async () => {
    const { id } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id, { customerRequest: { paymentInstrument: "create" } });
    ok(await frame.pay({ card: { number: MASTERCARD }, consent: true }));
    assert.equal((await getRequest(shop, frame.requestId)).customerResult.id, id);
  });

  test("another customer's card, another merchant's and an unknown one are refused, and nothing is recorded", async () => {
    const mine = await savedVisa(shop);
    const theirs = await savedVisa(shop);
    const other = await newShop();
    const foreign = await savedVisa(other);
    const frame = await openFrameFor(shop, mine.id);
    const unknown = mine.paymentInstrumentId.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const id of [theirs.paymentInstrumentId, foreign.paymentInstrumentId, unknown, "pi_", mine.id]) {
      const answer = await paySaved(frame, id);
      assert.deepEqual([answer.status, problemsOf(answer)], [400, [REFUSED]], id);
    }
    const anonymous = await openFrame(shop);
    assert.deepEqual(problemsOf(await paySaved(anonymous, mine.paymentInstrumentId)), [REFUSED]);
    assert.equal((await getRequest(shop, frame.requestId)).transactionAttempts, undefined);
    ok(await paySaved(frame, mine.paymentInstrumentId));
  });

  test("a card that was deleted after the frame opened is refused", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id);
    assert.deepEqual(offeredIds(frame), [paymentInstrumentId]);
    ok(await callApi(shop, "DELETE", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));
    assert.deepEqual(problemsOf(await paySaved(frame, paymentInstrumentId)), [REFUSED]);
    assert.deepEqual(offeredIds(await openFrameFor(shop, id)), []);
  });

  test("a card is offered and accepted until its expiry month ends, in UTC", async () => {
    const own = await newShop();
    const now = new Date();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
    const lastDay = new Date(end - 1);
    const card = { expiryMonth: lastDay.getUTCMonth() + 1, expiryYear: lastDay.getUTCFullYear() };
    const id = await newCustomer(own);
    const { paymentInstrumentId } = await storedCard(own, { customerRequest: { id } }, { card });
    await advanceClock(own, Math.floor((end - Date.now()) / 1000) - 60);
    const early = await openFrameFor(own, id);
    assert.deepEqual(offeredIds(early), [paymentInstrumentId]);
    ok(await paySaved(early, paymentInstrumentId));
    await advanceClock(own, 61);
    const late = await openFrameFor(own, id);
    assert.deepEqual(offeredIds(late), []);
    assert.deepEqual(problemsOf(await paySaved(late, paymentInstrumentId)), [REFUSED]);
    // Typed, it is over by the same clock; that is reported beside other problems.
    const isOver = lastDay.getUTCMonth() === 11 ? "V10088 /card/expiryYear" : "V10087 /card/expiryMonth";
    assert.deepEqual(problemsOf(await late.pay({ card })), [isOver]);
    const wrong = await late.pay({ card: { ...card, securityCode: "1" } });
    assert.deepEqual(problemsOf(wrong), [isOver, "V10089 /card/securityCode"]);
  });

  test("a card that came from a wallet is not offered: no security code belongs to its number", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    await gateway.database.rows(
      `update payment_instruments set card = (card::jsonb || '{"wallet":"apple_pay"}')::json where id = $1`,
      [paymentInstrumentId],
    );
    const frame = await openFrameFor(shop, id);
    assert.deepEqual(offeredIds(frame), []);
    assert.deepEqual(problemsOf(await paySaved(frame, paymentInstrumentId)), [REFUSED]);
  });

  test("the security code is required, with the length of the card's scheme", async () => {
    const id = await newCustomer(shop);
    const { paymentInstrumentId } = await storedCard(shop, { customerRequest: { id } }, { card: AMEX });
    const frame = await openFrameFor(shop, id);
    const withCode = (securityCode?: string) =>
      paySaved(frame, paymentInstrumentId, { savedCard: { id: paymentInstrumentId, securityCode } });
    for (const code of [undefined, "", "12", "123", "12345", "abcd"]) {
      assert.deepEqual(problemsOf(await withCode(code)), ["V10089 /savedCard/securityCode"], code);
    }
    assert.equal(ok(await withCode("1234")).state, "approved");
  });

  test("a typed card, a saved card and a wallet exclude one another", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id);
    const both = await paySaved(frame, paymentInstrumentId, { card: CARD });
    assert.deepEqual(problemsOf(both), ["V11003 /savedCard"]);
    const wallet = { method: "apple_pay", wallet: { token: {} } };
    assert.deepEqual(problemsOf(await paySaved(frame, paymentInstrumentId, wallet)), ["V11003 /savedCard"]);
    const neither = await paySaved(frame, paymentInstrumentId, { savedCard: undefined });
    assert.deepEqual(problemsOf(neither), ["V10090 /card"]);
  });

  test("the surcharge is that of the stored card's type", async () => {
    const own = await newShop();
    const { id, paymentInstrumentId } = await savedVisa(own);
    const rates = { visa: { percent: 1, fixed: 0 }, mastercard: { percent: 2, fixed: 0 } };
    ok(await callApi(own, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
    const frame = await openFrameFor(own, id);
    assert.deepEqual(problemsOf(await paySaved(frame, paymentInstrumentId)), ["V11613 /total"]);
    const { transactionId } = ok(await paySaved(frame, paymentInstrumentId, { total: 3030 }));
    assert.equal((await getTransaction(own, transactionId)).payment.surcharge, 30);
  });

  test("3D Secure runs as for a typed card, and the stored credential goes along after the challenge", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id, { amount: 14_418, category: SECURE });
    const { state, challenge, transactionId } = ok(await paySaved(frame, paymentInstrumentId));
    assert.equal(state, "challenge");
    await answerChallenge(shop, challenge.url, "approve");
    assert.equal(ok(await frame.continue(challenge.sealed)).state, "approved");
    const request = called.get(transactionId);
    assert.deepEqual([request?.storedCredential?.use, request?.initiator], ["subsequent", "payer"]);
    assert.equal(request?.card.securityCode, CARD.securityCode);
    assert.equal((await getTransaction(shop, transactionId)).authentication.status, "authenticated");
    assert.equal((await getRequest(shop, frame.requestId)).customerResult, undefined);
  });

  test("a declined saved card leaves further attempts, and stays stored", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id, { amount: 14_419, attempts: 2 });
    const declined = ok(await paySaved(frame, paymentInstrumentId));
    assert.deepEqual([declined.state, declined.attemptsLeft], ["declined", 1]);
    const again = { previousTransactionId: declined.transactionId };
    assert.equal(ok(await paySaved(frame, paymentInstrumentId, again)).state, "approved");
    const { transactionAttempts, customerResult } = await getRequest(shop, frame.requestId);
    assert.deepEqual([transactionAttempts.length, customerResult], [1, undefined]);
    ok(await callApi(shop, "GET", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));
  });

  test("the payer can remove a saved card only where the merchant allows it", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const closed = await openFrameFor(shop, id);
    const refused = await removeSaved(closed, paymentInstrumentId);
    assert.deepEqual([refused.status, problemsOf(refused)], [403, ["V11644"]]);

    const theirs = await savedVisa(shop);
    const open = await openFrameFor(shop, id, { customerRequest: { allowRemoval: true } });
    assert.equal(open.shown.allowRemoval, true);
    assert.equal((await getRequest(shop, open.requestId)).customerRequest.allowRemoval, true);
    ok(await removeSaved(open, theirs.paymentInstrumentId));
    const kept = `/customers/${theirs.id}/paymentinstruments/${theirs.paymentInstrumentId}`;
    ok(await callApi(shop, "GET", kept));

    ok(await removeSaved(open, paymentInstrumentId));
    ok(await removeSaved(open, paymentInstrumentId));
    const path = `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;
    assert.equal((await callApi(shop, "GET", path)).status, 404);
    const removals = (await eventsOf(shop, paymentInstrumentId)).filter(
      ({ payload }: { payload: { deletedDateTime?: string } }) => payload.deletedDateTime !== undefined,
    );
    assert.equal(removals.length, 1);
    assert.deepEqual(problemsOf(await paySaved(open, paymentInstrumentId)), [REFUSED]);
    assert.deepEqual(
      await gateway.database.rows("select from vault_secrets where instrument_id = $1", [
        paymentInstrumentId,
      ]),
      [],
    );
    ok(await open.pay());
    assert.equal((await removeSaved(open, paymentInstrumentId)).status, 409, "the payment is over");
  });

  test("the payer removes saved cards only, no bank account and no wallet's card", async () => {
    const account = await storedAccount(shop);
    const { paymentInstrumentId: wallet } = await storedCard(shop, { customerRequest: { id: account.id } });
    await gateway.database.rows(
      `update payment_instruments set card = (card::jsonb || '{"wallet":"apple_pay"}')::json where id = $1`,
      [wallet],
    );
    const open = await openFrameFor(shop, account.id, { customerRequest: { allowRemoval: true } });
    for (const one of [account.paymentInstrumentId, wallet]) {
      assert.deepEqual(problemsOf(await removeSaved(open, one)), ["V11643 /id"]);
      ok(await callApi(shop, "GET", `/customers/${account.id}/paymentinstruments/${one}`));
    }
  });

  test("contract 4: with an expired token no saved card is removed", async () => {
    const own = shopOf(gateway, (await gateway.newMerchant()).key);
    const { id, paymentInstrumentId } = await savedVisa(own);
    const late = await openFrameFor(own, id, { customerRequest: { allowRemoval: true } });
    await advanceClock(own, 3_601);
    const refused = await removeSaved(late, paymentInstrumentId);
    assert.deepEqual([refused.status, problemsOf(refused)], [409, ["V11610"]]);
    ok(await callApi(own, "GET", `/customers/${id}/paymentinstruments/${paymentInstrumentId}`));
    const { session } = ok(await initialise(own, await createToken(own, late.requestId)));
    ok(await removeSaved({ ...late, session }, paymentInstrumentId));
  });

  test("allowRemoval takes true and false, and only with a customer's id", async () => {
    const id = await newCustomer(shop);
    const request = (customerRequest: object) =>
      callApi(shop, "POST", "/paymentrequests", {
        payment: { amount: 100 },
        paymentMethods: ["card"],
        transactionRequest: {},
        customerRequest,
      });
    for (const allowRemoval of [true, false]) ok(await request({ id, allowRemoval }));
    for (const bad of [
      { id, allowRemoval: "yes" },
      { allowRemoval: true },
      { name: "Ana", allowRemoval: false },
    ]) {
      assert.deepEqual(problemsOf(await request(bad)), ["V11113 /customerRequest/allowRemoval"]);
    }
  });

  test("of ten concurrent payments with a saved card one is charged", async () => {
    const { id, paymentInstrumentId } = await savedVisa(shop);
    const frame = await openFrameFor(shop, id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => paySaved(frame, paymentInstrumentId)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await getRequest(shop, frame.requestId)).transactionAttempts, undefined);
  });

  test("a request without the field behaves as before", async () => {
    const { customerRequest } = await createRequest(shop, { customerRequest: { name: "Ana" } });
    assert.deepEqual(customerRequest, { name: "Ana" });
  });
});
