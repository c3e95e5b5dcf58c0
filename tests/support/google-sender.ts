import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import type { GoogleRecipient } from "../../src/connectors/google-pay/ecv2.ts";
import { instant } from "../../src/kernel/time.ts";

/**
 * A fake Google Pay sender, written from Google's documentation and not from the gateway's code. Every part of what it
 * sends can be wrong on purpose, and is still correctly signed.
 */
export type GoogleOverrides = {
  readonly rootKey?: KeyObject;
  readonly signWith?: KeyObject;
  readonly sender?: string;
  readonly recipientId?: string;
  readonly version?: string;
  readonly keyExpiration?: unknown;
  /** Changes the texts before they are signed. */
  readonly signedKey?: (text: string) => string;
  readonly signedMessage?: (text: string) => string;
  readonly point?: Buffer;
  readonly encryptFor?: Buffer;
  readonly macKey?: Buffer;
};

const RECIPIENT = "gateway:test";
const pair = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

export function createGoogle() {
  const root = pair();
  const intermediate = pair();
  const recipient = createECDH("prime256v1");
  recipient.generateKeys();
  // Node leaves out leading zeros: one key of 256 is shorter than 32 bytes.
  const scalar = recipient.getPrivateKey("hex").padStart(64, "0");
  const pkcs8 = Buffer.from(
    `308141020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420${scalar}`,
    "hex",
  );

  /** Signs and encrypts a text for the recipient. */
  function seal(text: string, now: number, overrides: GoogleOverrides = {}): string {
    const { sender = "Google", recipientId = RECIPIENT, version = "ECv2" } = overrides;
    const plainKey = JSON.stringify({
      keyValue: intermediate.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
      keyExpiration: overrides.keyExpiration ?? String(now + 3_600_000),
    });
    const signedKey = overrides.signedKey?.(plainKey) ?? plainKey;
    const plainMessage = encrypt(text, overrides);
    const signedMessage = overrides.signedMessage?.(plainMessage) ?? plainMessage;
    return JSON.stringify({
      protocolVersion: version,
      signature: signed(overrides.signWith ?? intermediate.privateKey, [
        sender,
        recipientId,
        version,
        signedMessage,
      ]),
      intermediateSigningKey: {
        signedKey,
        signatures: [signed(overrides.rootKey ?? root.privateKey, [sender, version, signedKey])],
      },
      signedMessage,
    });
  }

  function encrypt(text: string, overrides: GoogleOverrides): string {
    const ephemeral = createECDH("prime256v1");
    ephemeral.generateKeys();
    const secret = ephemeral.computeSecret(overrides.encryptFor ?? recipient.getPublicKey());
    const point = ephemeral.getPublicKey();
    const [cipherKey, macKey] = expand(Buffer.concat([point, secret]));
    const cipher = createCipheriv("aes-256-ctr", cipherKey, Buffer.alloc(16));
    const body = Buffer.concat([cipher.update(text), cipher.final()]);
    const tag = createHmac("sha256", overrides.macKey ?? macKey)
      .update(body)
      .digest("base64");
    return JSON.stringify({
      encryptedMessage: body.toString("base64"),
      ephemeralPublicKey: (overrides.point ?? point).toString("base64"),
      tag,
    });
  }

  const toOpen: GoogleRecipient = {
    rootKeys: [{ key: root.publicKey, expiresAt: instant(Date.UTC(2100, 0)) }],
    recipientId: RECIPIENT,
    privateKeys: [createPrivateKey({ key: pkcs8, format: "der", type: "pkcs8" })],
  };
  const rootKeysJson = JSON.stringify({
    keys: [
      {
        keyValue: root.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
        keyExpiration: String(Date.UTC(2100, 0)),
        protocolVersion: "ECv2",
      },
    ],
  });
  const privateKeyPem = (toOpen.privateKeys[0] as KeyObject).export({ format: "pem", type: "pkcs8" });
  return { seal, recipient: toOpen, rootKeysJson, privateKeyPem };
}

/** HKDF of RFC 5869 with SHA-256, no salt and the info "Google": two keys of 32 bytes. */
function expand(material: Buffer): readonly [Buffer, Buffer] {
  const extracted = createHmac("sha256", Buffer.alloc(32)).update(material).digest();
  const block = (before: Buffer, count: number) =>
    createHmac("sha256", extracted)
      .update(before)
      .update("Google")
      .update(Buffer.from([count]))
      .digest();
  const first = block(Buffer.alloc(0), 1);
  return [first, block(first, 2)];
}

function signed(key: KeyObject, parts: readonly string[]): string {
  const bytes = parts.map((part) => {
    const length = Buffer.alloc(4);
    length.writeInt32LE(Buffer.byteLength(part));
    return Buffer.concat([length, Buffer.from(part)]);
  });
  return sign("sha256", Buffer.concat(bytes), key).toString("base64");
}

export function otherKey(): KeyObject {
  return pair().privateKey;
}
