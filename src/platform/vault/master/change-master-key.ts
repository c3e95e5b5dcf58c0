import { randomBytes } from "node:crypto";
import type { KeyWrapper } from "../../../connectors/ports/key-wrapper.ts";
import { record } from "../../audit/queries.ts";
import { newKey } from "../../crypto/cipher.ts";
import { SecretUnreadable, VaultError } from "../errors.ts";
import { CHECK_CONTEXT } from "../open-vault.ts";
import { findMaster, lockOpening, putMaster, type WrappedKey } from "../queries.ts";
import type { RotationContext } from "../rotation/rotation-context.ts";
import { contextOf, requireVaultKey } from "../vault-keys.ts";
import { listKeysAfter, listWrappedByOthers, renewKey, rewrapKey, type Targets } from "./queries.ts";

export type MasterReport = { readonly from: string; readonly to: string; readonly rewrapped: number };

/** Where the master key shall be, where both a key service and a local key are at hand. */
export const MASTER_PLACES = ["transit", "local"] as const;
export type MasterPlace = (typeof MASTER_PLACES)[number];

const AT_ONCE = 100;

/**
 * Wraps every key under the first of the master keys at hand; numbers stay as they are. A key file of our own making
 * gets its new key here; keys that were given are the operator's to put in front. A key service renews what an older
 * version of its key wrapped. Run again after a crash, it goes on.
 */
export async function changeMasterKey(
  ctx: RotationContext,
  onProgress: (rewrapped: number) => void,
  place?: MasterPlace,
): Promise<MasterReport> {
  const { db, vaultKeys, now } = ctx;
  const { source } = vaultKeys;
  requireVaultKey(vaultKeys);
  const before = await findMaster(db);
  if (before === undefined)
    throw new VaultError("the vault of this database was never opened: start the gateway once");
  if (source.isGenerated) {
    const keys = await source.read();
    // More than one: an earlier change was cut off, and its new key is in front already.
    if (keys.length === 1) await source.replaceWith([newKey(), ...keys]);
  }
  const targets = await targetsOf(ctx, place);
  const target = targets.vault;
  await switchTo(ctx, target);
  let rewrapped = 0;
  const step = (count: number) => {
    rewrapped += count;
    onProgress(rewrapped);
  };
  for (let count = AT_ONCE; count === AT_ONCE; step(count)) count = await rewrapSome(ctx, targets);
  await renewAll(ctx, step);
  if (before.masterId === target && rewrapped === 0 && !source.isGenerated) {
    throw new VaultError(
      target.startsWith("local-")
        ? `everything is wrapped by the first key of ${source.name} already: put a new key in front of it first`
        : `everything is wrapped by the newest version of ${source.name} already: rotate it in the key service first`,
    );
  }
  const detail = `${before.masterId} to ${target}, ${rewrapped} keys`;
  await record(db, { act: "master_key_changed", subjectId: target, detail }, now());
  if (source.isGenerated) await source.replaceWith((await source.read()).slice(0, 1));
  return { from: before.masterId, to: target, rewrapped };
}

async function targetsOf({ vaultKeys }: RotationContext, place?: MasterPlace): Promise<Targets> {
  const ids = await vaultKeys.wrapper.masterIds();
  const among = vaultKeys.source.hasLocalKey ? ids : ids.filter((id) => !id.startsWith("local-"));
  const vault = place === undefined ? among[0] : among.find((id) => id.startsWith(place));
  if (vault === undefined) {
    throw new VaultError(
      place === "transit"
        ? "this node has no key service: set TIDEGATE_TRANSIT_URL and TIDEGATE_TRANSIT_KEY first"
        : "this node has no such master key: set TIDEGATE_VAULT_KEY, its file or its shares first",
    );
  }
  const [texts = vault] = (await vaultKeys.textWrapper?.masterIds()) ?? [];
  return { vault, texts };
}

/** From here on new keys are wrapped by the new master key, on every node. */
async function switchTo({ db, vaultKeys, now }: RotationContext, target: string): Promise<void> {
  const checkValue = await vaultKeys.wrapper.wrap(target, randomBytes(32), CHECK_CONTEXT);
  await db.transaction(async (tx) => {
    await lockOpening(tx);
    const master = await findMaster(tx);
    const isSame = master?.masterId === target;
    // The same key of a key service may have a new version, and its old ones may go away.
    if (!isSame || !target.startsWith("local-")) await putMaster(tx, { masterId: target, checkValue }, now());
  });
}

async function rewrapSome({ db, vaultKeys }: RotationContext, targets: Targets): Promise<number> {
  const keys = await listWrappedByOthers(db, targets, AT_ONCE);
  for (const key of keys) {
    const open = await openKey(vaultKeys, key);
    if (!open) {
      throw new SecretUnreadable(
        `key ${key.id} can't be unwrapped: the master key ${key.masterId} must be given as well, behind the new one`,
      );
    }
    const masterId = key.purpose === "text" ? targets.texts : targets.vault;
    const wrapper = wrapperOf(vaultKeys, key, masterId !== targets.vault);
    const wrapped = await wrapper.wrap(masterId, open, contextOf(key));
    await rewrapKey(db, { ...key, masterId, wrapped });
    open.fill(0);
  }
  return keys.length;
}

type Keys = RotationContext["vaultKeys"];

function wrapperOf({ wrapper, textWrapper }: Keys, { purpose }: WrappedKey, hasOwn = true): KeyWrapper {
  return purpose === "text" && hasOwn ? (textWrapper ?? wrapper) : wrapper;
}

async function openKey(keys: Keys, key: WrappedKey): Promise<Uint8Array | undefined> {
  const { masterId, wrapped } = key;
  if (wrapped === null) return undefined;
  const own = await wrapperOf(keys, key).unwrap(masterId, wrapped, contextOf(key));
  return own ?? keys.wrapper.unwrap(masterId, wrapped, contextOf(key));
}

/** Moves what an older version of a key service's key wrapped to the newest one. The plain keys do not leave the service. */
async function renewAll({ db, vaultKeys }: RotationContext, step: (count: number) => void): Promise<void> {
  for (let after = ""; ; ) {
    const keys = await listKeysAfter(db, after, AT_ONCE);
    let renewed = 0;
    for (const key of keys) {
      const { id, masterId, wrapped } = key;
      if (wrapped === null || masterId.startsWith("local-")) continue;
      const newest = await wrapperOf(vaultKeys, key).rewrap?.(masterId, wrapped);
      if (newest !== undefined && (await renewKey(db, id, wrapped, newest))) renewed += 1;
    }
    if (renewed > 0) step(renewed);
    if (keys.length < AT_ONCE) return;
    after = keys.at(-1)?.id ?? "";
  }
}
