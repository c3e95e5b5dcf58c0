import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { REVERSE_LATE_JOB } from "../../../src/features/acquirer-reconciliation/reverse-late-approval.ts";
import { REVERSAL_JOBS } from "../../../src/features/transactions/queries.ts";
import { approve, decline } from "../../../src/kernel/codes/outcomes.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { cents } from "../../../src/kernel/money.ts";
import type { Log } from "../../../src/platform/log/log.ts";
import { watchChanges } from "../../support/changes-seen.ts";
import {
  answerChallenge,
  callApi,
  createRequest,
  getTransaction,
  initialise,
  ok,
  openFrame,
  payOnce,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { createFakeHosts } from "../../support/fake-host.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { findViolations } from "../../support/invariants.ts";
import { openFrameFor, paySaved } from "../../support/saved-cards.ts";
import { chargeOf, storedCard } from "../../support/stored-cards.ts";
import { tryCommand } from "../../support/typed-command.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

type Moved = {
  readonly acquirer: { readonly connector: string };
  readonly result: { readonly status: string };
  readonly updatedDateTime: string;
};

const MASTERCARD = "5555555555554444";

describe("contract 12: acquirer accounts", () => {
  const hosts = createFakeHosts();
  const { wrapContext } = hosts;
  /** Warnings and errors of the log. */
  const said: { readonly subjectId?: unknown; readonly message: string }[] = [];
  const note: Log["warn"] = ({ subjectId }, message) => said.push({ subjectId, message });
  const changes = watchChanges();
  let gateway: TestGateway;
  let folder: string;
  before(async () => {
    gateway = await startTestGateway({
      wrapContext: (ctx) =>
        wrapContext(changes.watch({ ...ctx, log: { ...ctx.log, warn: note, error: note } })),
    });
    folder = await mkdtemp(join(tmpdir(), "tidegate-acquirers-"));
  });
  after(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  const type = (...words: readonly string[]) => tryCommand({ ...gateway, wrapContext }, "acquirer", ...words);

  async function settingsFile(settings: unknown): Promise<string> {
    const path = join(folder, `${Math.random().toString(36).slice(2)}.json`);
    await writeFile(path, typeof settings === "string" ? settings : JSON.stringify(settings));
    return path;
  }

  async function add(merchantId: string, settings: object, ...more: readonly string[]): Promise<string> {
    const file = await settingsFile(settings);
    const words = ["--merchant", merchantId, "--connector", "fake", "--settings", file, ...more];
    const { code, output, stderr } = await type("add", ...words);
    assert.equal(code, 0, stderr);
    return output.acquirerAccountId;
  }

  /** A merchant whose accounts have these names, in that order. */
  async function newShop(
    names: readonly string[],
    {
      mode = "sandbox",
      ...settings
    }: {
      mode?: Mode;
      inquires?: boolean;
      wantsNumber?: boolean;
      answersWithinMs?: number;
    } = {},
  ): Promise<{ shop: Shop; id: string; accounts: readonly string[] }> {
    const { id, key } = await gateway.newMerchant({ mode });
    const accounts: string[] = [];
    for (const name of names) accounts.push(await add(id, { name, ...settings }));
    await changeSeen();
    return { shop: shopOf(gateway, key), id, accounts };
  }

  const changeSeen = () => changes.seen(gateway.database);

  const callsTo = (name: string) => hosts.calls.filter(({ account }) => account === name);

  test("a payment goes to the first account, and its record names the connector and what the acquirer said", async () => {
    const { shop } = await newShop(["first-of-two", "second-of-two"]);
    const facts = {
      authorisationCode: "A1B2C3",
      retrievalReference: "123456789012",
      responseCode: "00",
      networkTransactionId: "MCC0000011116",
      securityCodeResult: "M",
    };
    hosts.answers.set("first-of-two", { authorise: async () => ({ ...approve("approved"), facts }) });
    // This amount is a decline of the simulator, which does not serve this merchant any more.
    const { transactionId } = await payOnce(shop, { amount: 14_451 });
    const { result, acquirer } = await getTransaction(shop, transactionId);
    assert.equal(result.status, "approved");
    assert.deepEqual(acquirer, { connector: "fake", ...facts });
    assert.equal(callsTo("first-of-two").length, 1);
    assert.equal(callsTo("second-of-two").length, 0);
  });

  test("I25: the next account is called when the first surely did not receive the payment", async () => {
    const { shop } = await newShop(["away", "there"]);
    hosts.answers.set("away", { authorise: async () => ({ kind: "not_received", reason: "no route" }) });
    const { transactionId } = await payOnce(shop);
    assert.equal((await getTransaction(shop, transactionId)).result.status, "approved");
    assert.deepEqual([callsTo("away").length, callsTo("there").length], [1, 1]);
    assert.equal(callsTo("there")[0]?.reference, transactionId);
  });

  test("I9: a payment that moves to an account of another connector has one event for that, of the same connector none", async () => {
    const { shop, id } = await newShop(["off-1", "off-2"]);
    for (const name of ["off-1", "off-2"])
      hosts.answers.set(name, { authorise: async () => ({ kind: "not_received", reason: "no route" }) });
    const file = await settingsFile({ name: "on" });
    const more = ["--merchant", id, "--connector", "fake-two", "--settings", file];
    assert.equal((await type("add", ...more)).code, 0);
    await changeSeen();
    const { transactionId } = await payOnce(shop);
    const { events } = ok(await callApi(shop, "GET", `/events?resourceid=${transactionId}`));
    const shown = events.toReversed().map(({ payload }: { payload: Moved }) => payload);
    assert.deepEqual(
      shown.map(({ acquirer, result }: Moved) => [acquirer.connector, result.status]),
      [
        ["fake", "pending"],
        ["fake-two", "pending"],
        ["fake-two", "approved"],
      ],
    );
    const times: string[] = shown.map(({ updatedDateTime }: Moved) => updatedDateTime);
    assert.deepEqual(times, [...new Set(times)].sort(), "they grow");
    const violations = await findViolations(gateway.database);
    assert.deepEqual(
      violations.filter(({ id: rule, subject }) => rule === "I9" && subject === transactionId),
      [],
    );
  });

  test("with every account away the payment is declined D10009", async () => {
    const { shop } = await newShop(["gone-1", "gone-2"]);
    for (const name of ["gone-1", "gone-2"]) {
      hosts.answers.set(name, { authorise: async () => ({ kind: "not_received", reason: "no route" }) });
    }
    const { transactionId } = await payOnce(shop);
    const { result } = await getTransaction(shop, transactionId);
    assert.equal(result.codes[0].id, "D10009");
    assert.deepEqual([callsTo("gone-1").length, callsTo("gone-2").length], [1, 1]);
  });

  test("a payment whose only account is away and disabled during the call is declined D10009", async () => {
    const { shop, accounts } = await newShop(["disabled-in-call"]);
    const [account = ""] = accounts;
    hosts.answers.set("disabled-in-call", {
      authorise: async () => {
        assert.equal((await type("disable", account)).code, 0);
        await changeSeen();
        return { kind: "not_received", reason: "no route" };
      },
    });
    const { transactionId } = await payOnce(shop);
    assert.equal((await getTransaction(shop, transactionId)).result.codes[0]?.id, "D10009");
  });

  for (const [what, answer] of [
    ["a decline", async () => decline("insufficient_funds")],
    ["an unknown outcome", async () => ({ kind: "unknown" }) as const],
    ["a broken connection", async () => Promise.reject(new Error("reset"))],
  ] as const) {
    test(`I25: ${what} is never sent to a second account`, async () => {
      const [one, two] = [`${what} 1`, `${what} 2`];
      const { shop } = await newShop([one, two]);
      hosts.answers.set(one, { authorise: answer });
      const { transactionId } = await payOnce(shop);
      await eventually(
        "the payment has ended",
        async () => (await getTransaction(shop, transactionId)).result.status !== "pending",
      );
      assert.equal(callsTo(two).length, 0);
    });
  }

  test("an unknown outcome at a host that cannot be asked is reversed, then declined", async () => {
    const { shop } = await newShop(["silent"]);
    let refusals = 2;
    hosts.answers.set("silent", {
      authorise: async () => ({ kind: "unknown" }),
      reverse: async () => {
        refusals -= 1;
        return refusals >= 0 ? { kind: "unknown" } : approve("approved");
      },
    });
    const { transactionId, paid } = await payOnce(shop);
    assert.equal(paid.state, "pending");
    await eventually(
      "the payment is declined",
      async () => (await getTransaction(shop, transactionId)).result.status === "declined",
    );
    const reversals = callsTo("silent").filter(({ verb }) => verb === "reverse");
    assert.ok(reversals.length >= 3, "the reversal is repeated until it is confirmed");
    assert.ok(reversals.every(({ reference }) => reference === transactionId));
  });

  test("a refund whose outcome is unknown is reversed and declined, and its amount is free again", async () => {
    const { shop } = await newShop(["forgetful"]);
    hosts.answers.set("forgetful", { refund: async () => ({ kind: "unknown" }) });
    const { transactionId } = await payOnce(shop);
    const refund = ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    const { refunds } = ok(await callApi(shop, "GET", `/transactions/${transactionId}/refunds`));
    assert.equal(refunds[0].result.codes[0].id, "D10009");
    assert.ok(
      callsTo("forgetful").some(({ verb, reference }) => verb === "reverse" && reference === refund.id),
    );
    hosts.answers.delete("forgetful");
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
  });

  test("accounts take the currencies and card types that they name", async () => {
    const { id, key } = await gateway.newMerchant();
    await add(id, { name: "visa-aud" }, "--currency", "AUD", "--card-type", "visa");
    await changeSeen();
    const shop = shopOf(gateway, key);
    const refused = await callApi(shop, "POST", "/paymentrequests", {
      payment: { amount: 100, currencyCode: "NZD" },
      paymentMethods: ["card"],
      transactionRequest: {},
    });
    assert.equal(refused.status, 403);
    assert.deepEqual(problemsOf(refused), ["V11618"]);
    const frame = await openFrame(shop);
    const other = await frame.pay({ card: { number: MASTERCARD } });
    assert.deepEqual([other.status, problemsOf(other)], [403, ["V11618"]]);
    assert.equal(ok(await frame.pay()).state, "approved");
    await add(id, { name: "all-others" });
    await changeSeen();
    assert.equal((await payOnce(shop, {}, { card: { number: MASTERCARD } })).paid.state, "approved");
    assert.equal(callsTo("all-others").length, 1);
  });

  test("a disabled account takes no new payment but still captures and refunds its earlier ones", async () => {
    const { shop, id, accounts } = await newShop(["retiring"]);
    const [account = ""] = accounts;
    const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
    assert.equal((await type("disable", account)).code, 0);
    await changeSeen();
    const { output } = await type("list", "--merchant", id);
    assert.deepEqual(output.acquirerAccounts, [
      { acquirerAccountId: account, connector: "fake", currencies: [], cardTypes: [], status: "disabled" },
    ]);
    const refused = await callApi(shop, "POST", "/paymentrequests", {
      payment: { amount: 100 },
      paymentMethods: ["card"],
      transactionRequest: {},
    });
    assert.equal(refused.status, 403);
    assert.equal(
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`)).captureStatus,
      "captured",
    );
    assert.equal((await type("enable", account)).code, 0);
    await changeSeen();
    await createRequest(shop);
  });

  test("new settings serve new payments and earlier ones, of a disabled account, too; wrong ones change nothing", async () => {
    const { shop, id, accounts } = await newShop(["exposed-key"]);
    const [account = ""] = accounts;
    const held = async () => (await payOnce(shop, { category: { captureType: "manual" } })).transactionId;
    const [first, second] = [await held(), await held()];
    const capture = async (transactionId: string) =>
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`)).captureStatus;
    const change = async (settings: object) =>
      type("change", account, "--settings", await settingsFile(settings));
    const verbs = (name: string) => callsTo(name).map(({ verb }) => verb);

    const wrong = await change({});
    assert.deepEqual([wrong.code, wrong.stderr], [1, "name is missing"]);
    await changeSeen();
    assert.equal(await capture(first), "captured");
    assert.deepEqual(verbs("exposed-key"), ["authorise", "authorise", "capture"]);

    const changed = await change({ name: "new-key" });
    const shown = { acquirerAccountId: account, connector: "fake", currencies: [], cardTypes: [] };
    assert.deepEqual([changed.code, changed.output], [0, { ...shown, status: "active" }]);
    await changeSeen();
    await payOnce(shop);
    assert.equal((await type("disable", account)).code, 0);
    assert.equal((await change({ name: "newest-key" })).output.status, "disabled");
    await changeSeen();
    assert.equal(await capture(second), "captured");
    assert.deepEqual(
      [verbs("exposed-key").length, verbs("new-key"), verbs("newest-key")],
      [3, ["authorise"], ["capture"]],
    );

    const recorded = await gateway.database.rows(
      "select from audit_log where act = 'acquirer_settings_changed' and merchant_id = $1 and subject_id = $2",
      [id, account],
    );
    assert.equal(recorded.length, 2);
    const [row] = await gateway.database.rows<{ sealed: string }>(
      "select sealed_settings as sealed from acquirer_accounts where id = $1",
      [account],
    );
    assert.doesNotMatch(row?.sealed ?? "key", /key/);
    const none = await type("change", "acq_x", "--settings", await settingsFile({ name: "x" }));
    assert.match(none.stderr, /no acquirer account with that id/);
  });

  test("a merchant has 20 active accounts at most, and disabled ones do not count", async () => {
    const { id, accounts } = await newShop(["first-of-20"]);
    const [account = ""] = accounts;
    await gateway.database.rows(
      `insert into acquirer_accounts
       select merchant_id, left(id, -2) || lpad(n::text, 2, '0'), connector, sealed_settings, currencies, card_types, status, n,
         created_at, updated_at
       from acquirer_accounts, generate_series(1, 19) n where id = $1`,
      [account],
    );
    const file = await settingsFile({ name: "one-more" });
    const more = ["add", "--merchant", id, "--connector", "fake", "--settings", file];
    const full = { code: 1, stderr: "a merchant has at most 20 active acquirer accounts: disable one first" };
    const outcomeOf = ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr });
    assert.deepEqual(outcomeOf(await type(...more)), full);
    assert.equal((await type("enable", account)).code, 0, "it is active already");
    assert.equal((await type("disable", account)).code, 0);
    assert.equal((await type(...more)).code, 0);
    assert.deepEqual(outcomeOf(await type("enable", account)), full);
  });

  test("once the last account is disabled, neither the frame nor the hosted page asks for a card", async () => {
    const { shop, accounts } = await newShop(["last-one", "too-late"]);
    const [last = "", second = ""] = accounts;
    const frame = await openFrame(shop);
    const { hostedPaymentPage } = await createHosted(shop);
    const page = (form?: typeof CARD_FORM) => visitPage(shop, hostedPaymentPage.url, form);
    const asksForCard = async () => (await page()).text.includes('autocomplete="cc-number"');
    assert.equal((await type("disable", second)).code, 0);
    await changeSeen();
    ok(await initialise(shop, frame.token));
    assert.equal(await asksForCard(), true);
    assert.equal((await type("disable", last)).code, 0);
    await changeSeen();
    const refused = await initialise(shop, frame.token);
    assert.deepEqual([refused.status, problemsOf(refused)], [403, ["V11618"]]);
    assert.equal(refused.body.paymentRequestStatus, "created");
    for (const shown of [await page(), await page(CARD_FORM)]) {
      assert.equal(shown.state, "error");
      assert.match(shown.text, /be made here[\s\S]*not been charged/);
      assert.doesNotMatch(shown.text, /cc-number/);
    }
    assert.equal(callsTo("last-one").length, 0);
    // Back again, the same token and the same page take the payment.
    assert.equal((await type("enable", last)).code, 0);
    await changeSeen();
    ok(await initialise(shop, frame.token));
    assert.equal(await asksForCard(), true);
  });

  describe("an account that is disabled while the payer is in the challenge of 3D Secure", () => {
    async function challenged(shop: Shop) {
      const category = { authenticationType: "3d_secure" };
      const frame = await openFrame(shop, { amount: 14_418, category, attempts: 2 });
      const { challenge, transactionId } = ok(await frame.pay());
      const finish = async () => {
        await answerChallenge(shop, challenge.url, "approve");
        return ok(await frame.continue(challenge.sealed));
      };
      return { finish, frame, transactionId };
    }

    async function disable(accounts: readonly string[]): Promise<void> {
      for (const account of accounts) assert.equal((await type("disable", account)).code, 0);
      await changeSeen();
    }

    test("does not take the payment: the next one does, and is on record", async () => {
      const { shop, accounts } = await newShop(["left", "stays"]);
      const [left = "", stays = ""] = accounts;
      const { finish, transactionId } = await challenged(shop);
      await disable([left]);
      assert.equal((await finish()).state, "approved");
      assert.deepEqual([callsTo("left").length, callsTo("stays").length], [0, 1]);
      const rows = await gateway.database.rows(
        `select acquirer_account_id as "account" from transactions where id = $1`,
        [transactionId],
      );
      assert.deepEqual(rows, [{ account: stays }]);
    });

    test("keeps the payment where it is enabled, whatever the order is", async () => {
      const { shop, id, accounts } = await newShop(["chosen", "now-first"]);
      const { finish } = await challenged(shop);
      assert.equal((await type("order", "--merchant", id, accounts[1] ?? "")).code, 0);
      await changeSeen();
      assert.equal((await finish()).state, "approved");
      assert.deepEqual([callsTo("chosen").length, callsTo("now-first").length], [1, 0]);
    });

    test("and was the last one: the payment is declined at once, and the request takes another", async () => {
      const { shop, accounts } = await newShop(["only-one"]);
      const { finish, frame, transactionId } = await challenged(shop);
      await disable(accounts);
      const declined = await finish();
      assert.deepEqual([declined.state, declined.attemptsLeft], ["declined", 1]);
      assert.equal(callsTo("only-one").length, 0);
      const { result, authentication } = await getTransaction(shop, transactionId);
      assert.deepEqual([result.codes[0].id, authentication.status], ["D10009", "authenticated"]);
      assert.equal((await type("enable", accounts[0] ?? "")).code, 0);
      await changeSeen();
      const again = ok(await frame.pay({ previousTransactionId: transactionId }));
      assert.equal(again.state, "challenge");
    });
  });

  test("the operator sets the order; accounts that are not named come last", async () => {
    const { shop, id, accounts } = await newShop(["one", "two", "three"]);
    const [one = "", two = "", three = ""] = accounts;
    assert.equal((await type("order", "--merchant", id, three)).code, 0);
    await changeSeen();
    const { output } = await type("list", "--merchant", id);
    const order = output.acquirerAccounts.map(
      (account: { acquirerAccountId: string }) => account.acquirerAccountId,
    );
    assert.deepEqual(order, [three, one, two]);
    await payOnce(shop);
    assert.deepEqual([callsTo("three").length, callsTo("one").length], [1, 0]);
    const { accounts: others } = await newShop(["foreign"]);
    assert.equal((await type("order", "--merchant", id, others[0] ?? "")).code, 1);
    assert.equal((await type("order", "--merchant", id, one, one)).code, 2);
  });

  test("a live merchant pays through its account, and without one cannot create a card request", async () => {
    const { shop, id } = await newShop([], { mode: "live" });
    const capabilities = { cardNotPresent: true, threeDSecure: true };
    await gateway.database.rows("update merchants set capabilities = $2 where id = $1", [
      id,
      JSON.stringify({
        ...capabilities,
        applePay: false,
        googlePay: false,
        directDebit: false,
        payId: false,
      }),
    ]);
    const body = { payment: { amount: 100 }, paymentMethods: ["card"], transactionRequest: {} };
    await changeSeen();
    assert.equal((await callApi(shop, "POST", "/paymentrequests", body)).status, 403);
    await add(id, { name: "real" });
    await eventually("the account is seen", async () => {
      return (await callApi(shop, "POST", "/paymentrequests", body)).status === 200;
    });
    const { transactionId } = await payOnce(shop);
    const { result } = await getTransaction(shop, transactionId);
    assert.deepEqual([result.mode, result.status], ["live", "approved"]);
  });

  test("a stored card's payments name its customer, and later ones the network transaction id of the first", async () => {
    const { shop } = await newShop(["network"]);
    hosts.answers.set("network", {
      authorise: async () => ({ ...approve("approved"), facts: { networkTransactionId: "NTID-1" } }),
    });
    const card = await storedCard(shop, { category: { frequency: "recurring" } });
    hosts.answers.set("network", {
      authorise: async () => ({ ...approve("approved"), facts: { networkTransactionId: "NTID-2" } }),
    });
    const charge = (category: Record<string, string>) =>
      callApi(shop, "POST", "/transactions", chargeOf(card, { category }));
    for (const category of [{ frequency: "recurring" }, {}, { origin: "telephone" }])
      ok(await charge(category));
    ok(await paySaved(await openFrameFor(shop, card.id), card.paymentInstrumentId));
    const [first, recurring, unscheduled, telephone, inCheckout] = callsTo("network").map(
      ({ request }) => request,
    );
    assert.deepEqual(first?.storedCredential, { use: "initial", purpose: "recurring", customerId: card.id });
    const later = { use: "subsequent", customerId: card.id, networkTransactionId: "NTID-1" };
    assert.deepEqual(recurring?.storedCredential, { ...later, purpose: "recurring" });
    assert.deepEqual(unscheduled?.storedCredential, { ...later, purpose: "unscheduled" });
    assert.deepEqual(inCheckout?.storedCredential, { ...later, purpose: "unscheduled" });
    assert.deepEqual(
      [first, recurring, unscheduled, telephone, inCheckout].map((request) => [
        request?.initiator,
        request?.origin,
      ]),
      [
        ["payer", "internet"],
        ["merchant", "internet"],
        ["merchant", "internet"],
        ["payer", "telephone"],
        ["payer", "internet"],
      ],
    );
    const second = await storedCard(shop, { customerRequest: { id: card.id } });
    assert.equal(second.id, card.id);
    const { storedCredential } = callsTo("network").at(-1)?.request ?? assert.fail();
    assert.deepEqual([storedCredential?.use, storedCredential?.customerId], ["initial", card.id]);
    await payOnce(shop);
    assert.equal(callsTo("network").at(-1)?.request?.storedCredential, undefined);
  });

  test("a host that wants the number in every message gets it, until nothing more can be sent", async () => {
    const { shop } = await newShop(["numbers"], { wantsNumber: true });
    const kept = async (id: string) =>
      (await gateway.database.rows("select from vault_secrets where instrument_id = $1", [id])).length;
    const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
    assert.equal(await kept(transactionId), 1);
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 1000 } }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    assert.equal(await kept(transactionId), 1, "the rest can still be refunded");
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    assert.equal(await kept(transactionId), 0, "all of it is refunded");
    const sent = callsTo("numbers").filter(({ verb }) => verb !== "authorise");
    assert.deepEqual(
      sent.map(({ verb, cardNumber }) => [verb, cardNumber]),
      [
        ["capture", "4111111111111111"],
        ["refund", "4111111111111111"],
        ["refund", "4111111111111111"],
      ],
    );
    hosts.answers.set("numbers", { authorise: async () => decline("lost_card") });
    const declined = await payOnce(shop);
    assert.equal(await kept(declined.transactionId), 0);
    hosts.answers.delete("numbers");
    const voided = await payOnce(shop, { category: { captureType: "manual" } });
    ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
    assert.equal(await kept(voided.transactionId), 0);
  });

  test("a partial approval of an account is reversed by default", async () => {
    const { shop } = await newShop(["partial"]);
    hosts.answers.set("partial", {
      authorise: async () => partOf(5),
    });
    const { transactionId } = await payOnce(shop);
    assert.equal((await getTransaction(shop, transactionId)).result.codes[0].id, "D04410");
    assert.deepEqual(
      callsTo("partial").map(({ verb }) => verb),
      ["authorise", "reverse"],
    );
  });

  test("a capture, void or expiry is repeated only after the acquirer's own time is over", async () => {
    const { shop } = await newShop(["slow"], { answersWithinMs: 90_000 });
    let dues: readonly number[] = [];
    const read = async () => {
      const rows = await gateway.database.rows<{ seconds: number }>(
        "select extract(epoch from due_at - now())::float8 as seconds from jobs where kind = 'transaction_operation'",
      );
      dues = rows.map(({ seconds }) => seconds);
      return decline("invalid_transaction");
    };
    hosts.answers.set("slow", { capture: read, void: read });
    const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
    const assertDue = (what: string) => {
      assert.equal(dues.length, 1, what);
      assert.ok(dues[0] && dues[0] > 90 && dues[0] <= 95, `${what} is repeated after ${dues[0]} seconds`);
    };
    for (const what of ["capture", "cancel"]) {
      await gateway.database.rows("delete from jobs where kind = 'transaction_operation'");
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/${what}`));
      assertDue(what);
    }
    await gateway.database.rows("delete from jobs where kind = 'transaction_operation'");
    dues = [];
    await gateway.database.rows(
      "update jobs set due_at = now() where kind = 'transaction_expire' and subject_id = $1",
      [transactionId],
    );
    await eventually("the acquirer gets the expiry", async () => dues.length > 0);
    assertDue("expiry");
  });

  describe("the number of a card, while a reversal is not confirmed", () => {
    const unknown = async () => ({ kind: "unknown" }) as const;
    const kept = async (id: string) =>
      (await gateway.database.rows("select from vault_secrets where instrument_id = $1", [id])).length;
    const dueOf = async (kind: string, id: string) => {
      const [job] = await gateway.database.rows<{ seconds: number }>(
        `select extract(epoch from due_at - now())::float8 as seconds from jobs
         where kind = $1 and subject_id = $2`,
        [kind, id],
      );
      return job?.seconds;
    };
    const runNow = (kind: string, id: string) =>
      gateway.database.rows("update jobs set due_at = now() where kind = $1 and subject_id = $2", [kind, id]);
    /** Runs the job that erases the number; it is postponed while a reversal may be sent. */
    async function assertKept(id: string): Promise<void> {
      await runNow("transaction_erase_card", id);
      await eventually("the erasure has run", async () => {
        const due = await dueOf("transaction_erase_card", id);
        return due === undefined || due > 1_800 || (await kept(id)) === 0;
      });
      assert.equal(await kept(id), 1);
    }
    async function assertErased(id: string): Promise<void> {
      await runNow("transaction_erase_card", id);
      await eventually("the number is erased", async () => (await kept(id)) === 0);
    }
    const numbersOf = (name: string, reference: string) =>
      callsTo(name)
        .filter((call) => call.verb === "reverse" && call.reference === reference)
        .map(({ cardNumber }) => cardNumber);

    test("stays after a declined payment", async () => {
      const { shop } = await newShop(["unconfirmed"], { wantsNumber: true });
      hosts.answers.set("unconfirmed", { authorise: unknown });
      const { transactionId } = await payOnce(shop);
      await eventually(
        "the payment is declined",
        async () => (await getTransaction(shop, transactionId)).result.status === "declined",
      );
      hosts.answers.set("unconfirmed", { authorise: unknown, reverse: unknown });
      await assertKept(transactionId);
      await runNow("checkout_reverse_again", transactionId);
      const sent = async () => numbersOf("unconfirmed", transactionId).length > 1;
      await eventually("the reversal is sent again", sent);
      hosts.answers.delete("unconfirmed");
      await eventually(
        "it is confirmed",
        async () => (await dueOf("checkout_reverse_again", transactionId)) === undefined,
      );
      assert.ok(numbersOf("unconfirmed", transactionId).every((number) => number === "4111111111111111"));
      await assertErased(transactionId);
    });

    test("stays after a second refund of everything", async () => {
      const { shop } = await newShop(["twice"], { wantsNumber: true });
      const { transactionId } = await payOnce(shop);
      const refund = async () => {
        const { id } = ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
        ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
        return ok(await callApi(shop, "GET", `/refunds/${id}`));
      };
      hosts.answers.set("twice", { refund: unknown });
      const first = await refund();
      assert.equal(first.result.status, "declined");
      hosts.answers.set("twice", { reverse: unknown });
      assert.equal((await refund()).result.status, "approved");
      await assertKept(transactionId);
      await runNow("refund_reverse_again", first.id);
      await eventually("it is sent again", async () => numbersOf("twice", first.id).length > 1);
      hosts.answers.delete("twice");
      const isDone = async () => (await dueOf("refund_reverse_again", first.id)) === undefined;
      await eventually("it is confirmed", isDone);
      assert.ok(numbersOf("twice", first.id).every((number) => number === "4111111111111111"));
      await assertErased(transactionId);
    });

    test("stays while a late approval is reversed", () => {
      assert.ok(REVERSAL_JOBS.includes(REVERSE_LATE_JOB));
    });
  });

  const partOf = (amount: number) =>
    ({ kind: "approved", code: "approved_for_partial_amount", approvedAmount: cents(amount) }) as const;

  test("a capture of which the acquirer takes nothing is declined, and the authorisation is as it was", async () => {
    const { shop } = await newShop(["nothing"]);
    const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
    const capture = async () => ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
    hosts.answers.set("nothing", { capture: async () => partOf(0) });
    const refused = await capture();
    assert.deepEqual([refused.result.codes[0].id, refused.captureStatus], ["D04410", "uncaptured"]);
    hosts.answers.set("nothing", { capture: async () => partOf(1) });
    const captured = await capture();
    assert.deepEqual([captured.result.status, captured.payment.capturedAmount], ["approved", 1]);
  });

  test("settings are checked, sealed and never printed", async () => {
    const { id } = await gateway.newMerchant();
    const words = (file: string, connector = "fake") => [
      "add",
      ...["--merchant", id, "--connector", connector, "--settings", file],
    ];
    const wrong = await type(...words(await settingsFile({})));
    assert.deepEqual([wrong.code, wrong.stderr], [1, "name is missing"]);
    assert.match((await type(...words(await settingsFile("{")))).stderr, /is not JSON/);
    const deep = `{"name":${"[".repeat(40)}${"]".repeat(40)}}`;
    assert.match((await type(...words(await settingsFile(deep)))).stderr, /nested deeper than 32 levels/);
    assert.match((await type(...words(await settingsFile('{"name":"a","name":"b"}')))).stderr, /name twice/);
    assert.match((await type(...words(join(folder, "none.json")))).stderr, /can't be read/);
    assert.match(
      (await type(...words(await settingsFile({ name: "x" }), "nothing"))).stderr,
      /no acquirer connector/,
    );
    const file = await settingsFile({ name: "x" });
    assert.equal((await type(...words(file), "--currency", "USD")).code, 2);
    assert.equal((await type(...words(file), "--card-type", "visacard")).code, 2);
    assert.deepEqual((await type("list", "--merchant", id)).output, { acquirerAccounts: [] });
    await add(id, { name: "canary-of-settings" });
    const rows = await gateway.database.rows("select row_to_json(a)::text as row from acquirer_accounts a");
    assert.ok(!JSON.stringify(rows).includes("canary-of-settings"));
    const { output } = await type("list", "--merchant", id);
    assert.ok(!JSON.stringify(output).includes("canary-of-settings"));
  });

  test("the test of an account reports the connection; an unknown account is one line", async () => {
    const { accounts } = await newShop(["tested"]);
    const { code, output } = await type("test", accounts[0] ?? "");
    assert.deepEqual([code, output], [0, { ok: true, milliseconds: 1, detail: "The fake host answers." }]);
    for (const verb of ["test", "disable", "enable"]) {
      const { code: failed, stderr } = await type(verb, "acq_nothing");
      assert.equal(failed, 1);
      assert.match(stderr, /no acquirer account with that id/);
    }
  });

  describe("notifications of an acquirer", () => {
    const notify = (account: string, facts: unknown, signature = "right") =>
      fetch(`${gateway.baseUrl.replace("localhost", "127.0.0.1")}/connectors/fake/${account}/notifications`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-fake-signature": signature },
        body: JSON.stringify(facts),
      });

    test("I27: an accepted capture, refund and payment stay pending until the notification, which counts once", async () => {
      const { shop, accounts } = await newShop(["later"]);
      const [account = ""] = accounts;
      hosts.answers.set("later", { authorise: accepted, capture: accepted, refund: accepted });
      const { transactionId, paid } = await payOnce(shop, { category: { captureType: "manual" } });
      assert.equal(paid.state, "pending");
      const approval = { about: "authorisation", reference: transactionId, answer: approve("approved") };
      for (let time = 0; time < 3; time += 1) {
        const answer = await notify(account, [approval]);
        assert.deepEqual([answer.status, await answer.text()], [200, "[accepted]"]);
      }
      assert.equal((await getTransaction(shop, transactionId)).result.status, "approved");
      const captured = ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
      assert.equal(captured.result.status, "pending");
      const operation = callsTo("later").find(({ verb }) => verb === "capture")?.reference;
      await notify(account, [{ about: "capture", reference: operation, answer: approve("approved") }]);
      const { captureStatus, payment } = await getTransaction(shop, transactionId);
      assert.deepEqual([captureStatus, payment.capturedAmount], ["captured", 3000]);
      const refund = ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
      ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
      await notify(account, [{ about: "refund", reference: refund.id, answer: approve("approved") }]);
      await notify(account, [{ about: "refund", reference: refund.id, answer: decline("error") }]);
      const after = await getTransaction(shop, transactionId);
      assert.equal(after.payment.refundedAmount, 3000);
    });

    /** What the log says of this account and this reference once the fact was notified. */
    async function logAfter(
      account: string,
      fact: { readonly about: string; readonly reference: string; readonly answer: unknown },
    ): Promise<readonly string[]> {
      said.length = 0;
      assert.equal((await notify(account, [fact])).status, 200);
      return said
        .filter(({ subjectId }) => subjectId === fact.reference || subjectId === account)
        .map(({ message }) => message);
    }

    test("about the capture of a sale name the payment: a refused one calls for the operator, a confirmed one does not", async () => {
      const { shop, accounts } = await newShop(["sale"]);
      const { accounts: others } = await newShop(["no sale"]);
      const [account = ""] = accounts;
      const { transactionId: reference } = await payOnce(shop);
      const before = await getTransaction(shop, reference);
      const saidAfter = (to: string, answer: unknown) =>
        logAfter(to, { about: "capture", reference, answer });
      assert.deepEqual(await saidAfter(account, approve("approved")), []);
      const [taken, ...more] = await saidAfter(account, decline("invalid_transaction"));
      assert.match(taken ?? "", /takes back a capture, .* by hand/);
      assert.deepEqual(more, []);
      assert.deepEqual(await saidAfter(others[0] ?? "", decline("invalid_transaction")), [
        "acquirer notification about an unknown capture: ignored",
      ]);
      assert.deepEqual(await getTransaction(shop, reference), before);
    });

    test("about the refund that reversed a payment name the payment: one that is taken back calls for the operator", async () => {
      const { shop, accounts } = await newShop(["reversed"]);
      const [account = ""] = accounts;
      const { transactionId: approved } = await payOnce(shop);
      hosts.answers.set("reversed", { authorise: async () => decline("do_not_honour") });
      const { transactionId: declined } = await payOnce(shop);
      const before = await getTransaction(shop, declined);
      const saidAfter = (reference: string, answer: unknown) =>
        logAfter(account, { about: "refund", reference, answer });
      assert.deepEqual(await saidAfter(declined, approve("approved")), []);
      const [taken, ...more] = await saidAfter(declined, decline("invalid_transaction"));
      assert.match(taken ?? "", /takes back .* a reversal .* by hand/);
      assert.deepEqual(more, []);
      assert.deepEqual(await saidAfter(approved, decline("invalid_transaction")), [
        "acquirer notification about an unknown refund: ignored",
      ]);
      assert.deepEqual(await getTransaction(shop, declined), before);
    });

    test("of a part count for that part of a capture; a part of a refund is reversed and the refund declined", async () => {
      const { shop, accounts } = await newShop(["later in part"]);
      const [account = ""] = accounts;
      hosts.answers.set("later in part", { capture: accepted, refund: accepted });
      const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/capture`));
      const operation = callsTo("later in part").find(({ verb }) => verb === "capture")?.reference;
      await notify(account, [{ about: "capture", reference: operation, answer: partOf(2_000) }]);
      assert.equal((await getTransaction(shop, transactionId)).payment.capturedAmount, 2_000);
      const { id } = ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {}));
      ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
      await notify(account, [{ about: "refund", reference: id, answer: partOf(500) }]);
      const { result } = ok(await callApi(shop, "GET", `/refunds/${id}`));
      assert.equal(result.codes[0].id, "D04410");
      assert.equal(callsTo("later in part").filter(({ verb }) => verb === "reverse").length, 1);
      assert.equal((await getTransaction(shop, transactionId)).payment.refundedAmount, 0);
    });

    const accepted = async () => ({ kind: "accepted" }) as const;
    const statusOf = async (shop: Shop, id: string) => (await getTransaction(shop, id)).result.status;
    /** Of the payment; `tries` are the runs that it has had. */
    const runJobNow = (id: string, tries = 0) =>
      gateway.database.rows("update jobs set due_at = now(), tries = $2 where subject_id = $1", [id, tries]);

    test("if one is lost, the acquirer is asked for the outcome until it knows it", async () => {
      const { shop } = await newShop(["asked"], { inquires: true });
      hosts.answers.set("asked", { authorise: accepted, inquire: accepted });
      const { transactionId } = await payOnce(shop);
      await runJobNow(transactionId);
      const asked = () => callsTo("asked").filter(({ verb }) => verb === "inquire").length;
      await eventually("the acquirer is asked twice", async () => asked() > 1);
      assert.equal(await statusOf(shop, transactionId), "pending");
      hosts.answers.set("asked", { inquire: async () => approve("approved") });
      const isApproved = async () => (await statusOf(shop, transactionId)) === "approved";
      await eventually("it is approved", isApproved);
      assert.deepEqual(
        callsTo("asked").filter(({ verb }) => verb === "reverse"),
        [],
      );
    });

    test("if one is lost and the acquirer cannot be asked, the payment needs attention after 20 runs", async () => {
      const { shop, accounts } = await newShop(["unasked"]);
      hosts.answers.set("unasked", { authorise: accepted });
      const { transactionId: reference } = await payOnce(shop);
      const inNeed = async () => {
        const { output } = await tryCommand({ ...gateway, wrapContext }, "jobs", "list");
        return output.jobs.filter(({ subjectId }: { subjectId: string }) => subjectId === reference);
      };
      const runsOf = async () => {
        const [row] = await gateway.database.rows<{ tries: number; problem: string | null }>(
          "select tries, problem from jobs where subject_id = $1 and due_at > now()",
          [reference],
        );
        return row?.problem === null ? 0 : row?.tries;
      };
      await runJobNow(reference, 18);
      await eventually("it has run 19 times", async () => (await runsOf()) === 19);
      assert.deepEqual(await inNeed(), []);
      await runJobNow(reference, 19);
      await eventually("it needs attention", async () => (await inNeed()).length === 1);
      const [{ problem }] = await inNeed();
      assert.equal(problem, "the acquirer has not sent the outcome of a card payment");
      assert.deepEqual([await statusOf(shop, reference), callsTo("unasked").length], ["pending", 1]);
      await notify(accounts[0] ?? "", [{ about: "authorisation", reference, answer: approve("approved") }]);
      assert.equal(await statusOf(shop, reference), "approved");
      await runJobNow(reference, 20);
      await eventually("the job is done", async () => (await inNeed()).length === 0);
    });

    test("facts that are not of the declared shape are not applied, not even the sound ones beside them", async () => {
      const { shop, accounts } = await newShop(["garbled"]);
      const [account = ""] = accounts;
      hosts.answers.set("garbled", { authorise: async () => ({ kind: "accepted" }) });
      const { transactionId: reference } = await payOnce(shop);
      const sound = { about: "authorisation", reference, answer: approve("approved") };
      for (const fact of [{ ...sound, answer: { kind: "aproved" } }, { ...sound, reference: 7 }, null, "x"])
        assert.equal((await notify(account, [sound, fact])).status, 500);
      assert.equal((await notify(account, { sound })).status, 500);
      assert.equal((await getTransaction(shop, reference)).result.status, "pending");
      assert.equal((await notify(account, [sound])).status, 200);
      assert.equal((await getTransaction(shop, reference)).result.status, "approved");
    });

    test("a wrong signature, a wrong connector and an unknown account change nothing", async () => {
      const { shop, accounts } = await newShop(["guarded"]);
      const [account = ""] = accounts;
      hosts.answers.set("guarded", { authorise: async () => ({ kind: "accepted" }) });
      const { transactionId } = await payOnce(shop);
      const fact = [{ about: "authorisation", reference: transactionId, answer: approve("approved") }];
      assert.equal((await notify(account, fact, "wrong")).status, 401);
      assert.equal((await notify("acq_nothing", fact)).status, 404);
      const { accounts: others } = await newShop(["other"]);
      assert.equal(
        (await notify(others[0] ?? "", fact)).status,
        200,
        "another account's payment is unknown to it",
      );
      assert.equal((await getTransaction(shop, transactionId)).result.status, "pending");
      assert.equal((await notify(account, fact)).status, 200);
      assert.equal((await getTransaction(shop, transactionId)).result.status, "approved");
    });
  });
});
