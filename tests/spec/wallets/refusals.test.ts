import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  advanceClock,
  callFrame,
  type Frame,
  getRequest,
  ok,
  openFrameOn,
  problemsOf,
  type Shop,
  shopOf,
} from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import {
  createSandboxToken,
  openWalletFrame,
  payByWallet,
  REGISTERED_PAGE,
  registerLocalhost,
  sendToken,
  type Wallet,
} from "../../support/wallets.ts";

let gateway: TestGateway;
let shop: Shop;
before(async () => {
  gateway = await startTestGateway();
  shop = shopOf(gateway);
  await registerLocalhost(shop);
});
after(() => gateway.stop());

const WALLETS: readonly Wallet[] = ["apple_pay", "google_pay"];
const countTokenUses = async () => (await gateway.database.rows("select from wallet_token_uses")).length;
const newShop = async (): Promise<Shop> => {
  const { key } = await gateway.newMerchant();
  return { ...shop, key };
};

describe("contract 8: an invalid token is refused before any attempt", () => {
  test("exactly the part that the method requires is accepted: card or wallet", async () => {
    const frame = await openWalletFrame(shop);
    const problems = async (body: object) =>
      problemsOf(
        await callFrame(shop, "/checkout/pay", { total: 3000, consent: false, ...body }, frame.session),
      );
    const token = await createSandboxToken(frame, "google_pay");
    const card = { number: "4111111111111111", expiryMonth: 12, expiryYear: 2040, securityCode: "123" };
    assert.deepEqual(await problems({ method: "google_pay" }), ["V11620 /wallet"]);
    assert.deepEqual(await problems({ method: "google_pay", wallet: {} }), ["V11620 /wallet/token"]);
    assert.deepEqual(await problems({ method: "google_pay", card }), ["V11003 /card", "V11620 /wallet"]);
    assert.deepEqual(await problems({ method: "google_pay", card, wallet: { token } }), ["V11003 /card"]);
    assert.deepEqual(await problems({ method: "card", wallet: { token } }), [
      "V10090 /card",
      "V11003 /wallet",
    ]);
    assert.deepEqual(await problems({ method: "card", card, wallet: { token } }), ["V11003 /wallet"]);
    assert.deepEqual(await problems({ method: "google_pay", wallet: { token, more: 1 } }), [
      "V11003 /wallet/more",
    ]);
    const unknown = await callFrame(
      shop,
      "/sandbox/wallets/google_pay",
      { card: "gold", total: 1 },
      frame.session,
    );
    assert.deepEqual(problemsOf(unknown), ["V11631 /card"]);
    assert.equal(ok(await sendToken(frame, "google_pay", token)).state, "approved");
  });

  for (const wallet of WALLETS) {
    test(`${wallet}: after any refusal the session still pays with a valid token`, async () => {
      const before = await countTokenUses();
      const frame = await openWalletFrame(shop);
      const token = await createSandboxToken(frame, wallet);
      const problemsWith = async (given: unknown) => {
        const answer = await sendToken(frame, wallet, given);
        assert.equal(answer.status, 400);
        assert.doesNotMatch(JSON.stringify(answer.body), /\d{12}|cryptogram/);
        return problemsOf(answer);
      };
      for (const given of [null, 7, "", "{}", {}, [], "x".repeat(70_000)]) {
        assert.deepEqual(await problemsWith(given), ["V11620 /wallet/token"]);
      }
      const other = await openWalletFrame(shop);
      const changed =
        wallet === "google_pay"
          ? JSON.stringify({
              ...JSON.parse(token),
              signature: JSON.parse(await createSandboxToken(other, wallet)).signature,
            })
          : { ...token, signature: (await createSandboxToken(other, wallet)).signature };
      assert.deepEqual(await problemsWith(changed), ["V11621 /wallet/token"]);
      const otherShop = await newShop();
      await registerLocalhost(otherShop);
      const theirs = await createSandboxToken(await openWalletFrame(otherShop), wallet);
      assert.deepEqual(await problemsWith(theirs), ["V11623 /wallet/token"]);
      assert.deepEqual(problemsOf(await sendToken(frame, wallet, token, { total: 2999 })), ["V11613 /total"]);
      if (wallet === "apple_pay") {
        assert.deepEqual(await problemsWith(await createSandboxToken(frame, wallet, { total: 2999 })), [
          "V11626 /wallet/token",
        ]);
        assert.deepEqual(await problemsWith(await createSandboxToken(other, wallet)), [
          "V11623 /wallet/token",
        ]);
      }
      assert.equal(await countTokenUses(), before);
      assert.equal(ok(await sendToken(frame, wallet, token)).state, "approved");
      assert.equal(await countTokenUses(), before + 1);
    });

    test(`${wallet}: an expired token is refused by the merchant's clock, a new one is accepted`, async () => {
      const later = await newShop();
      await registerLocalhost(later);
      const frame = await openWalletFrame(later);
      const token = await createSandboxToken(frame, wallet);
      await advanceClock(later, wallet === "google_pay" ? 3_601 : 301);
      const again =
        wallet === "google_pay" ? await openFrameOn(later, frame.requestId, REGISTERED_PAGE) : frame;
      assert.deepEqual(problemsOf(await sendToken(again, wallet, token)), ["V11622 /wallet/token"]);
      assert.equal(ok(await payByWallet(again, wallet)).state, "approved");
    });
  }
});

