import { payOnce, shopOf } from "../support/checkout.ts";
import { disputeOf } from "../support/disputes.ts";
import type { TestGateway } from "../support/gateway.ts";
import { payIdShop } from "../support/payid.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { dataUri, smallPng, svg } from "../support/sample-logos.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import {
  type DescribedCall,
  type DescribedCalls,
  type Refused,
  refusedWebhookCalls,
  WEBHOOK_SUCCESSES,
} from "./described-webhook-calls.ts";

const LOGO = dataUri("image/png", smallPng);
const HOSTED = { payment: { amount: 3000 }, hostedPaymentPage: { logo: LOGO } };
const withDrawing = (text: string) => ({
  ...HOSTED,
  hostedPaymentPage: { logo: dataUri("image/svg+xml", svg(text)) },
});
const payId = (value: string) => ({
  payment: { amount: 3000, instrument: { payId: { type: "single", value } } },
});
let payIds = 0;

/** Bodies that together produce every field of a response. */
const EVERY_FIELD = [
  { ...CHECKOUT, reference: "order-1", externalReference: "outside-1", metadata: { order: "1001" } },
  { ...CHECKOUT, payment: { amount: 1, currencyCode: "NZD", description: "One cent" } },
  {
    ...CHECKOUT,
    transactionRequest: { category: { captureType: "manual", authenticationType: "3d_secure" } },
  },
  { ...CHECKOUT, customerRequest: { paymentInstrument: "create", name: "Ann", email: "ann@example.com" } },
  {
    ...CHECKOUT,
    paymentMethods: ["apple_pay", "google_pay", "card"],
    agreementDetails: {
      frequency: "monthly",
      frequencyCount: 2,
      description: "Gym",
      startDate: "2030-01-01",
      endDate: "2031-01-01",
      amount: 100,
      managementURL: "https://gym.example/agreement",
      billingAgreement: "As agreed",
    },
  },
  {
    payment: { amount: 2500 },
    hostedPaymentPage: {
      merchantName: "Shop",
      logo: LOGO,
      resultPage: "redirect",
      redirectUrl: "https://shop.example/thanks",
      cancelUrl: "myapp://cart",
      lineItems: [
        { title: "Tea", image: "https://shop.example/tea.png", amount: 2000, quantity: 1.5, modifier: "kg" },
      ],
      adjustments: [{ title: "Off", amount: -500, adjustmentType: "discount", order: 1 }],
      attempts: 3,
    },
  },
];

async function createRequestId(gateway: TestGateway, body: unknown = CHECKOUT): Promise<string> {
  return (await gateway.post("/paymentrequests", body)).body.id;
}

/** Returns the id of an approved transaction. */
async function paidId(gateway: TestGateway, captureType: "auto" | "manual" = "auto"): Promise<string> {
  // Not a Visa card: other calls here add a surcharge to Visa.
  const card = { number: "5555555555554444" };
  return (await payOnce(shopOf(gateway), { category: { captureType } }, { card })).transactionId;
}

/** Returns the id of a PayID request with one returned transfer and one accepted transfer. */
async function paidByPayId(gateway: TestGateway): Promise<string> {
  const shop = payIdShop(gateway);
  const { id, payId: at } = await shop.request();
  for (const amount of [2999, 3000]) await shop.pay(at, amount, { payerName: "Ann Lee" });
  return id;
}

async function eventId(gateway: TestGateway): Promise<string> {
  await createRequestId(gateway);
  return (await gateway.get("/events?limit=1")).body.events[0].id;
}

/** Returns the id of a payout that contains a payment and a refund. */
async function payoutId(gateway: TestGateway): Promise<string> {
  await gateway.post(`/transactions/${await paidId(gateway)}/refunds`, { payment: { amount: 1 } });
  await gateway.post("/sandbox/settlements/run");
  return (await gateway.get("/payouts?limit=1")).body.payouts[0].id;
}

const ANN = { name: "Ann Lee", email: "ann@example.com" };
const ACCOUNT = { accountName: "Ann Lee", bsb: "062000", number: "12345678" };

async function customerId(gateway: TestGateway): Promise<string> {
  return (await gateway.post("/customers", ANN)).body.id;
}

