import { defined } from "../../kernel/defined.ts";
import type { Id } from "../../kernel/ids.ts";
import { metadataOf } from "../../kernel/metadata.ts";
import { type Currency, cents } from "../../kernel/money.ts";
import { type Problem, refuse, refuseAll } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { codeLengthOf } from "../../platform/cards/card-scheme.ts";
import type { Loose } from "../../platform/http/validate.ts";
import { currencyOf, type Merchant } from "../merchants/index.ts";
import type { PaymentInstrument } from "../payment-instruments/index.ts";
import { newTransaction, type Transaction } from "../transactions/index.ts";
import type { ChargeInput } from "./wire.ts";

/**
 * The transaction of a charge, before any bank is called. The payer sees no price, so no surcharge is added to the
 * merchant's amount.
 */
export function newCharge(
  merchant: Merchant,
  instrument: PaymentInstrument,
  input: ChargeInput,
  { id, now }: { readonly id: Id<"transaction">; readonly now: Instant },
): Transaction {
  refuseAll(chargeProblems(instrument, input));
  refuseUnlessCapable(merchant, instrument);
  const { reference, metadata, category = {}, payment } = input;
  const { origin = "internet", frequency = "single", captureType = "auto" } = category;
  const isCard = instrument.type === "card";
  return newTransaction({
    id,
    merchantId: merchant.id,
    reference: reference ?? id,
    metadata: metadataOf(metadata),
    source: isCard ? "card" : "direct_debit",
    origin,
    frequency,
    captureType,
    acceptsPartial: isCard && category.partialApproval === "accept",
    phase: isCard ? "calling" : "waiting",
    amount: cents(payment.amount),
    currency: payment.currencyCode ?? ownCurrency(merchant, instrument),
    card: instrument.card,
    bankAccount: maskedAccount(instrument),
    customerId: instrument.customerId,
    paymentInstrumentId: instrument.id,
    now,
  });
}

/** Refuses an account that may not charge instruments of this kind. */
export function refuseUnlessCapable(
  { capabilities }: Merchant,
  { type }: Pick<PaymentInstrument, "type">,
): void {
  if (type === "card" && !capabilities.cardNotPresent) refuse("charge_card_capability_missing");
  if (type !== "card" && !capabilities.directDebit) refuse("charge_direct_debit_capability_missing");
}

/** Problems with a charge of this instrument. */
export function chargeProblems(instrument: PaymentInstrument, input: Loose<ChargeInput>): readonly Problem[] {
  const { payment, category = {} } = input;
  const cvn = payment?.instrument?.customer?.cvn;
  const wrongCode = { code: "charge_cvn_invalid", field: "/payment/instrument/customer/cvn" } as const;
  if (instrument.type === "card") {
    const length = codeLengthOf(instrument.card.cardType);
    return cvn === undefined || length === undefined || cvn.length === length ? [] : [wrongCode];
  }
  const wrongCurrency =
    payment?.currencyCode !== undefined &&
    payment.currencyCode !== currencyOf(instrument.bankAccount.country);
  return [
    ...(cvn === undefined ? [] : [wrongCode]),
    ...(category.captureType === "manual"
      ? [{ code: "charge_capture_type_invalid", field: "/category/captureType" } as const]
      : []),
    ...(category.partialApproval === "accept"
      ? [{ code: "charge_partial_approval_invalid", field: "/category/partialApproval" } as const]
      : []),
    ...(wrongCurrency ? [{ code: "charge_currency_invalid", field: "/payment/currencyCode" } as const] : []),
  ];
}

function ownCurrency(merchant: Merchant, instrument: PaymentInstrument): Currency {
  return instrument.type === "card" ? merchant.currency : currencyOf(instrument.bankAccount.country);
}

function maskedAccount({ bankAccount }: PaymentInstrument): Transaction["bankAccount"] {
  if (bankAccount === null) return null;
  const { accountName, bsb, number } = bankAccount;
  return defined({ accountName, bsb, number });
}
