import { SETTINGS, type Settings } from "../../platform/config/settings.ts";
import { privateKeysIn, readKeyFile } from "../wallet-tokens/key-files.ts";
import type { GoogleRecipient } from "./ecv2.ts";
import { readRootKeys } from "./root-keys.ts";

/** Reads the keys that open tokens of live merchants. Undefined: the operator has not set up Google Pay. */
export async function readGooglePayKeys(settings: Settings): Promise<GoogleRecipient | undefined> {
  if (settings.googlePayGateway === undefined) return undefined;
  const { googlePayKeyFile, googlePayRootKeysFile } = SETTINGS;
  const privateKeys = await readKeyFile(googlePayKeyFile, settings.googlePayKeyFile, privateKeysIn);
  const rootKeys = await readKeyFile(googlePayRootKeysFile, settings.googlePayRootKeysFile, readRootKeys);
  return { rootKeys, recipientId: `gateway:${settings.googlePayGateway}`, privateKeys };
}
