import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { type Id, parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { codeLengthOf } from "../../platform/cards/card-scheme.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { SecretUnreadable } from "../../platform/vault/errors.ts";
import { type Merchant, takesMethod } from "../merchants/index.ts";
import {
  cardEnd,
  findInstrument,
  listOfCustomer,
  lockInstrument,
  type PaymentInstrument,
  placeOf,
} from "../payment-instruments/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import type { SavedCardInput } from "./wire.ts";

/** A stored card that its customer can pay with in the checkout. */
export type SavedCard = Extract<PaymentInstrument, { type: "card" }>;

/** The newest are offered. */
const OFFERED_AT_MOST = 10;
/** Bank accounts and expired cards are among the rows that are read. */
const READ_AT_MOST = 100;

/** The cards that the payer can choose from. */
export async function listSavedCards(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
): Promise<readonly SavedCard[]> {
  const customerId = customerWithCards(merchant, request);
  if (customerId === undefined || request.status !== "created") return [];
  const now = clockOf(ctx, merchant);
  const newest = await listOfCustomer(ctx.db, merchant.id, customerId, READ_AT_MOST);
  return newest.filter((one) => isOffered(one, now)).slice(0, OFFERED_AT_MOST);
}

/** The card that the payer chose. Its number stays in the vault. */
export async function getChosenCard(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
  { id, securityCode }: SavedCardInput,
): Promise<SavedCard> {
  const saved = await getSavedCard(ctx, ctx.db, { merchant, request, id, find: findInstrument });
  const length = codeLengthOf(saved.card.cardType);
  if (length !== undefined && securityCode.length !== length)
    refuse("card_security_code_invalid", "/savedCard/securityCode");
  return saved;
}

/** The same card, ready for the acquirer. Its number leaves the vault for this payment. */
export async function openSavedCard(
  ctx: Context,
  request: PaymentRequest,
  saved: SavedCard,
  { securityCode }: SavedCardInput,
): Promise<CardDetails> {
  const { name, expiryMonth, expiryYear } = saved.card;
  ctx.vault.admitCharge(saved.merchantId);
  const use = { purpose: "charge", subjectId: request.id } as const;
  const opened = ctx.vault.use(ctx.db, placeOf(saved), use, async (number) => ({
    number,
    expiryMonth,
    expiryYear,
    securityCode,
    name,
  }));
  const card = await opened.catch((error: unknown) => {
    // The vault has logged it; the payer can use another card.
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  });
  return card ?? refuse("checkout_saved_card_refused", "/savedCard/id");
}

/** Holds the card until the attempt is on record: one that was removed since is refused. */
export async function lockSavedCard(
  ctx: Context,
  tx: Tx,
  merchant: Merchant,
  { request, saved }: { readonly request: PaymentRequest; readonly saved: SavedCard },
): Promise<void> {
  await getSavedCard(ctx, tx, { merchant, request, id: saved.id, find: lockInstrument });
}

type Wanted = {
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  readonly id: string;
  readonly find: typeof findInstrument;
};

async function getSavedCard(
  ctx: Context,
  tx: Tx,
  { merchant, request, id, find }: Wanted,
): Promise<SavedCard> {
  const customerId = customerWithCards(merchant, request);
  const instrumentId = parseId("paymentInstrument", id);
  const found = customerId && instrumentId && (await find(tx, merchant.id, customerId, instrumentId));
  return found && isOffered(found, clockOf(ctx, merchant))
    ? found
    : refuse("checkout_saved_card_refused", "/savedCard/id");
}

/**
 * The customer whose cards are offered. A verification exists to store a card, so it offers none that is stored already.
 */
export function customerWithCards(
  merchant: Merchant,
  { amount, details }: Pick<PaymentRequest, "amount" | "details">,
): Id<"customer"> | undefined {
  const { customerRequest, paymentMethods = [] } = details;
  const takesCards = amount > 0 && paymentMethods.includes("card") && takesMethod(merchant, "card");
  return takesCards ? parseId("customer", customerRequest?.id ?? "") : undefined;
}

function isOffered(one: PaymentInstrument, now: Instant): one is SavedCard {
  return isSavedCard(one) && now < cardEnd(one.card);
}

/** A wallet's card has a device number, which no security code belongs to: its payer pays with the wallet. */
export function isSavedCard(one: PaymentInstrument): one is SavedCard {
  return one.type === "card" && one.card.wallet === undefined;
}
