import { createHash } from "node:crypto";
import { type Instant, later } from "../../kernel/time.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import type { WalletPayment } from "../ports/wallets.ts";
import { objectOf, optionalTextIn, readObject, textIn } from "../wallet-tokens/strict-json.ts";
import { refuseToken } from "../wallet-tokens/token-refused.ts";
import { usableCard } from "../wallet-tokens/usable-card.ts";
import { type AppleRecipient, unsealEcV1 } from "./ec-v1.ts";
import { SIGNED_WITHIN } from "./signature.ts";

/** How Apple names the currencies that we take. */
const CURRENCIES: Readonly<Record<string, string>> = { "036": "AUD", "554": "NZD" };

/** Opens an Apple Pay token that the payer made for this very payment request. */
export function openAppleToken(
  token: unknown,
  recipient: AppleRecipient,
  madeFor: string,
  now: Instant,
): WalletPayment {
  const { text, signedDigest, signedAt, applicationData } = unsealEcV1(token, recipient, now);
  if (applicationData === undefined || !isMadeFor(applicationData, madeFor)) refuseToken("other_recipient");
  const message = readObject(text);
  // What a chip card would send is for the terminals of one country.
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
  const currency = CURRENCIES[textIn(message, "currencyCode")];
  if (!Number.isSafeInteger(amount) || currency === undefined) refuseToken("card_unusable");
  return {
    card,
    useDigest: signedDigest,
    expiresAt: later(signedAt, SIGNED_WITHIN),
    agreed: { amount: amount as number, currency },
  };
}

/**
 * What ties a token to one payment request: the sheet is asked for with this, and Apple signs its digest. A token that
 * leaked, or that another merchant of this gateway was given, pays for nothing else.
 */
export function applicationDataOf(madeFor: string): string {
  return Buffer.from(madeFor, "utf8").toString("base64");
}

/** Apple does not say whether its digest is of the bytes or of the base64 that they were given in; both say the same. */
function isMadeFor(digest: Uint8Array, madeFor: string): boolean {
  return [madeFor, applicationDataOf(madeFor)].some((text) => sameBytes(digest, applicationDigest(text)));
}

export function applicationDigest(madeFor: string): Buffer {
  return createHash("sha256").update(madeFor).digest();
}
