import {
  callApi,
  callFrame,
  createRequest,
  type Frame,
  ok,
  openFrameOn,
  type RequestWish,
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

/** A request that takes both wallets and cards, with its frame, on a page where Apple Pay may be offered. */
export async function openWalletFrame(shop: Shop, wish: RequestWish = {}): Promise<Frame> {
  const request = await createRequest(shop, {
    paymentMethods: ["card", "apple_pay", "google_pay"],
    ...wish,
  });
  return openFrameOn(shop, request.id, REGISTERED_PAGE);
}

/** What the payer chooses on the sandbox's phone. */
export type Choice = { readonly card?: string; readonly total?: number };

/** Has the sandbox make a token, as its sheet does. */
export async function playToken(
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

/** A token, and the payment with it. */
export async function payByWallet(
  frame: Frame,
  wallet: Wallet,
  { consent = false, ...choice }: Choice & { consent?: boolean } = {},
): Promise<Answer> {
  const { total } = choice;
  const token = await playToken(frame, wallet, choice);
  return sendToken(frame, wallet, token, { consent, ...(total === undefined ? {} : { total }) });
}

/** A shop where Visa and American Express cost something on top, and localhost may show Apple Pay. */
export async function walletShop(gateway: TestGateway): Promise<Shop> {
  const shop = shopOf(gateway, (await gateway.newMerchant()).key);
  await registerLocalhost(shop);
  const rates = { visa: { percent: 1.2, fixed: 10 }, amex: { percent: 2, fixed: 0 } };
  ok(await callApi(shop, "PUT", "/management/account", { surcharging: { enabled: true, rates } }));
  return shop;
}
