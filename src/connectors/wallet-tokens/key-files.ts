import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Setting, SettingProblem } from "../../platform/config/setting.ts";
import { isP256 } from "./curve.ts";

/** Reads the file that a setting names. A file with a defect stops the start, with one line that names the setting. */
export async function readKeyFile<Value>(
  { variable, allowed }: Setting<unknown>,
  path: string | undefined,
  parse: (text: string) => Value,
): Promise<Value> {
  let text: string;
  try {
    text = await readFile(path ?? "", "utf8");
  } catch {
    throw new SettingProblem(variable, "names a file that can't be read", allowed);
  }
  try {
    return parse(text);
  } catch (error) {
    throw new SettingProblem(
      variable,
      `names a file that ${error instanceof Error ? error.message : "is wrong"}`,
      allowed,
    );
  }
}

const PRIVATE_KEYS = /-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]+?-----END (?:EC )?PRIVATE KEY-----/g;
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The private keys of a PEM file. */
export function privateKeysIn(text: string): readonly KeyObject[] {
  const keys = (text.match(PRIVATE_KEYS) ?? []).map(privateKeyIn);
  if (keys.length === 0) throw new Error("holds no private key (PEM)");
  if (!keys.every(isP256)) throw new Error("holds a private key that is not of P-256");
  return keys;
}

export function privateKeyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error("holds a private key that can't be read");
  }
}

/** The certificates of a PEM file. */
export function certificatesIn(text: string): readonly X509Certificate[] {
  const found = text.match(CERTIFICATES) ?? [];
  if (found.length === 0) throw new Error("holds no certificate (PEM)");
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch {
    throw new Error("holds a certificate that can't be read");
  }
}
