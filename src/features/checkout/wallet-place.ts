import type { CodeName } from "../../kernel/codes/catalogue.ts";
import type { Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import { type Merchant, takesMethod } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { isRegisteredDomain } from "../wallet-domains/index.ts";
import type { Session } from "./session.ts";

/** Where the payer sees a wallet's button: on a merchant's page, or on the gateway's hosted page. */
export type WalletPlace =
  | { readonly kind: "embedded"; readonly origin: string | null }
  | { readonly kind: "page" };

export function placeOfSession({ way }: Session): WalletPlace {
  return way.kind === "page" ? { kind: "page" } : { kind: "embedded", origin: way.parentOrigin };
}

/** Why this wallet cannot be used here; undefined when it can. */
export async function walletProblem(
  ctx: Context,
  merchant: Merchant,
  request: PaymentRequest,
  { place, wallet }: { readonly place: WalletPlace; readonly wallet: Wallet },
): Promise<CodeName | undefined> {
  // A verification takes a typed card only.
  const requested = request.amount > 0 && request.details.paymentMethods?.includes(wallet) === true;
  if (!requested || !takesMethod(merchant, wallet)) return "checkout_method_refused";
  if (ctx.connectors.findWallet(merchant, wallet) === undefined) return "wallet_not_set_up";
  if (wallet !== "apple_pay" || place.kind === "page") return undefined;
  const domain = domainOf(ctx, place);
  const registered = domain !== undefined && (await isRegisteredDomain(ctx.db, merchant.id, domain));
  return registered ? undefined : "wallet_domain_not_registered";
}

/** The domain in the payer's address bar. */
export function domainOf({ settings }: Pick<Context, "settings">, place: WalletPlace): string | undefined {
  const origin = place.kind === "page" ? settings.hostedUrl : place.origin;
  return origin === null ? undefined : URL.parse(origin)?.hostname.toLowerCase();
}
