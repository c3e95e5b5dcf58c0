import type { Id } from "../../kernel/ids.ts";
import { type Instant, later } from "../../kernel/time.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";
import { clockOf, type World } from "../../platform/world.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { insertSigningKey, lockSigningKey, signingKeysOf, updateSigningKey } from "./queries.ts";
import { KEY_OVERLAP, type SigningKey } from "./webhook.ts";

/** A signing key in clear, as its merchant may see it. */
export type ShownKey = { readonly signingKey: string; readonly createdAt: Instant };

export const purposeOfKey = (merchantId: string) => `webhook signing key of ${merchantId}`;

const SIGNING_KEYS = { table: "webhook_signing_keys", id: "merchant_id", purposeOf: purposeOfKey } as const;

/** Both lie sealed for the same merchant. */
export const SEALED_SIGNING_KEYS: readonly SealedColumn[] = [
  { ...SIGNING_KEYS, column: "sealed_key" },
  { ...SIGNING_KEYS, column: "sealed_previous" },
];

/** The merchant's key, made at the first question. */
export async function getSigningKey(world: World, merchant: Merchant): Promise<ShownKey> {
  const kept = await world.db.transaction((tx) => ensureSigningKey(world, tx, merchant));
  return shown(world, world.db, kept);
}

/** Every merchant with a subscription has a key, so that nothing is ever sent unsigned. */
export async function ensureSigningKey(world: World, tx: Tx, merchant: Merchant): Promise<SigningKey> {
  const [kept] = await signingKeysOf(tx, [merchant.id]);
  if (kept !== undefined) return kept;
  await insertSigningKey(tx, await newKey(world, tx, merchant.id, clockOf(world, merchant)));
  const [made] = await signingKeysOf(tx, [merchant.id]);
  if (made === undefined) throw new Error("the key that was just made is gone");
  return made;
}

/** A new key from now on. The one before it signs beside it for a day. */
export async function rotateSigningKey(world: World, caller: RequestCaller): Promise<ShownKey> {
  const { merchant } = caller;
  return world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: "/webhooks/signingkey" });
    await ensureSigningKey(world, tx, merchant);
    const before = await lockSigningKey(tx, merchant.id);
    const now = clockOf(world, merchant);
    const made = await newKey(world, tx, merchant.id, now);
    const rotated = {
      ...made,
      sealedPrevious: before?.sealedKey ?? null,
      previousUntil: before === undefined ? null : later(now, KEY_OVERLAP),
    };
    await updateSigningKey(tx, rotated);
    return shown(world, tx, rotated);
  });
}

async function newKey(
  world: World,
  tx: Tx,
  merchantId: Id<"merchant">,
  createdAt: Instant,
): Promise<SigningKey> {
  const sealedKey = await world.sealedTexts.seal(tx, purposeOfKey(merchantId), randomText(32));
  return { merchantId, sealedKey, createdAt, sealedPrevious: null, previousUntil: null };
}

async function shown(
  world: World,
  tx: Tx,
  { merchantId, sealedKey, createdAt }: SigningKey,
): Promise<ShownKey> {
  return { signingKey: await world.sealedTexts.open(tx, purposeOfKey(merchantId), sealedKey), createdAt };
}
