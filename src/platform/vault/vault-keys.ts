import type { KeyWrapper } from "../../connectors/ports/key-wrapper.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { record } from "../audit/queries.ts";
import type { Settings } from "../config/settings.ts";
import { newKey } from "../crypto/cipher.ts";
import { randomText } from "../crypto/secrets.ts";
import type { Tx } from "../db/database.ts";
import { SecretUnreadable, VaultError } from "./errors.ts";
import { createKeyCache } from "./key-cache.ts";
import { createLocalKeyWrapper } from "./master/local-key-wrapper.ts";
import { type MasterKeySource, masterKeySource } from "./master/master-key-source.ts";
import {
  findAuditKey,
  holdActiveKeys,
  holdMaster,
  holdTextKey,
  insertKey,
  type KeyPurpose,
  listFingerprintKeys,
  type WrappedKey,
} from "./queries.ts";

export type OpenKey = { readonly id: string; readonly key: Uint8Array };
export type MerchantKeys = { readonly data: OpenKey; readonly fingerprint: OpenKey };

/** Keys, unwrapped. For the vault, the operator's commands and the sealing of the audit log; no feature uses them. */
export type VaultKeys = {
  readonly source: MasterKeySource;
  readonly wrapper: KeyWrapper;
  /** The merchant's active keys, made where there are none, and held until the transaction ends. */
  readonly ofMerchant: (tx: Tx, merchantId: Id<"merchant">) => Promise<MerchantKeys>;
  /** All keys that a fingerprint of this merchant can be under. */
  readonly ofFingerprints: (tx: Tx, merchantId: string) => Promise<readonly OpenKey[]>;
  /** The key that seals texts, made where there is none, and held until the transaction ends. */
  readonly ofTexts: (tx: Tx) => Promise<OpenKey>;
  readonly ofAudit: (tx: Tx) => Promise<OpenKey>;
  /** Throws when the master key is not at hand or the key was changed. */
  readonly unwrap: (key: WrappedKey) => Promise<OpenKey>;
  /** Makes a key of that purpose; false when there is an active one already. */
  readonly make: (tx: Tx, merchantId: string | null, purpose: KeyPurpose) => Promise<boolean>;
};

/** A rotation may retire a key between its creation and the next read; it cannot do so many times in a row. */
const ATTEMPTS = 5;

export type VaultKeysParts = {
  readonly settings: Settings;
  /** A live merchant's numbers are never kept under a master key that the gateway generated. */
  readonly isLiveMerchant: (tx: Tx, merchantId: Id<"merchant">) => Promise<boolean>;
  readonly now: () => Instant;
};

export function createVaultKeys({ settings, isLiveMerchant, now }: VaultKeysParts): VaultKeys {
  const source = masterKeySource(settings);
  const wrapper = createLocalKeyWrapper(source.read);
  const cache = createKeyCache(now);

  async function unwrap(wrapped: WrappedKey): Promise<OpenKey> {
    const known = cache.find(wrapped.id);
    if (known !== undefined) return { id: wrapped.id, key: known };
    const bytes = wrapped.wrapped;
    const key = bytes && (await wrapper.unwrap(wrapped.masterId, bytes, contextOf(wrapped)));
    if (!key) throw new SecretUnreadable(`key ${wrapped.id} can't be unwrapped`);
    const own = Uint8Array.from(key);
    cache.add(wrapped.id, key);
    return { id: wrapped.id, key: own };
  }

  async function make(tx: Tx, merchantId: string | null, purpose: KeyPurpose): Promise<boolean> {
    const master = await holdMaster(tx);
    if (master === undefined)
      throw new VaultError("the vault of this database was never opened: start the gateway once");
    const key = { id: `vk_${randomText(16)}`, merchantId, purpose, masterId: master.masterId };
    const wrapped = await wrapper.wrap(master.masterId, newKey(), contextOf(key));
    if (!(await insertKey(tx, { ...key, wrapped }, now()))) return false;
    await record(tx, { act: "key_made", merchantId, subjectId: key.id, detail: purpose }, now());
    return true;
  }

  async function makeAll(tx: Tx, merchantId: Id<"merchant">): Promise<void> {
    if (source.generated && (await isLiveMerchant(tx, merchantId))) {
      throw new VaultError(
        "numbers of a live merchant need a vault key of your own: give TIDEGATE_VAULT_KEY",
      );
    }
    await make(tx, merchantId, "data");
    await make(tx, merchantId, "fingerprint");
  }

  return {
    source,
    wrapper,
    unwrap,
    make,
    ofMerchant: async (tx, merchantId) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const active = await holdActiveKeys(tx, merchantId);
        const data = active.find(({ purpose }) => purpose === "data");
        const fingerprint = active.find(({ purpose }) => purpose === "fingerprint");
        if (data && fingerprint) {
          return { data: await unwrap(data), fingerprint: await unwrap(fingerprint) };
        }
        await makeAll(tx, merchantId);
      }
      throw new Error("the merchant's keys change faster than they can be read");
    },
    ofFingerprints: async (tx, merchantId) =>
      Promise.all((await listFingerprintKeys(tx, merchantId)).map(unwrap)),
    ofTexts: async (tx) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const active = await holdTextKey(tx);
        if (active !== undefined) return unwrap(active);
        await make(tx, null, "text");
      }
      throw new Error("the key of texts changes faster than it can be read");
    },
    ofAudit: async (tx) => {
      const key = await findAuditKey(tx);
      if (key === undefined)
        throw new VaultError("the vault of this database was never opened: start the gateway once");
      return unwrap(key);
    },
  };
}

/** A wrapped key is bound to what it is for: put in another's place it does not open. */
export function contextOf({
  id,
  merchantId,
  purpose,
}: Pick<WrappedKey, "id" | "merchantId" | "purpose">): string {
  return `tidegate key|${id}|${merchantId ?? ""}|${purpose}`;
}
