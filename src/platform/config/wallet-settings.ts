import { optionalText, type Setting, SettingProblem } from "./setting.ts";

const file = (variable: string, about: string) =>
  optionalText({
    variable,
    about,
    allowed: "a path to a readable file",
    standard: "none",
    problem: (text) => (text.trim() === "" ? "is empty" : undefined),
  });

const name = (variable: string, about: string, standard = "none") =>
  optionalText({
    variable,
    about,
    allowed: "up to 128 letters, digits, dots, hyphens and underscores",
    standard,
    problem: (text) => (/^[\w.-]{1,128}$/.test(text) ? undefined : "is not such a name"),
  });

/** Apple Pay and Google Pay of live merchants. The sandbox needs none of it. `docs/guides/wallets.md` explains where to get each. */
export const WALLET_SETTINGS = {
  googlePayGateway: name(
    "TIDEGATE_GOOGLE_PAY_GATEWAY_ID",
    "Google Pay for live merchants: the id under which Google knows this gateway.",
    "no Google Pay for live merchants",
  ),
  googlePayMerchantId: name(
    "TIDEGATE_GOOGLE_PAY_MERCHANT_ID",
    "The merchant id of Google's business console, for production.",
  ),
  googlePayKeyFile: file(
    "TIDEGATE_GOOGLE_PAY_KEY_FILE",
    "Private keys (PEM, P-256) that open Google's tokens. All in the file are tried, so a new one goes beside the old.",
  ),
  googlePayRootKeysFile: file(
    "TIDEGATE_GOOGLE_PAY_ROOT_KEYS_FILE",
    "Google's root signing keys (JSON), as Google publishes them.",
  ),
  applePayMerchantId: name(
    "TIDEGATE_APPLE_PAY_MERCHANT_ID",
    "Apple Pay for live merchants: the merchant identifier at Apple.",
    "no Apple Pay for live merchants",
  ),
  applePayProcessingCertFile: file(
    "TIDEGATE_APPLE_PAY_PROCESSING_CERT_FILE",
    "Payment processing certificates (PEM) of that identifier, one or more.",
  ),
  applePayProcessingKeyFile: file(
    "TIDEGATE_APPLE_PAY_PROCESSING_KEY_FILE",
    "Their private keys (PEM), one for each.",
  ),
  applePayIdentityCertFile: file(
    "TIDEGATE_APPLE_PAY_IDENTITY_CERT_FILE",
    "Merchant identity certificate (PEM), which authenticates requests for Apple Pay sessions.",
  ),
  applePayIdentityKeyFile: file("TIDEGATE_APPLE_PAY_IDENTITY_KEY_FILE", "Its private key (PEM)."),
  applePayAssociationFile: file(
    "TIDEGATE_APPLE_PAY_ASSOCIATION_FILE",
    "The domain association file that Apple gives you for that identifier. Live merchants host it, and the hosted page serves it.",
  ),
} as const;

type WalletSetting = keyof typeof WALLET_SETTINGS;

/** Those that name a file with a secret key. */
export const WALLET_KEY_FILES = [
  "googlePayKeyFile",
  "applePayProcessingKeyFile",
  "applePayIdentityKeyFile",
] as const satisfies readonly WalletSetting[];

const TOGETHER: readonly (readonly WalletSetting[])[] = [
  ["googlePayGateway", "googlePayKeyFile", "googlePayRootKeysFile"],
  [
    "applePayMerchantId",
    "applePayProcessingCertFile",
    "applePayProcessingKeyFile",
    "applePayIdentityCertFile",
    "applePayIdentityKeyFile",
    "applePayAssociationFile",
  ],
];

/** A wallet is set up completely, or not at all. */
export function checkWalletSettings(values: Readonly<Record<WalletSetting, string | undefined>>): void {
  for (const names of TOGETHER) {
    const given = names.find((one) => values[one] !== undefined);
    const missing = names.find((one) => values[one] === undefined);
    if (given === undefined || missing === undefined) continue;
    const { variable, allowed }: Setting<unknown> = WALLET_SETTINGS[missing];
    throw new SettingProblem(variable, `is missing beside ${WALLET_SETTINGS[given].variable}`, allowed);
  }
}
