import { getRequest, type PayOverrides, payOnce, type RequestOverrides, type Shop } from "./checkout.ts";

/** A stored instrument, as a charge names it. */
export type Stored = { readonly id: string; readonly paymentInstrumentId: string };

/** Pays with consent, so that the card is stored. */
export async function storedCard(
  shop: Shop,
  overrides: RequestOverrides = {},
  pay: PayOverrides = {},
): Promise<Stored> {
  const storing = { paymentInstrument: "create", ...overrides.customerRequest };
  const { requestId } = await payOnce(
    shop,
    { ...overrides, customerRequest: storing },
    { consent: true, ...pay },
  );
  const { customerResult } = await getRequest(shop, requestId);
  return { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId };
}

export type ChargeOverrides = {
  readonly amount?: number;
  readonly currencyCode?: string;
  readonly reference?: string;
  readonly category?: Readonly<Record<string, string>>;
  readonly cvn?: string;
};

/** The body of a charge. */
export function chargeOf(stored: Stored, overrides: ChargeOverrides = {}): object {
  const { amount = 2500, currencyCode, reference, category, cvn } = overrides;
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
