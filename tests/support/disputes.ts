import { openDispute } from "../../src/features/disputes/open-dispute.ts";
import { findMerchant } from "../../src/features/merchants/index.ts";
import { type Id, requireId } from "../../src/kernel/ids.ts";
import { advanceClock, callApi, ok, payOnce, type RequestOverrides, type Shop } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { inContext } from "./operator.ts";

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

/** Opens the dispute of a payment of any amount, as a notice of its acquirer does. */
export async function dispute(database: TestDatabase, id: string): Promise<void> {
  const [owner] = await database.rows<{ id: Id<"merchant"> }>(
    "select merchant_id as id from transactions where id = $1",
    [id],
  );
  await inContext(database, async (ctx) => {
    const merchant = owner && (await findMerchant(ctx.db, owner.id));
    if (merchant === undefined) throw new Error("no such payment");
    await openDispute(ctx, merchant, { transactionId: requireId("transaction", id), reason: "fraudulent" });
  });
}
