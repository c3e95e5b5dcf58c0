import { execFile } from "node:child_process";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  webcrypto,
  X509Certificate,
} from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AppleRecipient } from "../../src/connectors/apple-pay/ec-v1.ts";

/**
 * A fake Apple Pay sender: certificates and signatures come from the OpenSSL command line, encryption from Web Crypto.
 * It shares no code with the gateway.
 */
export type AppleOverrides = {
  /** Which leaf certificate signs: a valid one, or one with a defect. */
  readonly leaf?: Leaf;
  /** Which certificates are sent beside the leaf. */
  readonly along?: readonly string[];
  readonly applicationData?: Buffer | null;
  readonly encryptFor?: KeyObject;
  readonly flags?: readonly string[];
};

export type Leaf = "good" | "unmarked" | "by_root" | "stranger" | "issuer" | "of-powerless";

const LEAF = "1.2.840.113635.100.6.29=DER:0500";
const ISSUER = "1.2.840.113635.100.6.2.14=DER:0500";
const MERCHANT_ID = "merchant.test";

export type AppleToken = {
  readonly version: string;
  readonly data: string;
  readonly signature: string;
  readonly header: Readonly<Record<string, string>>;
};

export async function createApple() {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-apple-"));
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => promisify(execFile)("openssl", words);

  async function issue(name: string, by: string | undefined, extensions: readonly string[], days = "30") {
    await writeFile(at(`${name}.ext`), extensions.join("\n"));
    await openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", at(`${name}.key`));
    await openssl(
      "req",
      "-new",
      "-key",
      at(`${name}.key`),
      "-subj",
      `/CN=${name}`,
      "-out",
      at(`${name}.csr`),
    );
    const signer =
      by === undefined
        ? ["-signkey", at(`${name}.key`)]
        : [
            "-CA",
            at(`${by}.pem`),
            "-CAkey",
            at(`${by}.key`),
            "-set_serial",
            String(randomBytes(4).readUInt32BE() + 1),
          ];
    await openssl(
      "x509",
      "-req",
      "-in",
      at(`${name}.csr`),
      ...signer,
      "-days",
      days,
      "-sha256",
      "-extfile",
      at(`${name}.ext`),
      "-out",
      at(`${name}.pem`),
    );
  }
  const issuing = "basicConstraints=critical,CA:TRUE";
  const plain = "basicConstraints=critical,CA:FALSE";
  await issue("root", undefined, [issuing]);
  await issue("other-root", undefined, [issuing]);
  await Promise.all([
    issue("intermediate", "root", [issuing, ISSUER]),
    issue("bare-intermediate", "root", [issuing]),
    issue("powerless", "root", [plain, ISSUER]),
    issue("other-intermediate", "other-root", [issuing, ISSUER]),
    issue("by_root", "root", [plain, LEAF]),
  ]);
  await Promise.all([
    issue("good", "intermediate", [plain, LEAF]),
    issue("unmarked", "intermediate", [plain]),
    issue("issuer", "intermediate", [issuing, LEAF]),
    issue("stranger", "other-intermediate", [plain, LEAF]),
    issue("of-powerless", "powerless", [plain, LEAF]),
  ]);
  const { privateKey, publicKey } = pairOf();

  async function seal(text: string, overrides: AppleOverrides = {}): Promise<AppleToken> {
    const { leaf = "good", along = ["intermediate"], applicationData = randomBytes(32) } = overrides;
    const ephemeral = await webcrypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, [
      "deriveBits",
    ]);
    const spki = Buffer.from(await webcrypto.subtle.exportKey("spki", ephemeral.publicKey));
    const to = (overrides.encryptFor ?? publicKey).toCryptoKey(
      { name: "ECDH", namedCurve: "P-256" },
      true,
      [],
    );
    const secret = await webcrypto.subtle.deriveBits({ name: "ECDH", public: to }, ephemeral.privateKey, 256);
    const data = await encrypt(text, Buffer.from(secret));
    const transactionId = randomBytes(32);
    const parts = [spki, data, transactionId, ...(applicationData === null ? [] : [applicationData])];
    const id = randomBytes(6).toString("hex");
    await writeFile(at(id), Buffer.concat(parts));
    await writeFile(
      at(`${id}.along`),
      (await Promise.all(along.map((one) => readFile(at(`${one}.pem`))))).join("\n"),
    );
    const certificates = along.length === 0 ? [] : ["-certfile", at(`${id}.along`)];
    await openssl(
      "cms",
      "-sign",
      "-binary",
      "-in",
      at(id),
      "-signer",
      at(`${leaf}.pem`),
      "-inkey",
      at(`${leaf}.key`),
      ...certificates,
      "-md",
      "sha256",
      "-outform",
      "DER",
      "-out",
      at(`${id}.der`),
      ...(overrides.flags ?? []),
    );
    return {
      version: "EC_v1",
      data: data.toString("base64"),
      signature: (await readFile(at(`${id}.der`))).toString("base64"),
      header: {
        ephemeralPublicKey: spki.toString("base64"),
        publicKeyHash: createHash("sha256")
          .update(publicKey.export({ format: "der", type: "spki" }))
          .digest("base64"),
        transactionId: transactionId.toString("hex"),
        ...(applicationData === null ? {} : { applicationData: applicationData.toString("hex") }),
      },
    };
  }

  const recipient: AppleRecipient = {
    root: new X509Certificate(await readFile(at("root.pem"))),
    merchantId: MERCHANT_ID,
    privateKeys: [{ key: privateKey, publicKey }],
  };
  return { seal, recipient, close: () => rm(folder, { recursive: true, force: true }) };
}

function pairOf(): { privateKey: KeyObject; publicKey: KeyObject } {
  const scalar = randomBytes(32);
  scalar[0] = 1;
  const head = Buffer.from("308141020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420", "hex");
  const privateKey = createPrivateKey({ key: Buffer.concat([head, scalar]), format: "der", type: "pkcs8" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

async function encrypt(text: string, secret: Buffer): Promise<Buffer> {
  const party = createHash("sha256").update(MERCHANT_ID).digest();
  const info = Buffer.concat([
    Buffer.from("0000000" + "1", "hex"),
    secret,
    Buffer.from("0d", "hex"),
    Buffer.from("id-aes256-GCMApple"),
    party,
  ]);
  const bits = await webcrypto.subtle.digest("SHA-256", info);
  const key = await webcrypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt"]);
  const algorithm = { name: "AES-GCM", iv: new Uint8Array(16), tagLength: 128 };
  return Buffer.from(await webcrypto.subtle.encrypt(algorithm, key, Buffer.from(text)));
}
