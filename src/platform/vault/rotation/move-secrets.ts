import type { Id } from "../../../kernel/ids.ts";
import { record } from "../../audit/queries.ts";
import { decrypt, encrypt, keyedHash } from "../../crypto/cipher.ts";
import type { Tx } from "../../db/database.ts";
import { SecretUnreadable } from "../errors.ts";
import type { WrappedKey } from "../queries.ts";
import { boundTo, printed } from "../vault.ts";
import type { MerchantKeys } from "../vault-keys.ts";
import { type KeptSecret, listRetired, listSecrets, type MovedSecret, moveSecrets } from "./queries.ts";
import type { RotationContext } from "./rotation-context.ts";

const AT_ONCE = 200;

type Moved = { readonly moved: number; readonly unreadable: number };

/** One round through all numbers of a merchant that are under retired keys. */
export async function moveToActiveKeys(
  ctx: RotationContext,
  merchantId: Id<"merchant">,
  step: (count: number) => void,
): Promise<Moved> {
  let [moved, unreadable] = [0, 0];
  let last: KeptSecret | undefined;
  for (;;) {
    const after = last;
    const { rows, ...done } = await ctx.db.transaction((tx) => movePage(ctx, tx, merchantId, after));
    moved += done.moved;
    unreadable += done.unreadable;
    step(done.moved);
    last = rows.at(-1);
    if (rows.length < AT_ONCE) return { moved, unreadable };
  }
}

/** Holds the new keys while it moves numbers to them: another rotation can't take them away in between. */
async function movePage(
  { vaultKeys, now }: RotationContext,
  tx: Tx,
  merchantId: Id<"merchant">,
  after: KeptSecret | undefined,
): Promise<Moved & { readonly rows: readonly KeptSecret[] }> {
  const active = await vaultKeys.ofMerchant(tx, merchantId);
  const retired = (await listRetired(tx, merchantId)).filter(({ purpose }) => purpose === "data");
  const open = await openKeys(vaultKeys, retired);
  const ids = retired.map(({ id }) => id);
  const rows = await listSecrets(tx, merchantId, { keyIds: ids, after, atMost: AT_ONCE });
  const fresh: MovedSecret[] = [];
  for (const row of rows) {
    const secret = moveSecret(active, open.get(row.keyId), merchantId, row);
    if (secret !== undefined) fresh.push(secret);
    else {
      const detail = `${row.field} in a rotation under ${row.keyId}`;
      await record(tx, { act: "number_unreadable", merchantId, subjectId: row.instrumentId, detail }, now());
    }
  }
  const to = { dataKeyId: active.data.id, fingerprintKeyId: active.fingerprint.id };
  const moved = fresh.length === 0 ? 0 : await moveSecrets(tx, merchantId, to, fresh);
  return { rows, moved, unreadable: rows.length - fresh.length };
}

/** A key that can't be unwrapped is left out: its numbers can't be read, those of others can. */
async function openKeys(
  { unwrap }: RotationContext["vaultKeys"],
  keys: readonly WrappedKey[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const open = new Map<string, Uint8Array>();
  for (const one of keys) {
    try {
      open.set(one.id, (await unwrap(one)).key);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  }
  return open;
}

function moveSecret(
  active: MerchantKeys,
  key: Uint8Array | undefined,
  merchantId: Id<"merchant">,
  row: KeptSecret,
): MovedSecret | undefined {
  const { instrumentId, field } = row;
  const place = { merchantId, instrumentId, field };
  const secret = key && decrypt(key, row, boundTo(place, row.keyId));
  if (secret === undefined) return undefined;
  const fingerprint = keyedHash(active.fingerprint.key, printed(field, secret.toString("utf8")));
  const sealed = encrypt(active.data.key, secret, boundTo(place, active.data.id));
  secret.fill(0);
  return { instrumentId, field, nonceBefore: row.nonce, fingerprint, ...sealed };
}
