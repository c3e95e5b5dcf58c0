import { defined } from "../../kernel/defined.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { GooglePay } from "../ports/wallets.ts";
import { createGooglePay } from "./google-pay.ts";
import { readGooglePayKeys } from "./keys.ts";

/** Google Pay for live merchants. Undefined: the operator has not set it up. */
export async function openLiveGooglePay(settings: Settings): Promise<GooglePay | undefined> {
  const { googlePayGateway: gateway, googlePayMerchantId: merchantId } = settings;
  const recipient = await readGooglePayKeys(settings);
  if (recipient === undefined || gateway === undefined) return undefined;
  return createGooglePay(defined({ environment: "PRODUCTION", gateway, merchantId }), async () => recipient);
}
