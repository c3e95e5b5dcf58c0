import type { ConnectionTest } from "../ports/card-acquirer.ts";
import type { AdyenHost, Exchange } from "./exchange.ts";
import type { AdyenSettings } from "./settings.ts";

/** Lists the payment methods of the merchant account: a call that takes no money and needs the right key and account. */
export async function testConnection(
  host: Pick<AdyenHost, "post">,
  { merchantAccount }: Pick<AdyenSettings, "merchantAccount">,
  { key, signal }: { readonly key: string; readonly signal: AbortSignal },
): Promise<ConnectionTest> {
  const body = { merchantAccount, allowedPaymentMethods: ["scheme"] };
  const exchange = await host.post({ path: "/paymentMethods", body, idempotencyKey: key, signal });
  const hasPassed = exchange.outcome === "answered" && exchange.status === 200 && exchange.body !== undefined;
  return {
    hasPassed,
    milliseconds: exchange.milliseconds,
    detail: detailOf(exchange, merchantAccount, hasPassed),
  };
}

function detailOf(exchange: Exchange, merchantAccount: string, hasPassed: boolean): string {
  if (hasPassed) return `Adyen accepts the API key for merchant account ${merchantAccount}.`;
  if (exchange.outcome === "unreached") return `Adyen cannot be reached: ${exchange.reason}.`;
  if (exchange.outcome === "lost") return `Adyen did not answer: ${exchange.reason}.`;
  const { status } = exchange;
  if (status === 401) return "Adyen refuses the API key (status 401).";
  if (status === 403)
    return `The API key may not use merchant account ${merchantAccount}, or lacks a role (status 403).`;
  if (status === 404) return "Adyen has no Checkout API at this endpoint (status 404).";
  if (status === 422) return `Adyen does not know merchant account ${merchantAccount} (status 422).`;
  return status === 200
    ? "The endpoint answers, but not as Adyen does."
    : `Adyen answers with status ${status}.`;
}
