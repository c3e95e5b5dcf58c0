import { getRequest, type PayWish, payOnce, type RequestWish, type Shop } from "./checkout.ts";

/** A stored instrument, as a charge names it. */
export type Stored = { readonly id: string; readonly paymentInstrumentId: string };

/** Pays with consent, so that the card is stored. */
export async function storedCard(shop: Shop, wish: RequestWish = {}, pay: PayWish = {}): Promise<Stored> {
  const storing = { paymentInstrument: "create", ...wish.customerRequest };
  const { requestId } = await payOnce(shop, { ...wish, customerRequest: storing }, { consent: true, ...pay });
  const { customerResult } = await getRequest(shop, requestId);
  return { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId };
}

export type ChargeWish = {
  readonly amount?: number;
  readonly currencyCode?: string;
  readonly reference?: string;
  readonly category?: Readonly<Record<string, string>>;
  readonly cvn?: string;
};

/** The body of a charge. */
export function chargeOf(stored: Stored, wish: ChargeWish = {}): object {
  const { amount = 2500, currencyCode, reference, category, cvn } = wish;
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(category === undefined ? {} : { category }),
    payment: {
      amount,
      ...(currencyCode === undefined ? {} : { currencyCode }),
      instrument: { customer: { ...stored, ...(cvn === undefined ? {} : { cvn }) } },
    },
  };
}
