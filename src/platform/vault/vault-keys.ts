import type { KeyWrapper } from "../../connectors/ports/key-wrapper.ts";
import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { record } from "../audit/queries.ts";
import type { Settings } from "../config/settings.ts";
import { holdsNoVaultKey } from "../config/vault-settings.ts";
import { newKey } from "../crypto/cipher.ts";
import { randomText } from "../crypto/secrets.ts";
import type { Database, Tx } from "../db/database.ts";
import { SecretUnreadable, VaultError } from "./errors.ts";
import { createKeyCache } from "./key-cache.ts";
import { createKeyRing, createNoKeyWrapper } from "./master/key-ring.ts";
import { createLocalKeyWrapper } from "./master/local-key-wrapper.ts";
import { type MasterKeySource, masterKeySource, textKeySource } from "./master/master-key-source.ts";
import {
  findAuditKey,
  findCountingKey,
  findMaster,
  holdActiveKeys,
  holdMaster,
  holdTextKey,
  insertKey,
  type KeyPurpose,
  listActiveKeys,
  listFingerprintKeys,
  type WrappedKey,
} from "./queries.ts";

export type OpenKey = { readonly id: string; readonly key: Uint8Array };
export type MerchantKeys = { readonly data: OpenKey; readonly fingerprint: OpenKey };

/** Master keys that are not in this process: of a key service. */
type OutsideKeys = { readonly vault?: KeyWrapper; readonly texts?: KeyWrapper };

/** Keys, unwrapped. For the vault, the operator's commands and the sealing of the audit log; no feature uses them. */
export type VaultKeys = {
  readonly source: MasterKeySource;
  readonly wrapper: KeyWrapper;
  /** Of the keys that seal texts; undefined where the vault's master key wraps those, too. */
  readonly textWrapper: KeyWrapper | undefined;
  /** This node's roles need no number, so it was given no key to them. */
  readonly holdsNone: boolean;
  /** A key service wraps them. */
  readonly isOutside: boolean;
  /** The merchant's active keys, made where there are none, and held until the transaction ends. */
  readonly ofMerchant: (tx: Tx, merchantId: Id<"merchant">) => Promise<MerchantKeys>;
  /** All keys that a fingerprint of this merchant can be under. */
  readonly ofFingerprints: (tx: Tx, merchantId: string) => Promise<readonly OpenKey[]>;
  /** The key that seals texts, made where there is none, and held until the transaction ends. */
  readonly ofTexts: (tx: Tx) => Promise<OpenKey>;
  readonly ofAudit: (tx: Tx) => Promise<OpenKey>;
  /** The key of hashes that are counted, made where there is none. */
  readonly ofCounting: (db: Database) => Promise<OpenKey>;
  /** Makes and unwraps the merchant's keys outside any transaction: a key service may take its time. */
  readonly prepare: (db: Database, merchantId: Id<"merchant">) => Promise<void>;
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
  readonly outside?: OutsideKeys | undefined;
};

