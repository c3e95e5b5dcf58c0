import { createHash, verify, X509Certificate } from "node:crypto";
import { Constructed, Null, ObjectIdentifier, OctetString, Sequence, UTCTime } from "asn1js";
import {
  type AlgorithmIdentifier,
  type Attribute,
  Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  SignedData,
  type SignerInfo,
} from "pkijs";
import { type Instant, instant, MINUTE } from "../../kernel/time.ts";
import { sameBytes } from "../../platform/crypto/secrets.ts";
import { isP256 } from "../wallet-tokens/curve.ts";
import { refuseToken, TokenRefused } from "../wallet-tokens/token-refused.ts";
import { checkWellFormed } from "./well-formed.ts";

/** Marks that Apple puts into certificates that sign payment tokens, and into those that issue them. */
export const LEAF_MARK = "1.2.840.113635.100.6.29";
export const INTERMEDIATE_MARK = "1.2.840.113635.100.6.2.14";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const DATA = "1.2.840.113549.1.7.1";
const SHA256 = "2.16.840.1.101.3.4.2.1";
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_TIME = "1.2.840.113549.1.9.5";

const CERTIFICATES_AT_MOST = 4;
/** The class of context-specific tags. */
const CONTEXT = 3;

/** A token is signed when the payer pays. An older one, or one from the future, is a replay or a forgery. */
export const SIGNED_WITHIN = 5 * MINUTE;

/**
 * Verifies the detached signature of a token: the signer, the chain to Apple's root, what was signed, and when. Returns
 * the time of signing.
 */
export function verifyAppleSignature(
  signature: Uint8Array,
  signed: Uint8Array,
  root: X509Certificate,
  now: Instant,
): Instant {
  const { signer, certificates } = readSignature(signature);
  const leaf = markedWith(certificates, LEAF_MARK);
  const intermediate = markedWith(certificates, INTERMEDIATE_MARK);
  if (!isSigner(signer, leaf.parsed)) refuseToken("signature_invalid");
  verifyChain([leaf.certificate, intermediate.certificate, root], now);
  const attributes = signer.signedAttrs;
  if (attributes === undefined) refuseToken("signature_invalid");
  const signedAt = checkAttributes(attributes.attributes, createHash("sha256").update(signed).digest());
  const genuine = verify(
    "sha256",
    Buffer.from(attributes.encodedValue),
    { key: leaf.certificate.publicKey, dsaEncoding: "der" },
    signer.signature.valueBlock.valueHexView,
  );
  if (!genuine) refuseToken("signature_invalid");
  if (Math.abs(now - signedAt) > SIGNED_WITHIN) refuseToken("expired");
  return signedAt;
}

type Held = { readonly parsed: Certificate; readonly certificate: X509Certificate };

function readSignature(bytes: Uint8Array): { signer: SignerInfo; certificates: readonly Held[] } {
  const { data, certificates } = parse(bytes);
  const { encapContentInfo, signerInfos, digestAlgorithms } = data;
  const [signer, another] = signerInfos;
  const detached = encapContentInfo.eContentType === DATA && encapContentInfo.eContent === undefined;
  if (!detached || signer === undefined || another !== undefined) refuseToken("signature_invalid");
  if (data.version !== 1 || signer.version !== 1) refuseToken("signature_invalid");
  const digests = [...digestAlgorithms, signer.digestAlgorithm];
  if (digests.length !== 2 || !digests.every((one) => isAlgorithm(one, SHA256)))
    refuseToken("signature_invalid");
  if (!isAlgorithm(signer.signatureAlgorithm, ECDSA_WITH_SHA256)) refuseToken("signature_invalid");
  return { signer, certificates };
}

function isAlgorithm({ algorithmId, algorithmParams }: AlgorithmIdentifier, id: string): boolean {
  return algorithmId === id && (algorithmParams === undefined || algorithmParams instanceof Null);
}

function parse(bytes: Uint8Array): { data: SignedData; certificates: readonly Held[] } {
  checkWellFormed(bytes);
  try {
    const outer = ContentInfo.fromBER(bytes);
    if (outer.contentType !== SIGNED_DATA) refuseToken("unreadable");
    const certificates = rawCertificates(outer.content).map((raw) => ({
      parsed: Certificate.fromBER(raw),
      certificate: new X509Certificate(raw),
    }));
    return { data: new SignedData({ schema: outer.content }), certificates };
  } catch (error) {
    if (error instanceof TokenRefused) throw error;
    return refuseToken("unreadable");
  }
}

/** The bytes of the certificates as received: encoded anew, they would hide their defects. */
function rawCertificates(signedData: unknown): readonly Buffer[] {
  const fields = signedData instanceof Sequence ? signedData.valueBlock.value : [];
  const given = fields.find(({ idBlock }) => idBlock.tagClass === CONTEXT && idBlock.tagNumber === 0);
  const found = given instanceof Constructed ? given.valueBlock.value : [];
  if (found.length > CERTIFICATES_AT_MOST) refuseToken("signature_invalid");
  return found
    .filter((one) => one instanceof Sequence)
    .map(({ valueBeforeDecodeView }) => Buffer.from(valueBeforeDecodeView));
}

function markedWith(certificates: readonly Held[], mark: string): Held {
  const [found, another] = certificates.filter(({ parsed }) =>
    (parsed.extensions ?? []).some(({ extnID }) => extnID === mark),
  );
  if (found === undefined || another !== undefined) refuseToken("signature_invalid");
  return found;
}

function isSigner({ sid }: SignerInfo, leaf: Certificate): boolean {
  return (
    sid instanceof IssuerAndSerialNumber &&
    sid.serialNumber.isEqual(leaf.serialNumber) &&
    sameBytes(new Uint8Array(sid.issuer.valueBeforeDecode), new Uint8Array(leaf.issuer.valueBeforeDecode))
  );
}

/** Each certificate was issued by the one after it, and all are within their validity. */
function verifyChain(
  chain: readonly [X509Certificate, X509Certificate, X509Certificate],
  now: Instant,
): void {
  const [leaf, intermediate, root] = chain;
  const issued = (one: X509Certificate, by: X509Certificate) =>
    by.ca && one.checkIssued(by) && one.verify(by.publicKey);
  if (!issued(leaf, intermediate) || !issued(intermediate, root) || leaf.ca || !isP256(leaf.publicKey)) {
    refuseToken("signature_invalid");
  }
  const current = chain.every(
    ({ validFrom, validTo }) => Date.parse(validFrom) <= now && now < Date.parse(validTo),
  );
  if (!current) refuseToken("signature_invalid");
}

/** What the signature covers: the digest of the signed bytes, and the time of signing. */
function checkAttributes(attributes: readonly Attribute[], digest: Uint8Array): Instant {
  const type = only(attributes, CONTENT_TYPE);
  const given = only(attributes, MESSAGE_DIGEST);
  const time = only(attributes, SIGNING_TIME);
  if (!(type instanceof ObjectIdentifier) || type.getValue() !== DATA) refuseToken("signature_invalid");
  if (!(given instanceof OctetString) || !sameBytes(given.valueBlock.valueHexView, digest)) {
    refuseToken("signature_invalid");
  }
  // GeneralizedTime, for years after 2049, is a subclass of UTCTime there.
  if (!(time instanceof UTCTime)) refuseToken("signature_invalid");
  return instant(time.toDate().getTime());
}

function only(attributes: readonly Attribute[], type: string): unknown {
  const found = attributes.filter((attribute) => attribute.type === type);
  const values = found[0]?.values ?? [];
  return found.length === 1 && values.length === 1 ? values[0] : refuseToken("signature_invalid");
}
