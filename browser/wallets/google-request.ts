import type { WalletSettings } from "./settings.ts";
import type { SheetParts } from "./sheet.ts";
import { countryOf, decimalText } from "./vendor-format.ts";

/** Which cards Google may offer; with where the payload goes, once it is asked to make one. */
export function googleMethod(settings: WalletSettings): object {
  return {
    type: "CARD",
    parameters: {
      allowedAuthMethods: settings.texts("allowedAuthMethods"),
      allowedCardNetworks: settings.texts("allowedCardNetworks"),
    },
  };
}

/** What Google's sheet is asked to show and to give. With surcharges the card decides the total, so it is not final yet. */
export function googleRequest({ host, settings }: SheetParts): object {
  const { amount, currencyCode, merchantName, rates } = host.opening;
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
      totalPriceLabel: "Total",
    },
  };
}