export function createVaultKeys({ settings, isLiveMerchant, now, outside }: VaultKeysParts): VaultKeys {
  const source = masterKeySource(settings);
  const holdsNone = holdsNoVaultKey(settings);
  const wrapper = holdsNone ? createNoKeyWrapper(refuseWork) : mainWrapper(source, outside?.vault);
  const textSource = textKeySource(settings);
  const textWrapper = outside?.texts ?? (textSource && createLocalKeyWrapper(textSource.read));
  const cache = createKeyCache(now);
  /** Of several that need a key at once, one unwraps it. */
  const unwrapping = new Map<string, Promise<Uint8Array>>();

  async function unwrap(wrapped: WrappedKey): Promise<OpenKey> {
    const { id } = wrapped;
    const known = cache.find(id);
    if (known !== undefined) return { id, key: known };
    const under = unwrapping.get(id) ?? unwrapNow(wrapped);
    unwrapping.set(id, under);
    try {
      return { id, key: Uint8Array.from(await under) };
    } finally {
      if (unwrapping.get(id) === under) unwrapping.delete(id);
    }
  }

  async function unwrapNow(wrapped: WrappedKey): Promise<Uint8Array> {
    const { id, masterId, wrapped: bytes } = wrapped;
    const context = contextOf(wrapped);
    const ofText = wrapped.purpose === "text" && bytes && textWrapper?.unwrap(masterId, bytes, context);
    const key = (await ofText) || (bytes && (await wrapper.unwrap(masterId, bytes, context)));
    if (!key) throw new SecretUnreadable(`key ${id} can't be unwrapped`);
    // The cache overwrites its bytes; those that wait get others.
    cache.add(id, Uint8Array.from(key));
    return key;
  }

  /** The master key that wraps new keys of a purpose. */
  async function wrapNew(key: Omit<WrappedKey, "masterId" | "wrapped">, masterId: string) {
    const [ownId] = (key.purpose === "text" && (await textWrapper?.masterIds())) || [];
    const own = ownId === undefined ? undefined : textWrapper;
    const id = ownId ?? masterId;
    return { ...key, masterId: id, wrapped: await (own ?? wrapper).wrap(id, newKey(), contextOf(key)) };
  }

  async function make(tx: Tx, merchantId: string | null, purpose: KeyPurpose): Promise<boolean> {
    const master = await holdMaster(tx);
    if (master === undefined) throw neverOpened();
    return insert(tx, await wrapNew({ id: newKeyId(), merchantId, purpose }, master.masterId));
  }

  async function insert(tx: Tx, key: WrappedKey & { readonly wrapped: Uint8Array }): Promise<boolean> {
    const { id, merchantId, purpose } = key;
    if (!(await insertKey(tx, key, now()))) return false;
    await record(tx, { act: "key_made", merchantId, subjectId: id, detail: purpose }, now());
    return true;
  }

  async function prepare(db: Database, merchantId: Id<"merchant">): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const active = await listActiveKeys(db, merchantId);
      if (active.length === 2) {
        for (const key of active) await unwrap(key);
        return;
      }
      await refuseGenerated(db, merchantId);
      const master = await findMaster(db);
      if (master === undefined) throw neverOpened();
      const purposes = ["data", "fingerprint"] as const;
      const missing = purposes.filter((purpose) => !active.some((key) => key.purpose === purpose));
      const made = await Promise.all(
        missing.map((purpose) => wrapNew({ id: newKeyId(), merchantId, purpose }, master.masterId)),
      );
      await db.transaction(async (tx) => {
        // The master key may have changed meanwhile; then the next attempt wraps under the new one.
        if ((await holdMaster(tx))?.masterId !== master.masterId) return;
        for (const key of made) await insert(tx, key);
      });
    }
    throw new Error("the merchant's keys change faster than they can be read");
  }

  async function refuseGenerated(tx: Tx, merchantId: Id<"merchant">): Promise<void> {
    if (source.isGenerated && (await isLiveMerchant(tx, merchantId))) {
      throw new VaultError(
        "numbers of a live merchant need a vault key of your own: give TIDEGATE_VAULT_KEY",
      );
    }
  }

  async function makeAll(tx: Tx, merchantId: Id<"merchant">): Promise<void> {
    await refuseGenerated(tx, merchantId);
    await make(tx, merchantId, "data");
    await make(tx, merchantId, "fingerprint");
  }

  return {
    source,
    wrapper,
    textWrapper,
    holdsNone,
    isOutside: outside?.vault !== undefined,
    prepare,
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
      if (key === undefined) throw neverOpened();
      return unwrap(key);
    },
    ofCounting: async (db) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const active = await findCountingKey(db);
        if (active !== undefined) return unwrap(active);
        await db.transaction((tx) => make(tx, null, "counting"));
      }
      throw new Error("the key for counting changes faster than it can be read");
    },
  };
}

/** The key service wraps, where there is one; the local keys then unwrap what they once wrapped. */
function mainWrapper(source: MasterKeySource, outside: KeyWrapper | undefined): KeyWrapper {
  const local = createLocalKeyWrapper(source.read);
  if (outside === undefined) return local;
  return createKeyRing([
    { owns: (id) => id.startsWith("transit:"), wrapper: outside },
    { owns: (id) => id.startsWith("local-"), wrapper: local },
  ]);
}

/** Before work that would leave half of it done: this node has to hold the vault's key. */
export function requireVaultKey({ holdsNone }: Pick<VaultKeys, "holdsNone">): void {
  if (holdsNone) refuseWork();
}

function refuseWork(): never {
  throw new VaultError(
    "this node holds no vault key, because its role webhooks needs none: do this on a node with another role",
  );
}

function neverOpened(): VaultError {
  return new VaultError("the vault of this database was never opened: start the gateway once");
}

function newKeyId(): string {
  return `vk_${randomText(16)}`;
}

/** A wrapped key is bound to what it is for: put in another's place it does not open. */
export function contextOf({
  id,
  merchantId,
  purpose,
}: Pick<WrappedKey, "id" | "merchantId" | "purpose">): string {
  return `tidegate key|${id}|${merchantId ?? ""}|${purpose}`;
}
