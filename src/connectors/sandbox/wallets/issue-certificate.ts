import { createPublicKey, type KeyObject, randomBytes, type webcrypto } from "node:crypto";
import { fromBER, Integer, Null, Utf8String } from "asn1js";
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension, PublicKeyInfo, Time } from "pkijs";
import { spkiOf } from "../../wallet-tokens/curve.ts";

const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";

export type CertificateInput = {
  readonly name: string;
  readonly privateKey: KeyObject;
  /** Whether it may issue certificates itself. */
  readonly issues: boolean;
  readonly mark?: string;
  readonly from: Date;
  readonly until: Date;
};

type Issuer = { readonly certificate: Certificate; readonly privateKey: KeyObject };

/** Issues a certificate of the sandbox. Without an issuer it is self-signed. */
export async function issueCertificate(input: CertificateInput, issuer?: Issuer): Promise<Certificate> {
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: serialNumber() });
  certificate.subject.typesAndValues.push(
    new AttributeTypeAndValue({ type: COMMON_NAME, value: new Utf8String({ value: input.name }) }),
  );
  certificate.issuer = issuer?.certificate.subject ?? certificate.subject;
  certificate.notBefore = new Time({ type: 0, value: input.from });
  certificate.notAfter = new Time({ type: 1, value: input.until });
  const publicKey = createPublicKey(input.privateKey);
  certificate.subjectPublicKeyInfo = new PublicKeyInfo({ schema: fromBER(spkiOf(publicKey)).result });
  certificate.extensions = [
    extension(BASIC_CONSTRAINTS, true, new BasicConstraints({ cA: input.issues }).toSchema()),
    ...(input.mark === undefined ? [] : [extension(input.mark, false, new Null())]),
  ];
  await certificate.sign(signingKey(issuer?.privateKey ?? input.privateKey), "SHA-256");
  return certificate;
}

/** A private key in the form that the library needs. */
export function signingKey(key: KeyObject): webcrypto.CryptoKey {
  return key.toCryptoKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
}

export function derOf(certificate: Certificate): Buffer {
  return Buffer.from(certificate.toSchema(true).toBER(false));
}

function extension(extnID: string, critical: boolean, value: { toBER: (sizeOnly?: boolean) => ArrayBuffer }) {
  return new Extension({ extnID, critical, extnValue: value.toBER(false) });
}

/** Serial numbers are positive. */
function serialNumber(): ArrayBuffer {
  const bytes = new Uint8Array(randomBytes(8));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.buffer;
}
