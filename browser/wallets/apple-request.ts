import type { Quote } from "../paying/wallet-host.ts";
import { applePrice, recurringRequest } from "./apple-price.ts";
import type { ApplePaySessionClass } from "./apple-session.ts";
import type { SheetContext } from "./sheet.ts";
import { countryOf } from "./vendor-format.ts";

/** Supported versions of Apple Pay JS; recurring payments need 14. */
const VERSIONS = [14, 3] as const;

export function appleVersion(apple: ApplePaySessionClass): number {
  return VERSIONS.find((version) => apple.supportsVersion(version)) ?? 3;
}

export function appleRequest(context: SheetContext, quote: Quote): object {
  const { host, settings } = context;
  const { currencyCode } = host.details;
  const applicationData = settings.text("applicationData");
  const { newTotal, newLineItems } = applePrice(
    host.speech.words,
    merchantOf(context),
    host.details.amount,
    quote,
  );
  return {
    countryCode: settings.text("countryCode") || countryOf(currencyCode),
    currencyCode,
    merchantCapabilities: settings.texts("merchantCapabilities"),
    supportedNetworks: settings.texts("supportedNetworks"),
    total: newTotal,
    lineItems: newLineItems,
    // Apple puts its hash into the payload, so that it can pay this payment request only.
    ...(applicationData === "" ? {} : { applicationData }),
    ...(settings.agreement === undefined
      ? {}
      : { recurringPaymentRequest: recurringRequest(settings.agreement) }),
  };
}

export function merchantOf({ host, settings }: Pick<SheetContext, "host" | "settings">): string {
  return settings.text("merchantName") || host.details.merchantName;
}
