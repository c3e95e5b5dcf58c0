import type { Country } from "../../kernel/country.ts";
import type { Id } from "../../kernel/ids.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import { changedMetadata, type Metadata } from "../../kernel/metadata.ts";
import { changeTime, type Instant, instant } from "../../kernel/time.ts";
import { HAS_TOKENS_ONLY } from "../../kernel/wallets.ts";

export const INSTRUMENT_TYPES = ["card", "bank_account"] as const;

/** Whether acquirers get the number as a token. */
export function isToken({ wallet, isNetworkToken }: MaskedCard): boolean {
  return isNetworkToken ?? (wallet !== undefined && HAS_TOKENS_ONLY[wallet]);
}

/** A card can be used until its expiry month ends, in UTC. */
export function cardEnd({
  expiryMonth,
  expiryYear,
}: Pick<MaskedCard, "expiryMonth" | "expiryYear">): Instant {
  // Months count from 0, so this is the first moment after the expiry month.
  return instant(Date.UTC(expiryYear, expiryMonth, 1));
}

/** The part of a bank account that may be stored in clear. */
export type BankAccount = {
  readonly country: Country;
  readonly accountName: string;
  /** Only in Australia. */
  readonly bsb?: string;
  /** Masked. */
  readonly number: string;
  /** Stored, because it can't be derived from the masked number of a New Zealand account. */
  readonly bankName: string;
};

type Kind =
  | { readonly type: "card"; readonly card: MaskedCard; readonly bankAccount: null }
  | { readonly type: "bank_account"; readonly card: null; readonly bankAccount: BankAccount };

/** A stored card or bank account of a customer. Its number is in the vault, under its id. */
export type PaymentInstrument = Kind & {
  readonly id: Id<"paymentInstrument">;
  readonly merchantId: Id<"merchant">;
  readonly customerId: Id<"customer">;
  readonly reference: string;
  /** The card scheme's id of the payment that stored the card; later charges carry it. */
  readonly networkTransactionId: string | null;
  readonly metadata: Metadata | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: Instant | null;
};

export type InstrumentChange = {
  readonly reference?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly bankAccount?: { readonly accountName?: string | undefined } | undefined;
  readonly card?: CardChange | undefined;
};

export type CardChange = {
  readonly name?: string | undefined;
  readonly expiryMonth?: number | undefined;
  readonly expiryYear?: number | undefined;
};

/** The instrument after a change that fits its type; the same object if nothing differs. */
export function changedInstrument(
  before: PaymentInstrument,
  change: InstrumentChange,
  now: Instant,
): PaymentInstrument {
  const reference = change.reference ?? before.reference;
  const metadata = changedMetadata(before.metadata, ownPairs(before, change.metadata));
  const same = { ...before, reference, metadata };
  const after: PaymentInstrument =
    same.type === "card"
      ? { ...same, card: changedCard(same.card, change.card) }
      : { ...same, bankAccount: changedAccount(same.bankAccount, change.bankAccount) };
  if (
    reference === before.reference &&
    metadata === before.metadata &&
    after.card === before.card &&
    after.bankAccount === before.bankAccount
  )
    return before;
  return { ...after, updatedAt: changeTime(now, before.updatedAt) };
}

/**
 * The pairs that the merchant may set. A bank account's `bankName` stands beside them: a caller that sends back what it
 * has read sends it, too.
 */
export function ownPairs(
  { bankAccount }: Pick<PaymentInstrument, "bankAccount">,
  metadata: Metadata | undefined,
): Metadata | undefined {
  if (metadata === undefined || bankAccount === null) return metadata;
  const { bankName: _, ...own } = metadata;
  return own;
}

export function changedCard(card: MaskedCard, change: CardChange = {}): MaskedCard {
  const { name = card.name, expiryMonth = card.expiryMonth, expiryYear = card.expiryYear } = change;
  const same = name === card.name && expiryMonth === card.expiryMonth && expiryYear === card.expiryYear;
  return same ? card : { ...card, name, expiryMonth, expiryYear };
}

function changedAccount(
  account: BankAccount,
  { accountName = account.accountName }: NonNullable<InstrumentChange["bankAccount"]> = {},
): BankAccount {
  return accountName === account.accountName ? account : { ...account, accountName };
}

/** The last version of an instrument. Deleting is a change, so `updatedAt` increases once more. */
export function deletedInstrument(before: PaymentInstrument, now: Instant): PaymentInstrument {
  const at = changeTime(now, before.updatedAt);
  return { ...before, updatedAt: at, deletedAt: at };
}
