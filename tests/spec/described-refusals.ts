import { instant } from "../../src/kernel/time.ts";
import { createEgress } from "../../src/platform/egress/egress.ts";
import { DECLINED } from "../support/card-tester.ts";
import { challenged } from "../support/challenges.ts";
import { callApi, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { storedAccount } from "../support/debits.ts";
import { withAcquirer } from "../support/fake-acquirer.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { MANUAL } from "../support/race.ts";
import { startReceiver } from "../support/receiver.ts";
import { CHECKOUT, payIdRequestBody } from "../support/request-bodies.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import { writeEvents } from "../support/webhook-load.ts";
import type { DescribedCall, Refused } from "./described-webhook-calls.ts";

/**
 * Each merchant may use one stored number, captures stay without an outcome, and no name has an address. It is the place of
 * live merchants, too: where one is open, webhooks of sandbox merchants can't go to this machine.
 */
export async function startLimitedGateway(): Promise<TestGateway> {
  const stopped = instant(Date.now());
  const egress = createEgress(async () => {
    throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  });
  return startTestGateway({
    environment: { TIDEGATE_ROLES: "api,checkout", TIDEGATE_VAULT_USES_PER_MINUTE: "1" },
    now: () => stopped,
    wrapContext: (ctx) => ({
      ...withAcquirer(ctx, () => ({ capture: async () => ({ kind: "unknown" }) })),
      egress,
    }),
  });
}

/** Calls that the state of a merchant, an instrument, a payment or the gateway refuses. */
export async function refusedByState(
  gateway: TestGateway,
  limited: TestGateway,
): Promise<readonly Refused[]> {
  return [
    ...(await refusedCharges(gateway, limited)),
    ...(await refusedPayments(gateway, limited)),
    ...(await refusedLive(limited)),
    ...(await refusedDomains(gateway, limited)),
    ...(await refusedBySize(gateway)),
    // Last, because its pings wait only some seconds for an answer.
    await refusedPing(gateway),
  ].toReversed();
}

const MASTERCARD = { card: { number: "5555555555554444" } };

const charge = (body: unknown): DescribedCall => ({ path: "/transactions", body });

async function refusedCharges(gateway: TestGateway, limited: TestGateway): Promise<readonly Refused[]> {
  const shop = shopOf(gateway);
  const [card, account] = [await storedCard(shop, {}, MASTERCARD), await storedAccount(shop)];
  const wrong = chargeOf(account, {
    currencyCode: "NZD",
    category: { captureType: "manual", partialApproval: "accept" },
  });
  const { key } = await gateway.newMerchant();
  const closed = shopOf(gateway, key);
  const stored = [await storedCard(closed), await storedAccount(closed)] as const;
  const capabilities = { cardNotPresent: false, directDebit: false };
  ok(await callApi(closed, "PUT", "/management/account", { capabilities }));
  const used = await storedCard(shopOf(limited));
  ok(await callApi(shopOf(limited), "POST", "/transactions", chargeOf(used)));
  return [
    ["createTransaction", "V11735", charge(chargeOf({ ...card, id: "cus_unknown" }))],
    ["createTransaction", "V11736", charge(chargeOf({ ...card, paymentInstrumentId: "pi_unknown" }))],
    ["createTransaction", "V11737", charge(chargeOf(card, { cvn: "1234" }))],
    ["createTransaction", "V11732", charge(wrong)],
    ["createTransaction", "V11741", charge(wrong)],
    ["createTransaction", "V11744", charge(wrong)],
    ["createTransaction", "V11742", { ...charge(chargeOf(stored[0])), key }],
    ["createTransaction", "V11743", { ...charge(chargeOf(stored[1])), key }],
    ["createTransaction", "V11748", { ...charge(chargeOf(used)), at: limited }],
    ["createTransaction", "V11619", await refusedGuess(gateway)],
  ];
}

/** Guesses security codes of a card until it is refused. */
async function refusedGuess(gateway: TestGateway): Promise<DescribedCall> {
  const { id, key } = await gateway.newMerchant();
  await gateway.database.rows(`update merchants set card_testing = '{"card": 3}' where id = $1`, [id]);
  const shop = shopOf(gateway, key);
  const card = await storedCard(shop);
  const guess = (cvn: string) => chargeOf(card, { amount: DECLINED, cvn });
  for (const cvn of ["101", "102", "103", "104"]) await callApi(shop, "POST", "/transactions", guess(cvn));
  return { ...charge(guess("105")), key };
}

async function refusedPayments(gateway: TestGateway, limited: TestGateway): Promise<readonly Refused[]> {
  const { key } = await gateway.newMerchant();
  const shop = shopOf(gateway, key);
  const paid = async (at: Shop, overrides = {}) =>
    `/transactions/${(await payOnce(at, overrides)).transactionId}`;
  const [captured, authorised] = [await paid(shop), await paid(shop, MANUAL)];
  const unknown = `${await paid(shopOf(limited), MANUAL)}/capture`;
  ok(await callApi(shopOf(limited), "POST", unknown));
  const { frame } = await challenged(shop);
  const tooMuch = { payment: { amount: 3001 } };
  return [
    ["cancelPaymentRequest", "V11612", { path: `/paymentrequests/${frame.requestId}/cancel`, key }],
    ["captureTransaction", "V11710", { path: `${captured}/capture`, key }],
    ["captureTransaction", "V11711", { path: `${authorised}/capture`, body: tooMuch, key }],
    ["captureTransaction", "V11712", { path: unknown, at: limited }],
    ["createRefund", "V11720", { path: `${authorised}/refunds`, key }],
    ["createRefund", "V11721", { path: `${captured}/refunds`, body: tooMuch, key }],
  ];
}

async function refusedLive(at: TestGateway): Promise<readonly Refused[]> {
  const live = async (capabilities: Readonly<Record<string, true>>) => {
    const { id, key } = await at.newMerchant({ mode: "live" });
    await at.database.rows(
      "update merchants set capabilities = (capabilities::jsonb || $2::jsonb)::json where id = $1",
      [id, JSON.stringify(capabilities)],
    );
    return { id, key };
  };
  const bare = await live({});
  const cards = await live({ cardNotPresent: true });
  const payIds = await live({ payId: true });
  const wallets = await live({ cardNotPresent: true, applePay: true });
  const secure = await live({ cardNotPresent: true, threeDSecure: true });
  await addIsoAccount(at.database, secure.id, await freePort());
  const create = (body: unknown, { key }: { key: string }): DescribedCall => ({
    path: "/paymentrequests",
    body,
    key,
    at,
  });
  const secured = { ...CHECKOUT, transactionRequest: { category: { authenticationType: "3d_secure" } } };
  return [
    ["changeAccount", "V11320", { path: "/management/account", body: {}, key: bare.key, at }],
    [
      "createWebhook",
      "V11902",
      { path: "/webhooks", body: { event: "payouts", url: "http://shop.example/" }, key: bare.key, at },
    ],
    ["createPaymentRequest", "V11180", create(CHECKOUT, bare)],
    ["createPaymentRequest", "V11182", create(payIdRequestBody("live"), bare)],
    ["createPaymentRequest", "V11618", create(CHECKOUT, cards)],
    ["createPaymentRequest", "V11181", create(secured, cards)],
    ["createPaymentRequest", "V11183", create(payIdRequestBody("live"), payIds)],
    ["createPaymentRequest", "V11186", create(secured, secure)],
    [
      "registerApplePayDomains",
      "V11627",
      { path: "/management/applepaydomains", body: { domains: ["shop.example"] }, key: wallets.key, at },
    ],
    [
      "getApplePayAssociation",
      "V11627",
      { path: "/management/applepaydomains/association", key: wallets.key, at },
    ],
    [
      "registerApplePayDomains",
      "V12104",
      { path: "/management/applepaydomains", body: { domains: ["shop.example"] }, key: bare.key, at },
    ],
  ];
}

async function refusedDomains(gateway: TestGateway, limited: TestGateway): Promise<readonly Refused[]> {
  const { id, key } = await gateway.newMerchant();
  await gateway.database.rows(
    `insert into wallet_domains select $1, 's' || n || '.example', now() from generate_series(1, 50) n`,
    [id],
  );
  const domains = (...names: readonly string[]): DescribedCall => ({
    path: "/management/applepaydomains",
    body: { domains: names },
  });
  return [
    ["registerApplePayDomains", "V12101", domains("-")],
    ["registerApplePayDomains", "V12102", { ...domains("localhost"), key }],
    ["registerApplePayDomains", "S12100", { ...domains("shop.example"), at: limited }],
    ["removeApplePayDomains", "V12103", domains("shop.example")],
  ];
}

async function refusedBySize(gateway: TestGateway): Promise<readonly Refused[]> {
  const { id, key } = await gateway.newMerchant();
  await writeEvents(gateway, id, 10_001);
  await gateway.database.rows("update merchants set clock_offset_ms = $2 where id = $1", [
    id,
    20 * 366 * 24 * 60 * 60 * 1000,
  ]);
  const range = { createdFrom: "2020-01-01T00:00:00Z", createdTo: "2099-01-01T00:00:00Z" };
  return [
    ["redeliverEvents", "V11933", { path: "/events/redeliver", body: range, key }],
    ["advanceSandboxClock", "V11501", { path: "/sandbox/clock/advance", body: { seconds: 1 }, key }],
  ];
}

/** Four pings are under way to an endpoint that does not answer. */
async function refusedPing(gateway: TestGateway): Promise<Refused> {
  const { key } = await gateway.newMerchant();
  const receiver = await startReceiver(() => {});
  const { id } = ok(
    await callApi(shopOf(gateway, key), "POST", "/webhooks", { event: "payouts", url: receiver.url }),
  );
  const path = `/webhooks/${id}/test`;
  for (let ping = 0; ping < 4; ping += 1) void gateway.post(path, undefined, { key });
  await receiver.until(4);
  return ["testWebhook", "V11911", { path, key }];
}
