import { decrypt, encrypt } from "../crypto/cipher.ts";
import type { Tx } from "../db/database.ts";
import { SecretUnreadable } from "./errors.ts";
import { listTextKeys, type WrappedKey } from "./queries.ts";
import type { OpenKey, VaultKeys } from "./vault-keys.ts";

/**
 * Seals short texts that have to be kept and to be read again, such as signing keys and passwords of webhooks. The rows
 * hold ciphertext, the key is wrapped by the vault's master key, and a text opens only for what it was sealed for.
 */
export type SealedTexts = {
  /** The caller stores the result in the same transaction: until that ends, the key is not destroyed. */
  readonly seal: (tx: Tx, purpose: string, text: string) => Promise<string>;
  /**
   * Before the first text is read. A process that had read no keys could not open a text that a rotation moves, and whose key
   * it destroys, between the process's reads of the text and of the keys.
   */
  readonly readKeys: (tx: Tx) => Promise<void>;
  /** Throws `SecretUnreadable` when the ciphertext was changed. */
  readonly open: (tx: Tx, purpose: string, sealed: string) => Promise<string>;
  /** Opens any number of texts for the price of one query. Undefined for each that can't be read. */
  readonly openAll: (tx: Tx, texts: readonly SealedText[]) => Promise<readonly (string | undefined)[]>;
};

export type SealedText = { readonly purpose: string; readonly sealed: string };

export function createSealedTexts(keys: VaultKeys): SealedTexts {
  /** As they were last seen. A text that was read just before a rotation moved it and destroyed its key opens still. */
  const seen = new Map<string, WrappedKey>();

  /** Read every time: the keys, and the master key that wraps them, may have changed since the last time. */
  async function readKeys(tx: Tx): Promise<void> {
    for (const key of await listTextKeys(tx)) seen.set(key.id, key);
  }

  async function keyOf(sealed: string): Promise<OpenKey | undefined> {
    const wrapped = seen.get(sealed.split(".", 1)[0] ?? "");
    return wrapped && keys.unwrap(wrapped);
  }

  async function openIfReadable({ purpose, sealed }: SealedText): Promise<string | undefined> {
    try {
      return openText(await keyOf(sealed), purpose, sealed);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }

  return {
    readKeys,
    seal: async (tx, purpose, text) => sealText(await keys.ofTexts(tx), purpose, text),
    open: async (tx, purpose, sealed) => {
      await readKeys(tx);
      const text = openText(await keyOf(sealed), purpose, sealed);
      if (text === undefined) throw new SecretUnreadable(`what was sealed as ${purpose} can't be read`);
      return text;
    },
    openAll: async (tx, texts) => {
      await readKeys(tx);
      return Promise.all(texts.map(openIfReadable));
    },
  };
}

export function sealText({ id, key }: OpenKey, purpose: string, text: string): string {
  const { nonce, ciphertext } = encrypt(key, Buffer.from(text, "utf8"), boundTo(id, purpose));
  return [id, base64(nonce), base64(ciphertext)].join(".");
}

/** Undefined when the key is another one, or the text is for something else. */
export function openText(key: OpenKey | undefined, purpose: string, sealed: string): string | undefined {
  const [id = "", nonce = "", ciphertext = ""] = sealed.split(".");
  if (key === undefined || key.id !== id) return undefined;
  const parts = {
    nonce: Buffer.from(nonce, "base64url"),
    ciphertext: Buffer.from(ciphertext, "base64url"),
  };
  return decrypt(key.key, parts, boundTo(id, purpose))?.toString("utf8");
}

function boundTo(keyId: string, purpose: string): string {
  return `tidegate text|${keyId}|${purpose}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
