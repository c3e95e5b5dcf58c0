import type { Quote } from "../paying/wallet-host.ts";
import { applePrice, recurringRequest } from "./apple-price.ts";
import type { AppleMaker } from "./apple-session.ts";
import type { SheetParts } from "./sheet.ts";
import { countryOf } from "./vendor-format.ts";

/** Versions of Apple's interface that we know; recurring payments came with 14. */
const VERSIONS = [14, 3] as const;

export function appleVersion(apple: AppleMaker): number {
  return VERSIONS.find((version) => apple.supportsVersion(version)) ?? 3;
}

/** What Apple's sheet is asked to show and to give. */
export function appleRequest({ host, settings }: SheetParts, quote: Quote): object {
  const { currencyCode } = host.opening;
  const applicationData = settings.text("applicationData");
  const { newTotal, newLineItems } = applePrice(merchantOf({ host, settings }), host.opening.amount, quote);
  return {
    countryCode: settings.text("countryCode") || countryOf(currencyCode),
    currencyCode,
    merchantCapabilities: settings.texts("merchantCapabilities"),
    supportedNetworks: settings.texts("supportedNetworks"),
    total: newTotal,
    lineItems: newLineItems,
    // Apple seals its hash into the payload, so that it pays this payment request and no other.
    ...(applicationData === "" ? {} : { applicationData }),
    ...(settings.agreement === undefined
      ? {}
      : { recurringPaymentRequest: recurringRequest(settings.agreement) }),
  };
}

export function merchantOf({ host, settings }: Pick<SheetParts, "host" | "settings">): string {
  return settings.text("merchantName") || host.opening.merchantName;
}
