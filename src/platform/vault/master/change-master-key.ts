import { randomBytes } from "node:crypto";
import { record } from "../../audit/queries.ts";
import { newKey } from "../../crypto/cipher.ts";
import { SecretUnreadable, VaultError } from "../errors.ts";
import { CHECK_CONTEXT } from "../open-vault.ts";
import { findMaster, lockOpening, putMaster } from "../queries.ts";
import type { RotationContext } from "../rotation/rotation-context.ts";
import { contextOf } from "../vault-keys.ts";
import { listWrappedByOthers, rewrapKey } from "./queries.ts";

export type MasterReport = { readonly from: string; readonly to: string; readonly rewrapped: number };

const AT_ONCE = 100;

/**
 * Wraps every key under the first of the master keys at hand; numbers stay as they are. A key file of our own making
 * gets its new key here; keys that were given are the operator's to put in front. Run again after a crash, it goes on.
 */
export async function changeMasterKey(
  ctx: RotationContext,
  onProgress: (rewrapped: number) => void,
): Promise<MasterReport> {
  const { db, vaultKeys, now } = ctx;
  const { source, wrapper } = vaultKeys;
  const before = await findMaster(db);
  if (before === undefined)
    throw new VaultError("the vault of this database was never opened: start the gateway once");
  if (source.generated) {
    const keys = await source.read();
    // More than one: an earlier change was cut off, and its new key is in front already.
    if (keys.length === 1) await source.replaceWith([newKey(), ...keys]);
  }
  const [target = ""] = await wrapper.masterIds();
  await switchTo(ctx, target);
  let rewrapped = 0;
  for (;;) {
    const count = await rewrapSome(ctx, target);
    rewrapped += count;
    onProgress(rewrapped);
    if (count < AT_ONCE) break;
  }
  if (before.masterId === target && rewrapped === 0 && !source.generated) {
    throw new VaultError(
      `everything is wrapped by the first key of ${source.name} already: put a new key in front of it first`,
    );
  }
  const detail = `${before.masterId} to ${target}, ${rewrapped} keys`;
  await record(db, { act: "master_key_changed", subjectId: target, detail }, now());
  if (source.generated) await source.replaceWith((await source.read()).slice(0, 1));
  return { from: before.masterId, to: target, rewrapped };
}

/** From here on new keys are wrapped by the new master key, on every node. */
async function switchTo({ db, vaultKeys, now }: RotationContext, target: string): Promise<void> {
  const checkValue = await vaultKeys.wrapper.wrap(target, randomBytes(32), CHECK_CONTEXT);
  await db.transaction(async (tx) => {
    await lockOpening(tx);
    const master = await findMaster(tx);
    if (master?.masterId !== target) await putMaster(tx, { masterId: target, checkValue }, now());
  });
}

async function rewrapSome({ db, vaultKeys }: RotationContext, target: string): Promise<number> {
  const keys = await listWrappedByOthers(db, target, AT_ONCE);
  for (const key of keys) {
    const { wrapper } = vaultKeys;
    const open = key.wrapped && (await wrapper.unwrap(key.masterId, key.wrapped, contextOf(key)));
    if (!open) {
      throw new SecretUnreadable(
        `key ${key.id} can't be unwrapped: the master key ${key.masterId} must be given as well, behind the new one`,
      );
    }
    await rewrapKey(db, {
      ...key,
      masterId: target,
      wrapped: await wrapper.wrap(target, open, contextOf(key)),
    });
    open.fill(0);
  }
  return keys.length;
}