/** The path of a customer's instruments, and of one of them. */
async function instruments(gateway: TestGateway): Promise<{ readonly all: string; readonly one: string }> {
  const all = `/customers/${await customerId(gateway)}/paymentinstruments`;
  const { id } = (await gateway.post(all, { bankAccount: ACCOUNT })).body;
  return { all, one: `${all}/${id}` };
}

/** Successful calls for every operation. A new operation gets its line here. */
export const SUCCESSES: Readonly<Record<string, DescribedCalls>> = {
  createPaymentRequest: async () => [
    ...EVERY_FIELD.map((body) => ({ path: "/paymentrequests", body })),
    { path: "/paymentrequests", body: payId(`described-${payIds++}`) },
  ],
  listPaymentRequests: async (gateway) => {
    for (const body of EVERY_FIELD) await createRequestId(gateway, body);
    return [{ path: "/paymentrequests" }, { path: "/paymentrequests?limit=1&status=created" }];
  },
  getPaymentRequest: async (gateway) => [
    { path: `/paymentrequests/${await paidByPayId(gateway)}` },
    { path: `/paymentrequests/${await createRequestId(gateway)}` },
    { path: `/paymentrequests/${await createRequestId(gateway, EVERY_FIELD.at(-1))}` },
  ],
  cancelPaymentRequest: async (gateway) => [
    { path: `/paymentrequests/${await createRequestId(gateway)}/cancel` },
    { path: `/paymentrequests/${await createRequestId(gateway)}/cancel`, body: {} },
  ],
  createToken: async (gateway) => [
    { path: "/tokens", body: { scope: "payui", paymentRequestId: await createRequestId(gateway) } },
  ],
  createTransaction: async (gateway) => {
    const card = await storedCard(shopOf(gateway), {}, { card: { number: "5555555555554444" } });
    const { all, one } = await instruments(gateway);
    const account = { id: all.split("/")[2] ?? "", paymentInstrumentId: one.split("/").at(-1) ?? "" };
    return [
      { path: "/transactions", body: chargeOf(card) },
      { path: "/transactions", body: chargeOf(card, { amount: 14405 }) },
      { path: "/transactions", body: { ...chargeOf(account), metadata: { order: "1001" } } },
    ];
  },
  listTransactions: async (gateway) => {
    await paidId(gateway);
    await paidByPayId(gateway);
    return [{ path: "/transactions" }, { path: "/transactions?limit=1&status=approved" }];
  },
  getTransaction: async (gateway) => {
    const id = await paidId(gateway);
    const refund = await gateway.post(`/transactions/${id}/refunds`);
    return [{ path: `/transactions/${id}` }, { path: `/transactions/${refund.body.id}` }];
  },
  captureTransaction: async (gateway) => [
    { path: `/transactions/${await paidId(gateway, "manual")}/capture`, body: { payment: { amount: 1 } } },
    { path: `/transactions/${await paidId(gateway, "manual")}/capture` },
  ],
  cancelTransaction: async (gateway) => [{ path: `/transactions/${await paidId(gateway, "manual")}/cancel` }],
  createRefund: async (gateway) => [
    { path: `/transactions/${await paidId(gateway)}/refunds` },
    {
      path: `/transactions/${await paidId(gateway)}/refunds`,
      body: { reference: "r", payment: { amount: 1 }, metadata: { order: "1001" } },
    },
  ],
  listRefunds: async (gateway) => {
    const id = await paidId(gateway);
    await gateway.post(`/transactions/${id}/refunds`);
    return [{ path: `/transactions/${id}/refunds` }];
  },
  getRefund: async (gateway) => {
    const id = await paidId(gateway);
    const refund = await gateway.post(`/transactions/${id}/refunds`);
    return [{ path: `/transactions/${id}/refunds/${refund.body.id}` }];
  },
  listAllRefunds: async (gateway) => {
    await gateway.post(`/transactions/${await paidId(gateway)}/refunds`);
    return [{ path: "/refunds" }, { path: "/refunds?limit=1&status=pending" }];
  },
  readRefund: async (gateway) => {
    const refund = await gateway.post(`/transactions/${await paidId(gateway)}/refunds`);
    return [{ path: `/refunds/${refund.body.id}` }];
  },
  listDisputes: async (gateway) => {
    const { id } = await disputeOf(shopOf(gateway));
    return [{ path: "/disputes" }, { path: `/disputes?limit=1&status=needs_response&transactionid=${id}` }];
  },
  getDispute: async (gateway) => [{ path: `/disputes/${(await disputeOf(shopOf(gateway))).id}` }],
  sendDisputeEvidence: async (gateway) => [
    { path: `/disputes/${(await disputeOf(shopOf(gateway))).id}/evidence`, body: { text: "win" } },
  ],
  acceptDispute: async (gateway) => [{ path: `/disputes/${(await disputeOf(shopOf(gateway))).id}/accept` }],
  createCustomer: async () => [
    { path: "/customers", body: ANN },
    { path: "/customers", body: { ...ANN, reference: "member-1", metadata: { tier: "gold" } } },
  ],
  listCustomers: async (gateway) => {
    await instruments(gateway);
    return [{ path: "/customers" }, { path: "/customers?limit=1&metadata[tier]=gold" }];
  },
  getCustomer: async (gateway) => [
    { path: `/customers/${await customerId(gateway)}` },
    { path: (await instruments(gateway)).all.replace("/paymentinstruments", "") },
  ],
  changeCustomer: async (gateway) => [
    { path: `/customers/${await customerId(gateway)}`, body: { name: "Ann Park" } },
    { path: `/customers/${await customerId(gateway)}`, body: {} },
  ],
  createPaymentInstrument: async (gateway) => {
    const path = `/customers/${await customerId(gateway)}/PaymentInstruments`;
    const abroad = { accountName: "Ann Lee", number: "12-3140-0171323-50" };
    return [
      { path, body: { bankAccount: ACCOUNT } },
      { path, body: { reference: "abroad", bankAccount: abroad, metadata: { plan: "a" } } },
    ];
  },
  listPaymentInstruments: async (gateway) => [{ path: (await instruments(gateway)).all }],
  getPaymentInstrument: async (gateway) => [{ path: (await instruments(gateway)).one }],
  changePaymentInstrument: async (gateway) => [
    { path: (await instruments(gateway)).one, body: { reference: "r", bankAccount: { accountName: "A" } } },
    { path: (await instruments(gateway)).one, body: {} },
  ],
  deletePaymentInstrument: async (gateway) => [
    { path: (await instruments(gateway)).one },
    { path: (await instruments(gateway)).one, body: {} },
  ],
  listEvents: async () => [{ path: "/events" }, { path: "/events?event=payment_requests&limit=2" }],
  getEvent: async (gateway) => [{ path: `/events/${await eventId(gateway)}` }],
  getAccount: async () => [{ path: "/management/account" }],
  changeAccount: async () => [
    {
      path: "/management/account",
      body: {
        allowedOrigins: ["https://shop.example"],
        surcharging: {
          rates: { visa: { percent: 1.2, from: "2026-01-01", until: "2036-01-01" }, amex: { fixed: 10 } },
        },
      },
    },
    { path: "/management/account", body: {} },
  ],
  ...WEBHOOK_SUCCESSES,
  listPayouts: async (gateway) => {
    await payoutId(gateway);
    return [{ path: "/payouts" }, { path: "/payouts?limit=1&currencyCode=AUD" }];
  },
  getPayoutLines: async (gateway) => [{ path: `/payouts/${await payoutId(gateway)}/lines` }],
  exportPayout: async (gateway) => [{ path: `/payouts/${await payoutId(gateway)}.csv` }],
  exportTransactions: async () => [{ path: "/transactions.csv?status=approved" }],
  exportRefunds: async () => [{ path: "/refunds.csv" }],
  getPayout: async (gateway) => [{ path: `/payouts/${await payoutId(gateway)}` }],
  runSandboxSettlements: async () => [
    { path: "/sandbox/settlements/run" },
    { path: "/sandbox/settlements/run", body: {} },
  ],
  payPayIdInSandbox: async (gateway) => {
    // The PayID of the example request, which may be open already.
    await gateway.post("/paymentrequests", payId("order-1001"));
    const { payId: at } = await payIdShop(gateway).request();
    const transfer = {
      path: "/sandbox/payid/transfers",
      body: { payId: at, amount: 2999, payerName: "Ann" },
    };
    return [transfer, { ...transfer, body: { payId: at, amount: 3000 } }];
  },
  listApplePayDomains: async () => [{ path: "/management/applepaydomains" }],
  registerApplePayDomains: async () => [
    { path: "/management/applepaydomains", body: { domains: ["localhost"] } },
  ],
  removeApplePayDomains: async (gateway) => {
    await gateway.post("/management/applepaydomains", { domains: ["localhost"] });
    return [{ path: "/management/applepaydomains", body: { domains: ["LOCALHOST"] } }];
  },
  getApplePayAssociation: async () => [{ path: "/management/applepaydomains/association" }],
  advanceSandboxClock: async () => [{ path: "/sandbox/clock/advance", body: { seconds: 1 } }],
};

