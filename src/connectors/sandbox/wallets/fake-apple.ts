import { createHash, createPublicKey, randomBytes, X509Certificate } from "node:crypto";
import { GeneralizedTime, ObjectIdentifier, OctetString, UTCTime } from "asn1js";
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from "pkijs";
import type { Instant } from "../../../kernel/time.ts";
import { applicationDigest } from "../../apple-pay/application-data.ts";
import { type AppleRecipient, EC_V1, publicKeyHash, sealEcV1 } from "../../apple-pay/ec-v1.ts";
import { INTERMEDIATE_MARK, LEAF_MARK } from "../../apple-pay/signature.ts";
import { sharedSecret, spkiOf } from "../../wallet-tokens/curve.ts";
import { newPair, newPrivateKey, privateKeyOf } from "./fake-google.ts";
import { FAKE_MERCHANT_ID } from "./fake-merchant-id.ts";
import { derOf, issueCertificate, signingKey } from "./issue-certificate.ts";

/** The sandbox's fake Apple: certificates in base64, private keys as PKCS #8 in base64. */
export type FakeAppleKeys = {
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  readonly signer: string;
  readonly recipient: string;
};

const FROM = new Date(Date.UTC(2020, 0));
const UNTIL = new Date(Date.UTC(2200, 0));

export async function makeFakeAppleKeys(): Promise<FakeAppleKeys> {
  const rootKey = privateKeyOf(newPrivateKey());
  const intermediateKey = privateKeyOf(newPrivateKey());
  const signer = newPrivateKey();
  const life = { from: FROM, until: UNTIL };
  const root = await issueCertificate({
    name: "Tidegate sandbox root",
    privateKey: rootKey,
    issues: true,
    ...life,
  });
  const intermediate = await issueCertificate(
    {
      name: "Tidegate sandbox wallets",
      privateKey: intermediateKey,
      issues: true,
      mark: INTERMEDIATE_MARK,
      ...life,
    },
    { certificate: root, privateKey: rootKey },
  );
  const leaf = await issueCertificate(
    {
      name: "Tidegate sandbox wallet signer",
      privateKey: privateKeyOf(signer),
      issues: false,
      mark: LEAF_MARK,
      ...life,
    },
    { certificate: intermediate, privateKey: intermediateKey },
  );
  const [rootDer, intermediateDer, leafDer] = [root, intermediate, leaf].map((one) =>
    derOf(one).toString("base64"),
  );
  return {
    root: rootDer ?? "",
    intermediate: intermediateDer ?? "",
    leaf: leafDer ?? "",
    signer,
    recipient: newPrivateKey(),
  };
}

export function fakeAppleRecipient(keys: FakeAppleKeys): AppleRecipient {
  const key = privateKeyOf(keys.recipient);
  return {
    root: new X509Certificate(Buffer.from(keys.root, "base64")),
    merchantId: FAKE_MERCHANT_ID,
    privateKeys: [{ key, publicKey: createPublicKey(key) }],
  };
}

/** Encrypts and signs a message as Apple does for a sheet whose application data is `purpose`. */
export async function sealAppleToken(
  message: string,
  keys: FakeAppleKeys,
  purpose: string,
  now: Instant,
): Promise<object> {
  const ephemeral = newPair();
  const ownKey = createPublicKey(privateKeyOf(keys.recipient));
  const data = sealEcV1(message, sharedSecret(ephemeral.privateKey, ownKey), FAKE_MERCHANT_ID);
  const ephemeralPublicKey = spkiOf(ephemeral.publicKey);
  const transactionId = randomBytes(32);
  const applicationData = applicationDigest(purpose);
  const signed = Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]);
  return {
    version: EC_V1,
    data: data.toString("base64"),
    signature: (await signDetached(signed, keys, now)).toString("base64"),
    header: {
      ephemeralPublicKey: ephemeralPublicKey.toString("base64"),
      publicKeyHash: publicKeyHash(ownKey),
      transactionId: transactionId.toString("hex"),
      applicationData: applicationData.toString("hex"),
    },
  };
}

async function signDetached(signed: Uint8Array, keys: FakeAppleKeys, now: Instant): Promise<Buffer> {
  const [leaf, intermediate] = [keys.leaf, keys.intermediate].map((text) =>
    Certificate.fromBER(Buffer.from(text, "base64")),
  );
  if (leaf === undefined || intermediate === undefined)
    throw new Error("the sandbox's certificates are missing");
  const digest = createHash("sha256").update(signed).digest();
  const attributes = [
    attribute("1.2.840.113549.1.9.3", new ObjectIdentifier({ value: "1.2.840.113549.1.7.1" })),
    attribute("1.2.840.113549.1.9.5", timeOf(now)),
    attribute("1.2.840.113549.1.9.4", new OctetString({ valueHex: digest })),
  ];
  const data = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: "1.2.840.113549.1.7.1" }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: leaf.issuer, serialNumber: leaf.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    certificates: [leaf, intermediate],
  });
  await data.sign(signingKey(privateKeyOf(keys.signer)), 0, "SHA-256");
  const outer = new ContentInfo({ contentType: "1.2.840.113549.1.7.2", content: data.toSchema(true) });
  return Buffer.from(outer.toSchema().toBER(false));
}

/** Two digits of a year are enough until 2049; a sandbox's clock may be past that. */
function timeOf(now: Instant): UTCTime {
  const valueDate = new Date(now);
  return valueDate.getUTCFullYear() < 2050 ? new UTCTime({ valueDate }) : new GeneralizedTime({ valueDate });
}

function attribute(type: string, value: ObjectIdentifier | UTCTime | OctetString): Attribute {
  return new Attribute({ type, values: [value] });
}
