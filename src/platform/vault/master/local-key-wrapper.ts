import type { KeyWrapper } from "../../../connectors/ports/key-wrapper.ts";
import { decrypt, encrypt, keyedHash } from "../../crypto/cipher.ts";

type Ring = ReadonlyMap<string, Uint8Array>;

/**
 * Wraps with master keys that this process holds. They are read when they are first needed, and again when an
 * unknown key is needed: a file that gets a new key needs no restart.
 */
export function createLocalKeyWrapper(readKeys: () => Promise<readonly Uint8Array[]>): KeyWrapper {
  let ring: Promise<Ring> | undefined;

  function load(): Promise<Ring> {
    const loading = readKeys().then((keys) => new Map(keys.map((key) => [masterIdOf(key), key])));
    ring = loading;
    loading.catch(() => {
      if (ring === loading) ring = undefined;
    });
    return loading;
  }

  async function find(masterId: string): Promise<Uint8Array | undefined> {
    return (await (ring ?? load())).get(masterId) ?? (await load()).get(masterId);
  }

  return {
    masterIds: async () => [...(await load()).keys()],
    wrap: async (masterId, key, context) => {
      const master = await find(masterId);
      if (master === undefined) throw new Error("the master key that wraps is not at hand");
      const { nonce, ciphertext } = encrypt(master, key, context);
      return Buffer.concat([nonce, ciphertext]);
    },
    unwrap: async (masterId, wrapped, context) => {
      const master = await find(masterId);
      if (master === undefined) return undefined;
      return decrypt(master, { nonce: wrapped.subarray(0, 12), ciphertext: wrapped.subarray(12) }, context);
    },
  };
}

/** Names a master key without revealing anything of it: the key has 256 random bits. */
export function masterIdOf(key: Uint8Array): string {
  return `local-${Buffer.from(keyedHash(key, "tidegate master key id")).toString("hex").slice(0, 16)}`;
}