/** Calls that a rule or a state refuses, beyond the refusals common to all operations. */
export async function refusedCalls(gateway: TestGateway): Promise<readonly Refused[]> {
  const create = (body: unknown): DescribedCall => ({ path: "/paymentrequests", body });
  const tokenFor = async (body: unknown): Promise<DescribedCall> => ({
    path: "/tokens",
    body: { scope: "payui", paymentRequestId: await createRequestId(gateway, body) },
  });
  const cancelled = await createRequestId(gateway);
  await gateway.post(`/paymentrequests/${cancelled}/cancel`);
  await createRequestId(gateway, payId("taken"));
  const { all, one } = await instruments(gateway);
  const accepted = await disputeOf(shopOf(gateway));
  await gateway.post(`/disputes/${accepted.id}/accept`);
  return [
    ["createPaymentRequest", "V11230", create({ ...EVERY_FIELD.at(-1), payment: { amount: 1 } })],
    [
      "createPaymentRequest",
      "V11204",
      create({ ...HOSTED, hostedPaymentPage: { logo: LOGO.replace("png", "webp") } }),
    ],
    ["createPaymentRequest", "V11203", create(withDrawing(`<desc>${"x".repeat(10_240)}</desc>`))],
    ["createPaymentRequest", "V11205", create(withDrawing("<script>1</script>"))],
    ["createPaymentRequest", "V11134", create({ ...CHECKOUT, ...payId("free") })],
    ["createPaymentRequest", "V11135", create(payId("taken"))],
    ["createPaymentRequest", "V11101", create({ payment: { amount: 0, currencyCode: "EUR" } })],
    ["cancelPaymentRequest", "V11190", { path: `/paymentrequests/${cancelled}/cancel` }],
    ["createToken", "V11402", await tokenFor(HOSTED)],
    ["createToken", "V11401", { path: "/tokens", body: { scope: "payui", paymentRequestId: "pr_unknown" } }],
    ["createPaymentRequest", "V10214", create({ ...CHECKOUT, customerRequest: { id: "cus_unknown" } })],
    ["acceptDispute", "V12071", { path: `/disputes/${accepted.id}/accept` }],
    ["sendDisputeEvidence", "V12070", { path: `/disputes/${accepted.id}/evidence`, body: { text: "" } }],
    ["createCustomer", "V11801", { path: "/customers", body: { name: "Ann" } }],
    ["createCustomer", "V12301", { path: "/customers", body: { ...ANN, metadata: { "a b": "" } } }],
    ["createCustomer", "V12302", { path: "/customers", body: { ...ANN, metadata: { a: 1 } } }],
    ["changePaymentInstrument", "V12303", { path: one, body: { metadata: { bankName: "Mine" } } }],
    ["listTransactions", "V12310", { path: "/transactions?metadata[a]=1&metadata[b]=2" }],
    ["createPaymentInstrument", "V11830", { path: all, body: { bankAccount: ACCOUNT, card: {} } }],
    ["createPaymentInstrument", "V11823", { path: all, body: { bankAccount: { ...ACCOUNT, number: "1" } } }],
    ["changePaymentInstrument", "V11832", { path: one, body: { card: { expiryYear: 2031 } } }],
    ...(await refusedWebhookCalls(gateway)),
    ["listPaymentRequests", "V11021", { path: "/paymentrequests?cursor=nonsense" }],
    ["listEvents", "V11020", { path: "/events?limit=0" }],
    [
      "changeAccount",
      "V11314",
      { path: "/management/account", body: { surcharging: { rates: { jcb: { until: "1" } } } } },
    ],
    [
      "payPayIdInSandbox",
      "V12003",
      { path: "/sandbox/payid/transfers", body: { payId: "unknown@payid.tidegate.test", amount: 1 } },
    ],
    ["advanceSandboxClock", "V11500", { path: "/sandbox/clock/advance", body: { seconds: 0 } }],
  ];
}
