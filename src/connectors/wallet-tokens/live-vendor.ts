import { SECOND } from "../../kernel/time.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import type { AppleSessionInput, WalletVendor } from "../ports/wallets.ts";
import type { LiveWallets } from "./live-keys.ts";
import { createWalletVendor } from "./wallet-vendor.ts";

/** The vendors of live merchants. `apple` goes out with our merchant identity certificate. */
export function createLiveVendor(
  { googlePayGateway, googlePayMerchantId }: Settings,
  keys: LiveWallets,
  apple: Pick<Egress, "send">,
): WalletVendor {
  const merchantId = keys.apple?.merchantId;
  return createWalletVendor({
    google:
      googlePayGateway === undefined
        ? undefined
        : {
            environment: "PRODUCTION",
            gateway: googlePayGateway,
            ...(googlePayMerchantId === undefined ? {} : { merchantId: googlePayMerchantId }),
          },
    apple: merchantId === undefined ? undefined : { merchantId },
    recipients: async () => keys,
    beginAppleSession: async (input) =>
      merchantId === undefined || !isAppleGateway(input.validationUrl)
        ? undefined
        : askApple(apple, merchantId, input),
  });
}

const HOST = /^(?:cn-)?apple-pay-gateway(?:-[a-z0-9]+)*\.apple\.com$/;
const PATH = /^\/paymentservices\/(?:paymentSession|startSession)$/;

/** The address comes from a browser. Our certificate is shown to Apple's hosts and to nobody else. */
export function isAppleGateway(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    HOST.test(url.hostname) &&
    PATH.test(url.pathname)
  );
}

const LONGEST_NAME = 64;

async function askApple(
  { send }: Pick<Egress, "send">,
  merchantIdentifier: string,
  { validationUrl, domain, displayName }: AppleSessionInput,
): Promise<object | undefined> {
  const exchange = await send({
    method: "POST",
    url: validationUrl,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      merchantIdentifier,
      displayName: Array.from(displayName).slice(0, LONGEST_NAME).join(""),
      initiative: "web",
      initiativeContext: domain,
    }),
    reach: "public",
    withinMs: 10 * SECOND,
  });
  if (exchange.outcome !== "answered" || exchange.status !== 200 || exchange.cut) return undefined;
  try {
    const session: unknown = JSON.parse(Buffer.from(exchange.body).toString("utf8"));
    return typeof session === "object" && session !== null ? session : undefined;
  } catch {
    return undefined;
  }
}
