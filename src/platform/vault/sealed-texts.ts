import type { Tx } from "../db/database.ts";
import { decrypt, encrypt } from "./cipher.ts";
import { listTextKeys } from "./queries.ts";
import { SecretUnreadable } from "./trouble.ts";
import type { OpenKey, VaultKeys } from "./vault-keys.ts";

/**
 * Seals short texts that have to be kept and to be read again, such as signing keys and passwords of webhooks. The rows
 * hold ciphertext, the key is wrapped by the vault's master key, and a text opens only for what it was sealed for.
 */
export type SealedTexts = {
  readonly seal: (tx: Tx, purpose: string, text: string) => Promise<string>;
  /** Throws `SecretUnreadable` when what is there is not what was put there. */
  readonly open: (tx: Tx, purpose: string, sealed: string) => Promise<string>;
};

export function createSealedTexts(keys: VaultKeys): SealedTexts {
  const known = new Map<string, OpenKey>();

  async function keysAtHand(tx: Tx): Promise<readonly OpenKey[]> {
    const open = await Promise.all((await listTextKeys(tx)).map(keys.unwrap));
    for (const key of open) known.set(key.id, key);
    return open;
  }

  async function newestKey(tx: Tx): Promise<OpenKey> {
    const [first] = await keysAtHand(tx);
    if (first !== undefined) return first;
    await keys.make(tx, null, "text");
    const [made] = await keysAtHand(tx);
    if (made === undefined) throw new SecretUnreadable("there is no key to seal texts with");
    return made;
  }

  return {
    seal: async (tx, purpose, text) => {
      const { id, key } = await newestKey(tx);
      const { nonce, ciphertext } = encrypt(key, Buffer.from(text, "utf8"), boundTo(id, purpose));
      return [id, base64(nonce), base64(ciphertext)].join(".");
    },
    open: async (tx, purpose, sealed) => {
      const [id = "", nonce = "", ciphertext = ""] = sealed.split(".");
      if (!known.has(id)) await keysAtHand(tx);
      const key = known.get(id)?.key;
      const parts = {
        nonce: Buffer.from(nonce, "base64url"),
        ciphertext: Buffer.from(ciphertext, "base64url"),
      };
      const text = key && decrypt(key, parts, boundTo(id, purpose));
      if (text === undefined) throw new SecretUnreadable(`what was sealed as ${purpose} can't be read`);
      return text.toString("utf8");
    },
  };
}

function boundTo(keyId: string, purpose: string): string {
  return `tidegate text|${keyId}|${purpose}`;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
