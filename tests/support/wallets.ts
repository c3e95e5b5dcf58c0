import {
  callApi,
  callFrame,
  createRequest,
  type Frame,
  ok,
  openFrameOn,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "./checkout.ts";
import type { Answer, TestGateway } from "./gateway.ts";

export type Wallet = "apple_pay" | "google_pay";

/** A page that may offer Apple Pay in the sandbox without a file. */
export const REGISTERED_PAGE = "http://localhost:3000";

export async function registerLocalhost(shop: Shop): Promise<void> {
  ok(await callApi(shop, "POST", "/management/applepaydomains", { domains: ["localhost"] }));
}

/** Opens a frame for a request that accepts both wallets and cards, on a page where Apple Pay may be offered. */
export async function openWalletFrame(shop: Shop, overrides: RequestOverrides = {}): Promise<Frame> {
  const request = await createRequest(shop, {
    paymentMethods: ["card", "apple_pay", "google_pay"],
    ...overrides,
  });
  return openFrameOn(shop, request.id, REGISTERED_PAGE);
}

/** What the payer chooses on the sandbox's sheet. */
export type Choice = { readonly card?: string; readonly total?: number };

/** Gets a token from the sandbox, as its sheet does. */
export async function createSandboxToken(
  { shop, session, shown }: Frame,
  wallet: Wallet,
  { card = "visa", total = shown.payment.amount }: Choice = {},
) {
  return ok(await callFrame(shop, `/sandbox/wallets/${wallet}`, { card, total }, session)).token;
}

export async function sendToken(
  { shop, session, shown }: Frame,
  method: Wallet,
  token: unknown,
  { total = shown.payment.amount, consent = false }: { total?: number; consent?: boolean } = {},
): Promise<Answer> {
  return callFrame(shop, "/checkout/pay", { method, wallet: { token }, total, consent }, session);
}

/** Gets a token and pays with it. */
export async function payByWallet(
  frame: Frame,
  wallet: Wallet,
  { consent = false, ...choice }: Choice & { consent?: boolean } = {},
): Promise<Answer> {
  const { total } = choice;
  const token = await createSandboxToken(frame, wallet, choice);
  return sendToken(frame, wallet, token, { consent, ...(total === undefined ? {} : { total }) });
}

/** A shop that surcharges Visa and American Express, and may show Apple Pay on localhost. */
export async function walletShop(gateway: TestGateway): Promise<Shop> {
  const shop = shopOf(gateway, (await gateway.newMerchant()).key);
  await registerLocalhost(shop);
  const rates = { visa: { percent: 1.2, fixed: 10 }, amex: { percent: 2, fixed: 0 } };
  ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
  return shop;
}

/** An agreement whose texts need escaping. */
export const AGREEMENT = {
  description: "Coffee <b>club</b>",
  amount: 123_450,
  frequency: "monthly",
  frequencyCount: 3,
  billingAgreement: "Charged until you cancel.",
  managementURL: "https://shop.example/club?a=1&b=2",
} as const;
