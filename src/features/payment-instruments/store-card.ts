import { type Id, newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type CustomerFacts, customerChange, insertCustomer, newCustomer } from "../customers/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { instrumentChange } from "./instrument-change.ts";
import type { PaymentInstrument, StoredCard } from "./payment-instrument.ts";
import { presentInstrument } from "./present.ts";
import { insertInstrument } from "./queries.ts";

/** A card that a payer agreed to have stored. Its number is in the vault already, under the id that it will have. */
export type CardToStore = { readonly id: Id<"paymentInstrument">; readonly card: StoredCard };

/**
 * Stores a payer's card after an approved payment, in that payment's transaction: with the customer that the merchant
 * named, or with a new one. Every call makes a new instrument, also for a card that the customer has stored before: the
 * merchant asked for one, and an older one may be in use under its own expiry and name. The vault's fingerprint tells that
 * they are the same card.
 */
export async function storeCard(
  tx: Tx,
  ctx: Context,
  merchant: Merchant,
  owner: Id<"customer"> | CustomerFacts,
  { id, card }: CardToStore,
): Promise<PaymentInstrument> {
  const now = clockOf(ctx, merchant);
  const customerId = typeof owner === "string" ? owner : newId("customer", now);
  const instrument: PaymentInstrument = {
    id,
    merchantId: merchant.id,
    customerId,
    reference: id,
    type: "card",
    card,
    bankAccount: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  if (typeof owner !== "string") {
    const customer = newCustomer(merchant.id, customerId, owner, now);
    // The customer is told of as it will be read: with the instrument that comes with it.
    const held = { count: 1, newest: [presentInstrument(instrument, merchant.mode)] };
    await insertCustomer(tx, customer, customerChange(merchant.mode, customer, held));
  }
  await insertInstrument(tx, instrument, instrumentChange(merchant.mode, instrument));
  return instrument;
}
