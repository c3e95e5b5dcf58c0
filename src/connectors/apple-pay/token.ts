import { CURRENCY_NUMBERS, cents } from "../../kernel/money.ts";
import { type Instant, later } from "../../kernel/time.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import type { WalletPayment } from "../ports/wallets.ts";
import { objectOf, optionalTextIn, readObject, textIn } from "../wallet-tokens/strict-json.ts";
import { refuseToken } from "../wallet-tokens/token-refused.ts";
import { usableCard } from "../wallet-tokens/usable-card.ts";
import { applicationDataOf, applicationDigest } from "./application-data.ts";
import { type AppleRecipient, unsealEcV1 } from "./ec-v1.ts";
import { SIGNED_WITHIN } from "./signature.ts";

const CURRENCY_OF_NUMBER: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CURRENCY_NUMBERS).map(([currency, number]) => [number, currency]),
);

/** Opens an Apple Pay token that was made for this payment request. */
export function openAppleToken(
  token: unknown,
  recipient: AppleRecipient,
  purpose: string,
  now: Instant,
): WalletPayment {
  const { text, signedDigest, signedAt, applicationData } = unsealEcV1(token, recipient, now);
  if (applicationData === undefined || !isFor(applicationData, purpose)) refuseToken("other_recipient");
  const message = readObject(text);
  // The other type, EMV, is for the terminals of one country.
  if (textIn(message, "paymentDataType") !== "3DSecure") refuseToken("card_unusable");
  const proof = objectOf(message["paymentData"]);
  const [, year, month] = /^(\d{2})(\d{2})\d{2}$/.exec(textIn(message, "applicationExpirationDate")) ?? [];
  const card = usableCard(
    {
      number: textIn(message, "applicationPrimaryAccountNumber"),
      expiryMonth: Number(month),
      expiryYear: 2000 + Number(year),
      name: optionalTextIn(message, "cardholderName"),
      cryptogram: textIn(proof, "onlinePaymentCryptogram"),
      eci: optionalTextIn(proof, "eciIndicator"),
    },
    now,
  );
  const amount = message["transactionAmount"];
  const currency = CURRENCY_OF_NUMBER[textIn(message, "currencyCode")];
  if (!Number.isSafeInteger(amount) || currency === undefined) refuseToken("card_unusable");
  return {
    card,
    useDigest: signedDigest,
    expiresAt: later(signedAt, SIGNED_WITHIN),
    agreed: { amount: cents(amount as number), currency },
  };
}

/** Apple does not document whether its digest covers the bytes or their base64; both identify the same payment. */
function isFor(digest: Uint8Array, purpose: string): boolean {
  return [purpose, applicationDataOf(purpose)].some((text) => sameBytes(digest, applicationDigest(text)));
}
