import type { Egress } from "../../platform/egress/egress.ts";
import type { ApplePay } from "../ports/wallets.ts";
import { createApplePay } from "./apple-pay.ts";
import type { ApplePayKeys } from "./keys.ts";
import { requestMerchantSession } from "./merchant-session.ts";

/** Apple Pay for live merchants. `egress` goes out with the merchant identity certificate of the keys. */
export function createLiveApplePay({ recipient }: ApplePayKeys, egress: Pick<Egress, "send">): ApplePay {
  return createApplePay(
    async () => recipient,
    (input) => requestMerchantSession(egress, recipient.merchantId, input),
  );
}
