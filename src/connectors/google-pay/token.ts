import type { Instant } from "../../kernel/time.ts";
import type { WalletPayment } from "../ports/wallets.ts";
import { objectOf, optionalTextIn, readObject, textIn } from "../wallet-tokens/strict-json.ts";
import { refuseToken } from "../wallet-tokens/token-refused.ts";
import { usableCard } from "../wallet-tokens/usable-card.ts";
import { type GoogleRecipient, momentIn, unsealEcv2 } from "./ecv2.ts";

/** Opens a Google Pay token that was made for this merchant of this gateway. */
export function openGoogleToken(
  token: unknown,
  recipient: GoogleRecipient,
  gatewayMerchantId: string,
  now: Instant,
): WalletPayment {
  if (typeof token !== "string") refuseToken("unreadable");
  const { text, signedDigest } = unsealEcv2(token, recipient, now);
  const message = readObject(text);
  const expiresAt = momentIn(message, "messageExpiration");
  if (now >= expiresAt) refuseToken("expired");
  if (textIn(message, "gatewayMerchantId") !== gatewayMerchantId) refuseToken("other_recipient");
  if (textIn(message, "paymentMethod") !== "CARD") refuseToken("card_unusable");
  const details = objectOf(message["paymentMethodDetails"]);
  const card = usableCard(
    {
      number: textIn(details, "pan"),
      expiryMonth: details["expirationMonth"],
      expiryYear: details["expirationYear"],
      ...authenticated(textIn(details, "authMethod"), () => ({
        cryptogram: textIn(details, "cryptogram"),
        eci: optionalTextIn(details, "eciIndicator"),
      })),
    },
    now,
  );
  return { card, useDigest: signedDigest, expiresAt };
}

type Proof = { readonly cryptogram?: string; readonly eci?: string | undefined };

/** Only a card on a device comes with a cryptogram; a card on file at Google is a number only. */
function authenticated(authMethod: string, proof: () => Proof): Proof {
  if (authMethod === "CRYPTOGRAM_3DS") return proof();
  return authMethod === "PAN_ONLY" ? {} : refuseToken("card_unusable");
}
