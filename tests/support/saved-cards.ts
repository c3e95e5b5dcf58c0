import {
  CARD,
  callApi,
  callFrame,
  type Frame,
  ok,
  openFrame,
  type RequestOverrides,
  type Shop,
} from "./checkout.ts";
import { type Stored, storedCard } from "./stored-cards.ts";

export const MASTERCARD = "5555555555554444";
export const AMEX = { number: "378282246310005", securityCode: "1234" } as const;

/** What the checkout shows of a saved card. */
export type Offered = { readonly id: string; readonly cardType: string; readonly last4: string };

/** A new customer. */
export async function newCustomer(shop: Shop): Promise<string> {
  return ok(await callApi(shop, "POST", "/customers", { name: "Ana Silva", email: "ana@example.com" })).id;
}

/** A customer with a saved Visa ending in 1111. */
export async function savedVisa(shop: Shop): Promise<Stored> {
  return storedCard(shop, { customerRequest: { id: await newCustomer(shop) } });
}

/** A frame that offers the saved cards of a customer. */
export async function openFrameFor(
  shop: Shop,
  customer: string,
  { customerRequest, ...overrides }: RequestOverrides = {},
): Promise<Frame> {
  return openFrame(shop, { ...overrides, customerRequest: { id: customer, ...customerRequest } });
}

/** Pays with a saved card. */
export function paySaved(frame: Frame, id: string, more: object = {}) {
  const savedCard = { id, securityCode: CARD.securityCode };
  const body = { method: "card", savedCard, total: frame.shown.payment.amount, consent: false, ...more };
  return callFrame(frame.shop, "/checkout/pay", body, frame.session);
}

export function removeSaved(frame: Frame, id: string) {
  return callFrame(frame.shop, "/checkout/remove-card", { id }, frame.session);
}

/** The `customerRequest` of a customer with cards of three schemes, who may remove them. */
export async function customerWithCards(shop: Shop) {
  const id = await newCustomer(shop);
  for (const card of [{}, { number: "3530111333300000" }, { number: MASTERCARD }]) {
    await storedCard(shop, { customerRequest: { id } }, { card });
  }
  return { id, allowRemoval: true, paymentInstrument: "create" };
}
