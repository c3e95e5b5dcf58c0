import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SANDBOX_WALLET_CARDS } from "../../../src/connectors/sandbox/wallets/wallet-simulator.ts";
import type { Context } from "../../../src/platform/context.ts";
import { findInTables, findInText, formsOf, secretsOf } from "../../support/canary.ts";
import {
  answerChallenge,
  callApi,
  getRequest,
  ok,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { mapAcquirers } from "../../support/fake-acquirer.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import {
  createSandboxToken,
  openWalletFrame,
  payByWallet,
  registerLocalhost,
  sendToken,
  type Wallet,
} from "../../support/wallets.ts";

const WALLETS: readonly Wallet[] = ["apple_pay", "google_pay"];

describe("I15: the device number and its cryptogram go to the acquirer and nowhere else", () => {
  let gateway: TestGateway;
  let shop: Shop;
  const sent: { number: string; cryptogram?: string; authenticated: boolean }[] = [];
  const answers: Answer[] = [];
  const logged: string[] = [];

  /** Records what the acquirer receives and every log line. */
  const recordTraffic = (ctx: Context): Context => {
    const recorded = mapAcquirers(ctx, (acquirer) => ({
      ...acquirer,
      authorise: (request, signal) => {
        const { number, cryptogram } = request.card;
        sent.push({
          number,
          authenticated: cryptogram !== undefined || request.authentication !== undefined,
          ...(cryptogram === undefined ? {} : { cryptogram }),
        });
        return acquirer.authorise(request, signal);
      },
    }));
    const record = (...words: unknown[]) => {
      logged.push(JSON.stringify(words, (_, value) => (value instanceof Error ? value.stack : value)));
    };
    return {
      ...recorded,
      log: { ...ctx.log, debug: record, info: record, warn: record, error: record },
    };
  };

  before(async () => {
    gateway = await startTestGateway({ wrapContext: recordTraffic });
    shop = shopOf(gateway);
    await registerLocalhost(shop);
    const record = (answer: Answer) => {
      answers.push(answer);
      return ok(answer);
    };
    const store = { customerRequest: { paymentInstrument: "create" }, category: { frequency: "recurring" } };
    const variants: RequestOverrides[] = [{}, store, { amount: 14_451 }, { amount: 14_481, ...store }];
    for (const wallet of WALLETS) {
      for (const overrides of variants) {
        const frame = await openWalletFrame(shop, overrides);
        record(await payByWallet(frame, wallet, { consent: true }));
        if (overrides.amount === 14_481) {
          // An approval found by an inquiry stores the instrument too.
          await eventually("the recovery has stored the card", async () => {
            const request = await getRequest(shop, frame.requestId);
            return request.customerResult !== undefined;
          });
        }
      }
      // Refused input is not stored either.
      const refused = await openWalletFrame(shop);
      answers.push(await sendToken(refused, wallet, await createSandboxToken(refused, wallet), { total: 1 }));
    }
    const category = { authenticationType: "3d_secure" };
    const frame = await openWalletFrame(shop, { amount: 14_418, category });
    const { challenge } = record(await payByWallet(frame, "google_pay", { card: "visa_number_only" }));
    await answerChallenge(shop, challenge.url, "approve");
    record(await frame.continue(challenge.sealed));
    for (const path of ["/transactions?limit=100", "/events?limit=100", "/paymentrequests?limit=100"]) {
      record(await callApi(shop, "GET", path));
    }
  });
  after(() => gateway.stop());

  const numbers = SANDBOX_WALLET_CARDS.google_pay.map(({ number }) => number);
  const secrets = () => [
    ...numbers.flatMap(secretsOf),
    ...sent.flatMap(({ cryptogram }) => (cryptogram === undefined ? [] : formsOf(cryptogram))),
  ];

  test("the acquirer receives the number, the cryptogram and the authentication", () => {
    assert.equal(sent.length, 9);
    const [last] = sent.slice(-1);
    assert.deepEqual(last, { number: "4263970000005262", authenticated: true });
    for (const { number, cryptogram, authenticated } of sent.slice(0, -1)) {
      assert.equal(number, "4895370012003478");
      assert.match(cryptogram ?? "", /^[A-Za-z0-9+/]{27}=$/);
      assert.equal(authenticated, true);
    }
    assert.equal(new Set(sent.map(({ cryptogram }) => cryptogram)).size, 9);
  });

  test("neither is in any table", async () => {
    assert.deepEqual(await findInTables(gateway.database, secrets()), []);
    const [stored] = await gateway.database.rows<{ count: string }>(
      "select count(*) from vault_secrets where field = 'card_number'",
    );
    assert.equal(Number(stored?.count), 4, "the stored numbers are in the vault");
    const known = await findInTables(gateway.database, formsOf("VALUED CARDHOLDER"));
    assert.ok(
      known.some(({ where, form }) => where.endsWith("transactions") && form === "raw"),
      "control: the cardholder name is found",
    );
  });

  test("neither is in any response, event or log line", () => {
    const texts = answers.map((answer) => JSON.stringify([answer.body, [...answer.headers]]));
    assert.deepEqual(findInText("answers", texts.join("\n"), secrets()), []);
    assert.deepEqual(findInText("log", logged.join("\n"), secrets()), []);
    assert.match(texts.join("\n"), /"last4":"3478"/, "control: the last four digits are found");
  });
});
