import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Certificate } from "pkijs";
import { type Setting, SettingProblem } from "../../platform/config/setting.ts";
import { SETTINGS, type Settings } from "../../platform/config/settings.ts";
import type { AppleRecipient } from "../apple-pay/ec-v1.ts";
import { APPLE_ROOT } from "../apple-pay/root.ts";
import type { GoogleRecipient } from "../google-pay/ecv2.ts";
import { readRootKeys } from "../google-pay/root-keys.ts";
import { isP256 } from "./curve.ts";

export type LiveWallets = {
  readonly google: GoogleRecipient | undefined;
  readonly apple: AppleRecipient | undefined;
  /** With which Apple is asked for sessions. */
  readonly identity: { readonly cert: string; readonly key: string } | undefined;
};

/** Reads what tokens of live merchants are opened with. A file that is wrong stops the start, in one line. */
export async function readLiveWallets(settings: Settings): Promise<LiveWallets> {
  return {
    google: settings.googlePayGateway === undefined ? undefined : await readGoogle(settings),
    ...(settings.applePayMerchantId === undefined
      ? { apple: undefined, identity: undefined }
      : {
          apple: await readApple(settings, settings.applePayMerchantId),
          identity: await readIdentity(settings),
        }),
  };
}

async function readGoogle(settings: Settings): Promise<GoogleRecipient> {
  const { googlePayKeyFile, googlePayRootKeysFile } = SETTINGS;
  const privateKeys = await read(googlePayKeyFile, settings.googlePayKeyFile, privateKeysIn);
  const rootKeys = await read(googlePayRootKeysFile, settings.googlePayRootKeysFile, readRootKeys);
  return { rootKeys, recipientId: `gateway:${settings.googlePayGateway}`, privateKeys };
}

async function readApple(settings: Settings, merchantId: string): Promise<AppleRecipient> {
  const { applePayProcessingCertFile: certFile, applePayProcessingKeyFile: keyFile } = SETTINGS;
  const certificates = await read(certFile, settings.applePayProcessingCertFile, (text) =>
    certificatesIn(text).map((certificate) => {
      if (!isP256(certificate.publicKey)) throw new Error("holds a certificate whose key is not of P-256");
      if (isForAnother(certificate, merchantId))
        throw new Error("holds a certificate of another merchant identifier");
      return certificate;
    }),
  );
  const keys = await read(keyFile, settings.applePayProcessingKeyFile, (text) => {
    const found = privateKeysIn(text);
    const matching = certificates.every((certificate) =>
      found.some((key) => certificate.checkPrivateKey(key)),
    );
    if (!matching) throw new Error("does not hold the key of every certificate");
    return found;
  });
  const privateKeys = keys.map((key) => ({ key, publicKey: createPublicKey(key) }));
  return { root: APPLE_ROOT, merchantId, privateKeys };
}

async function readIdentity(settings: Settings): Promise<{ cert: string; key: string }> {
  const { applePayIdentityCertFile: certFile, applePayIdentityKeyFile: keyFile } = SETTINGS;
  const cert = await read(certFile, settings.applePayIdentityCertFile, (text) => {
    const [certificate] = certificatesIn(text);
    return { text, certificate };
  });
  const key = await read(keyFile, settings.applePayIdentityKeyFile, (text) => {
    if (cert.certificate?.checkPrivateKey(keyIn(text)) !== true)
      throw new Error("is not the key of the certificate");
    return text;
  });
  return { cert: cert.text, key };
}

async function read<Value>(
  { variable, allowed }: Setting<unknown>,
  path: string | undefined,
  take: (text: string) => Value,
): Promise<Value> {
  let text: string;
  try {
    text = await readFile(path ?? "", "utf8");
  } catch {
    throw new SettingProblem(variable, "names a file that can't be read", allowed);
  }
  try {
    return take(text);
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

function privateKeysIn(text: string): readonly KeyObject[] {
  const keys = (text.match(PRIVATE_KEYS) ?? []).map(keyIn);
  if (keys.length === 0) throw new Error("holds no private key (PEM)");
  if (!keys.every(isP256)) throw new Error("holds a private key that is not of P-256");
  return keys;
}

function keyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error("holds a private key that can't be read");
  }
}

function certificatesIn(text: string): readonly X509Certificate[] {
  const found = text.match(CERTIFICATES) ?? [];
  if (found.length === 0) throw new Error("holds no certificate (PEM)");
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch {
    throw new Error("holds a certificate that can't be read");
  }
}

/** Apple writes the digest of the merchant identifier into the certificate, in hex, as a text. */
const MERCHANT_MARK = "1.2.840.113635.100.6.32";

function isForAnother(certificate: X509Certificate, merchantId: string): boolean {
  const { extensions = [] } = Certificate.fromBER(certificate.raw);
  const mark = extensions.find(({ extnID }) => extnID === MERCHANT_MARK);
  if (mark === undefined) return false;
  const written = Buffer.from(mark.extnValue.valueBlock.valueHexView).toString("latin1").slice(-64);
  return written.toLowerCase() !== createHash("sha256").update(merchantId).digest("hex");
}
