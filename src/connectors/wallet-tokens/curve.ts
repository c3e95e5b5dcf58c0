import { createPublicKey, diffieHellman, type KeyObject } from "node:crypto";
import { refuseToken } from "./token-refused.ts";

/** The bytes before a point of P-256 in a public key of X.509. */
const SPKI_HEAD = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");
const POINT_LENGTH = 65;

/** A public key of P-256 from its uncompressed point. */
export function keyOfPoint(point: Uint8Array): KeyObject {
  if (point.length !== POINT_LENGTH || point[0] !== 4) refuseToken("unreadable");
  return keyOfSpki(Buffer.concat([SPKI_HEAD, point]));
}

/** A public key of P-256 in the encoding of X.509. Refuses a point that is not on the curve. */
export function keyOfSpki(der: Buffer): KeyObject {
  if (
    der.length !== SPKI_HEAD.length + POINT_LENGTH ||
    !der.subarray(0, SPKI_HEAD.length).equals(SPKI_HEAD)
  ) {
    refuseToken("unreadable");
  }
  try {
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return refuseToken("unreadable");
  }
}

export function pointOf(key: KeyObject): Buffer {
  return spkiOf(key).subarray(SPKI_HEAD.length);
}

export function spkiOf(key: KeyObject): Buffer {
  return key.export({ format: "der", type: "spki" });
}

export function isP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
}

export function sharedSecret(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  return diffieHellman({ privateKey, publicKey });
}