describe("contract 4: a one-time token that has paid or expired opens no wallet", () => {
  const open = (frame: Frame) => [
    callFrame(frame.shop, "/checkout/applepay/session", { validationURL: "https://apple" }, frame.session),
    ...WALLETS.map((wallet) =>
      callFrame(frame.shop, `/sandbox/wallets/${wallet}`, { card: "visa", total: 3000 }, frame.session),
    ),
  ];
  const problemsAt = async (frame: Frame) => (await Promise.all(open(frame))).map(problemsOf);

  test("before that each wallet opens", async () => {
    for (const answer of await Promise.all(open(await openWalletFrame(shop)))) ok(answer);
  });

  test("after the payment", async () => {
    const frame = await openWalletFrame(shop);
    ok(await payByWallet(frame, "google_pay"));
    assert.deepEqual(await problemsAt(frame), [["V11610"], ["V11610"], ["V11610"]]);
  });

  test("after an hour", async () => {
    const later = await newShop();
    await registerLocalhost(later);
    const frame = await openWalletFrame(later);
    await advanceClock(later, 3_601);
    assert.deepEqual(await problemsAt(frame), [["V11610"], ["V11610"], ["V11610"]]);
  });
});

describe("contract 8: a token pays once", () => {
  test("a token used for another request of the merchant is refused, and nothing is charged", async () => {
    const first = await openWalletFrame(shop);
    const token = await createSandboxToken(first, "google_pay");
    ok(await sendToken(first, "google_pay", token));
    const second = await openWalletFrame(shop);
    // A different spelling is the same token.
    for (const same of [token, ` ${token} `, JSON.stringify({ ...JSON.parse(token), more: 1 })]) {
      const answer = await sendToken(second, "google_pay", same);
      assert.deepEqual([answer.status, ...problemsOf(answer)], [409, "V11624 /wallet/token"]);
    }
    assert.equal((await getRequest(shop, second.requestId)).paymentRequestStatus, "created");
    assert.equal(ok(await payByWallet(second, "google_pay")).state, "approved");
  });

  test("of ten concurrent payments with one token one succeeds", async () => {
    const frames = await Promise.all(Array.from({ length: 10 }, () => openWalletFrame(shop)));
    const token = await createSandboxToken(frames[0] as (typeof frames)[number], "google_pay");
    const answers = await Promise.all(frames.map((frame) => sendToken(frame, "google_pay", token)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(409)], [1, 9]);
  });

  test("a declined token is used up: the next attempt on a hosted page needs a new one", async () => {
    const more = { paymentMethods: ["apple_pay"] };
    const { hostedPaymentPage } = await createHosted(shop, { amount: 14_419, more, page: { attempts: 2 } });
    const key = hostedPaymentPage.url.split("/").at(-1);
    const simulateToken = async (attempts: number) => {
      const body = { card: "visa", total: 14_419 };
      return ok(await callFrame(shop, "/sandbox/wallets/apple_pay", body, `page.${key}.${attempts}`)).token;
    };
    const send = (token: unknown, attempts: number) => {
      const body = { method: "apple_pay", wallet: { token }, total: 14_419, consent: false };
      return callFrame(shop, "/checkout/pay", body, `page.${key}.${attempts}`);
    };
    const token = await simulateToken(0);
    assert.equal(ok(await send(token, 0)).state, "declined");
    assert.deepEqual(problemsOf(await send(token, 1)), ["V11624 /wallet/token"]);
    assert.equal(ok(await send(await simulateToken(1), 1)).state, "approved");
  });

  test("a used token is remembered until a day after it expires", async () => {
    const [row] = await gateway.database.rows<{ hours: number }>(
      `select round(extract(epoch from max(forget_at) - now()) / 3600)::int as hours from wallet_token_uses u
       join transactions t on t.id = u.transaction_id where t.source = 'google_pay'`,
    );
    assert.equal(row?.hours, 25);
  });
});
