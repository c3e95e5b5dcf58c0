import type { WalletSettings } from "./settings.ts";
import type { SheetContext } from "./sheet.ts";
import { countryOf, decimalText } from "./vendor-format.ts";

/** Enough to check availability; `googleRequest` adds the gateway that can read the payload. */
export function googleMethod(settings: WalletSettings): object {
  return {
    type: "CARD",
    parameters: {
      allowedAuthMethods: settings.texts("allowedAuthMethods"),
      allowedCardNetworks: settings.texts("allowedCardNetworks"),
    },
  };
}

/** With surcharges the total depends on the chosen card, so it is not final yet. */
export function googleRequest({ host, settings }: SheetContext): object {
  const { amount, currencyCode, merchantName, rates } = host.details;
  const merchantId = settings.text("merchantId");
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantName, ...(merchantId === "" ? {} : { merchantId }) },
    allowedPaymentMethods: [
      {
        ...googleMethod(settings),
        tokenizationSpecification: {
          type: "PAYMENT_GATEWAY",
          parameters: {
            gateway: settings.text("gateway"),
            gatewayMerchantId: settings.text("gatewayMerchantId"),
          },
        },
      },
    ],
    transactionInfo: {
      countryCode: settings.text("countryCode") || countryOf(currencyCode),
      currencyCode,
      totalPriceStatus: rates === undefined ? "FINAL" : "ESTIMATED",
      totalPrice: decimalText(amount),
      totalPriceLabel: host.speech.words.total,
    },
  };
}
