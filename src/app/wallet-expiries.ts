import type { X509Certificate } from "node:crypto";
import { readRootKeys } from "../connectors/google-pay/root-keys.ts";
import { certificatesIn, readKeyFile } from "../connectors/wallet-tokens/key-files.ts";
import type { Setting } from "../platform/config/setting.ts";
import { SETTINGS, type Settings } from "../platform/config/settings.ts";

const endOf = ({ validTo }: X509Certificate) => Date.parse(validTo);

/** When each thing in a file ends. Only the first identity certificate is shown to Apple. */
const ENDS = {
  applePayProcessingCertFile: (text: string) => certificatesIn(text).map(endOf),
  applePayIdentityCertFile: (text: string) => certificatesIn(text).slice(0, 1).map(endOf),
  googlePayRootKeysFile: (text: string) => readRootKeys(text).map(({ expiresAt }) => expiresAt),
} as const;

type WalletExpiry = { readonly setting: Setting<unknown>; readonly expiresAt: number };

/** Until when each of the wallets' files is of use: as long as anything in it is valid. */
export async function walletExpiries(settings: Settings): Promise<readonly WalletExpiry[]> {
  const names = (Object.keys(ENDS) as (keyof typeof ENDS)[]).filter((name) => settings[name] !== undefined);
  return Promise.all(
    names.map(async (name) => {
      const setting = SETTINGS[name];
      return { setting, expiresAt: Math.max(...(await readKeyFile(setting, settings[name], ENDS[name]))) };
    }),
  );
}
