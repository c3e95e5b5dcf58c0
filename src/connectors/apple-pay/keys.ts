import { createHash, createPublicKey, type X509Certificate } from "node:crypto";
import { Certificate } from "pkijs";
import { readAppleAssociation } from "../../platform/config/apple-association.ts";
import { SETTINGS, type Settings } from "../../platform/config/settings.ts";
import { isP256 } from "../wallet-tokens/curve.ts";
import { certificatesIn, privateKeyIn, privateKeysIn, readKeyFile } from "../wallet-tokens/key-files.ts";
import type { AppleRecipient } from "./ec-v1.ts";
import { APPLE_ROOT } from "./root.ts";

/** The merchant identity certificate that we show to Apple, with its key (PEM). */
export type AppleIdentity = { readonly cert: string; readonly key: string };

export type ApplePayKeys = { readonly recipient: AppleRecipient; readonly identity: AppleIdentity };

/** Reads the keys that open tokens of live merchants. Undefined: the operator has not set up Apple Pay. */
export async function readApplePayKeys(settings: Settings): Promise<ApplePayKeys | undefined> {
  const { applePayMerchantId: merchantId } = settings;
  if (merchantId === undefined) return undefined;
  await readKeyFile(SETTINGS.applePayAssociationFile, settings.applePayAssociationFile, (text) => {
    if (text.trim() === "") throw new Error("is empty");
  });
  await readAppleAssociation(settings);
  return { recipient: await readRecipient(settings, merchantId), identity: await readIdentity(settings) };
}

async function readRecipient(settings: Settings, merchantId: string): Promise<AppleRecipient> {
  const { applePayProcessingCertFile: certFile, applePayProcessingKeyFile: keyFile } = SETTINGS;
  const certificates = await readKeyFile(certFile, settings.applePayProcessingCertFile, (text) =>
    certificatesIn(text).map((certificate) => {
      if (!isP256(certificate.publicKey)) throw new Error("holds a certificate whose key is not of P-256");
      if (isForAnother(certificate, merchantId))
        throw new Error("holds a certificate of another merchant identifier");
      return certificate;
    }),
  );
  const keys = await readKeyFile(keyFile, settings.applePayProcessingKeyFile, (text) => {
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

async function readIdentity(settings: Settings): Promise<AppleIdentity> {
  const { applePayIdentityCertFile: certFile, applePayIdentityKeyFile: keyFile } = SETTINGS;
  const cert = await readKeyFile(certFile, settings.applePayIdentityCertFile, (text) => {
    const [certificate] = certificatesIn(text);
    return { text, certificate };
  });
  const key = await readKeyFile(keyFile, settings.applePayIdentityKeyFile, (text) => {
    if (cert.certificate?.checkPrivateKey(privateKeyIn(text)) !== true)
      throw new Error("is not the key of the certificate");
    return text;
  });
  return { cert: cert.text, key };
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
