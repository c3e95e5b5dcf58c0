import { companionId, type Id, idMoment } from "../../kernel/ids.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import { latest } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { type CustomerFacts, customerChange, insertCustomer, newCustomer } from "../customers/index.ts";
import type { Merchant } from "../merchants/index.ts";
import { instrumentChange } from "./instrument-change.ts";
import type { PaymentInstrument } from "./payment-instrument.ts";
import { presentInstrument } from "./present.ts";
import { insertInstrument } from "./queries.ts";

/** A card that a payer agreed to store. The vault has its number already, under the instrument's future id. */
export type CardToStore = {
  readonly owner: Id<"customer"> | CustomerFacts;
  readonly id: Id<"paymentInstrument">;
  readonly card: MaskedCard;
  readonly networkTransactionId: string | null;
};

/**
 * The customer that is created together with a card. Acquirers get this id with the payment that stores the card, before
 * the customer exists.
 */
export function newCustomerIdFor(id: Id<"paymentInstrument">): Id<"customer"> {
  return companionId("customer", id);
}

/**
 * Stores a payer's card after an approved payment, in that payment's transaction, for the customer that the merchant
 * named or for a new one. Every call creates a new instrument, even for a card that the customer has stored before: the
 * merchant requested one, and an older one may be in use with its own expiry and name. The vault's fingerprint shows that
 * both are the same card.
 */
export async function storeCard(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { owner, id, card, networkTransactionId }: CardToStore,
): Promise<PaymentInstrument> {
  const now = clockOf(ctx, merchant);
  // Lists find an instrument by the moment in its id, which is the beginning of the payment.
  const createdAt = idMoment(id);
  const customerId = typeof owner === "string" ? owner : newCustomerIdFor(id);
  const instrument: PaymentInstrument = {
    id,
    merchantId: merchant.id,
    customerId,
    reference: id,
    type: "card",
    card,
    bankAccount: null,
    networkTransactionId,
    metadata: null,
    createdAt,
    updatedAt: latest(now, createdAt),
    deletedAt: null,
  };
  if (typeof owner !== "string") {
    const customer = newCustomer(merchant.id, customerId, owner, now);
    // The event shows the customer as the API will: with this instrument.
    const instruments = { count: 1, newest: [presentInstrument(instrument, merchant.mode)] };
    await insertCustomer(tx, customer, customerChange(merchant.mode, customer, instruments));
  }
  await insertInstrument(tx, instrument, instrumentChange(merchant.mode, instrument));
  return instrument;
}
