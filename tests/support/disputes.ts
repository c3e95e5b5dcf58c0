import { advanceClock, callApi, ok, payOnce, type RequestOverrides, type Shop } from "./checkout.ts";
import { eventually } from "./eventually.ts";

/** The amount that the sandbox's payer disputes. */
export const DISPUTED = 14_490;

export type DisputeRecord = {
  readonly id: string;
  readonly transactionId: string;
  readonly status: string;
  readonly updatedDateTime: string;
  readonly evidenceDueDateTime: string;
  readonly payment: { readonly amount: number };
};

/** Pays, and returns the dispute that the payer opens; `delay` is the gateway's settlement delay. */
export async function disputeOf(
  shop: Shop,
  overrides: RequestOverrides = {},
  delay = 5,
): Promise<DisputeRecord> {
  // Not a Visa card: some tests add a surcharge to Visa.
  const card = { number: "5555555555554444" };
  const { transactionId } = await payOnce(shop, { ...overrides, amount: DISPUTED }, { card });
  await advanceClock(shop, delay);
  return whenDisputed(shop, transactionId);
}

export async function whenDisputed(shop: Shop, transactionId: string): Promise<DisputeRecord> {
  return eventually("the payment is disputed", async () => {
    const { disputes } = ok(await callApi(shop, "GET", `/disputes?transactionid=${transactionId}`));
    return disputes[0] as DisputeRecord | undefined;
  });
}

export async function whenDisputeIs(shop: Shop, id: string, status: string): Promise<DisputeRecord> {
  return eventually(`the dispute is ${status}`, async () => {
    const dispute = ok(await callApi(shop, "GET", `/disputes/${id}`));
    return dispute.status === status ? (dispute as DisputeRecord) : undefined;
  });
}
