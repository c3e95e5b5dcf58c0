import { applicationDataOf } from "../../connectors/apple-pay/token.ts";
import type { WalletVendor } from "../../connectors/ports/wallets.ts";
import { madeFor } from "../../connectors/wallet-tokens/wallet-vendor.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { presentAgreement } from "./present-agreement.ts";
import { type WalletPlace, walletError } from "./wallet-place.ts";

/** The wallets that this payer can be offered, each with what its script, or the sandbox's sheet, has to know. */
export async function presentWallets(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
  place: WalletPlace,
): Promise<readonly object[]> {
  const vendor = ctx.wallets[merchant.mode];
  const asked = (request.details.paymentMethods ?? []).filter((method) => method !== "card");
  const offered: object[] = [];
  for (const wallet of asked) {
    if (vendor === undefined || (await walletError(ctx, merchant, request, place, wallet))) continue;
    offered.push({
      type: wallet,
      sandbox: merchant.mode === "sandbox",
      merchantName: request.details.hostedPage?.merchantName ?? merchant.name,
      countryCode: merchant.country,
      currencyCode: request.currency,
      ...CONFIGURATION[wallet](vendor, merchant, request),
      ...(vendor.simulator === undefined ? {} : { sandboxCards: vendor.simulator.cardsOf(wallet) }),
    });
  }
  return offered;
}

type Configuration = (vendor: WalletVendor, merchant: Merchant, request: PaymentRequest) => object;

const CONFIGURATION: Readonly<Record<Wallet, Configuration>> = {
  google_pay: ({ google }, merchant) => ({
    environment: google?.environment,
    gateway: google?.gateway,
    gatewayMerchantId: merchant.id,
    ...(google?.merchantId === undefined ? {} : { merchantId: google.merchantId }),
    allowedCardNetworks: ["AMEX", "DISCOVER", "JCB", "MASTERCARD", "VISA"],
    allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"],
  }),
  apple_pay: (_vendor, merchant, request) => ({
    merchantCapabilities: ["supports3DS"],
    supportedNetworks: ["amex", "discover", "jcb", "masterCard", "visa"],
    applicationData: applicationDataOf(madeFor({ merchantId: merchant.id, paymentRequestId: request.id })),
    ...(request.details.agreement === undefined
      ? {}
      : { agreement: presentAgreement(request.details.agreement) }),
  }),
};
