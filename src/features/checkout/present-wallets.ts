import { defined } from "../../kernel/defined.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { presentAgreement, presentTerms } from "./present-agreement.ts";
import { type WalletPlace, walletProblem } from "./wallet-place.ts";

/** The wallets that the page can offer, each with the data for its script or for the sandbox's sheet. */
export async function presentWallets(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
  { place, language }: { readonly place: WalletPlace; readonly language: Catalogue },
): Promise<readonly object[]> {
  const requested = (request.details.paymentMethods ?? []).filter((method) => method !== "card");
  const offered: object[] = [];
  for (const wallet of requested) {
    if (await walletProblem(ctx, merchant, request, { place, wallet })) continue;
    offered.push({
      type: wallet,
      sandbox: merchant.mode === "sandbox",
      merchantName: request.details.hostedPage?.merchantName ?? merchant.name,
      countryCode: merchant.country,
      currencyCode: request.currency,
      ...CONFIGURATION[wallet](ctx, merchant, request),
      ...(merchant.mode === "sandbox" ? forSandboxSheet(ctx, request, { wallet, language }) : {}),
    });
  }
  return offered;
}

/** The sandbox's sheet has test cards, and shows an agreement in either wallet; Google's own sheet has no place for one. */
function forSandboxSheet(
  { sandbox }: Context,
  { details, currency }: PaymentRequest,
  { wallet, language }: { readonly wallet: Wallet; readonly language: Catalogue },
): object {
  return {
    sandboxCards: sandbox.wallets.cardsOf(wallet),
    ...(details.agreement ? presentTerms(details.agreement, language, currency) : {}),
  };
}

type Configuration = (ctx: Context, merchant: Merchant, request: PaymentRequest) => object;

const CONFIGURATION: Readonly<Record<Wallet, Configuration>> = {
  google_pay: ({ connectors }, merchant) => {
    const setup = connectors.findWallet(merchant, "google_pay")?.setup;
    return defined({
      environment: setup?.environment,
      gateway: setup?.gateway,
      gatewayMerchantId: merchant.id,
      merchantId: setup?.merchantId,
      allowedCardNetworks: ["AMEX", "DISCOVER", "JCB", "MASTERCARD", "VISA"],
      allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"],
    });
  },
  apple_pay: ({ connectors }, merchant, { id: paymentRequestId, details }) =>
    defined({
      merchantCapabilities: ["supports3DS"],
      supportedNetworks: ["amex", "discover", "jcb", "masterCard", "visa"],
      applicationData: connectors
        .findWallet(merchant, "apple_pay")
        ?.applicationDataFor({ merchantId: merchant.id, paymentRequestId }),
      agreement: details.agreement && presentAgreement(details.agreement),
    }),
};
