import type { Id } from "../../kernel/ids.ts";
import { type Instant, later } from "../../kernel/time.ts";
import { record } from "../../platform/audit/queries.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { insertSigningKey, lockSigningKey, signingKeysOf, updateSigningKey } from "./queries.ts";
import { KEY_OVERLAP, type SigningKey } from "./webhook.ts";

/** A signing key in clear, for its merchant. */
export type ShownKey = { readonly signingKey: string; readonly createdAt: Instant };

export const purposeOfKey = (merchantId: string) => `webhook signing key of ${merchantId}`;

const SIGNING_KEYS = { table: "webhook_signing_keys", id: "merchant_id", purposeOf: purposeOfKey } as const;

/** Both columns are sealed for the same merchant. */
export const SEALED_SIGNING_KEYS: readonly SealedColumn[] = [
  { ...SIGNING_KEYS, column: "sealed_key" },
  { ...SIGNING_KEYS, column: "sealed_previous" },
];

/** Returns the merchant's key, which goes on record; the first call creates it. */
export async function revealSigningKey(ctx: Context, merchant: Merchant): Promise<ShownKey> {
  const key = await ctx.db.transaction(async (tx) => {
    await record(tx, { act: "signing_key_read", merchantId: merchant.id, subjectId: merchant.id }, ctx.now());
    return ensureSigningKey(ctx, tx, merchant);
  });
  return openKey(ctx, ctx.db, key);
}

/** Every merchant with a subscription has a key, so that no delivery is unsigned. */
export async function ensureSigningKey(ctx: Context, tx: Tx, merchant: Merchant): Promise<SigningKey> {
  const [stored] = await signingKeysOf(tx, [merchant.id]);
  if (stored !== undefined) return stored;
  await insertSigningKey(tx, await newKey(ctx, tx, merchant.id, clockOf(ctx, merchant)));
  // A concurrent call may have inserted its key first.
  const [key] = await signingKeysOf(tx, [merchant.id]);
  if (key === undefined) throw new Error("the signing key that was just inserted is missing");
  return key;
}

/** Replaces the key. The previous key signs as well for a day. */
export async function rotateSigningKey(ctx: Context, caller: RequestCaller): Promise<ShownKey> {
  const { merchant } = caller;
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: "/webhooks/signingkey" });
    await ensureSigningKey(ctx, tx, merchant);
    const before = await lockSigningKey(tx, merchant.id);
    const now = clockOf(ctx, merchant);
    const key = await newKey(ctx, tx, merchant.id, now);
    const rotated = {
      ...key,
      sealedPrevious: before?.sealedKey ?? null,
      previousUntil: before === undefined ? null : later(now, KEY_OVERLAP),
    };
    await updateSigningKey(tx, rotated);
    await record(
      tx,
      { act: "signing_key_replaced", merchantId: merchant.id, subjectId: merchant.id },
      ctx.now(),
    );
    return openKey(ctx, tx, rotated);
  });
}

async function newKey(
  ctx: Context,
  tx: Tx,
  merchantId: Id<"merchant">,
  createdAt: Instant,
): Promise<SigningKey> {
  const sealedKey = await ctx.sealedTexts.seal(tx, purposeOfKey(merchantId), randomText(32));
  return { merchantId, sealedKey, createdAt, sealedPrevious: null, previousUntil: null };
}

async function openKey(
  ctx: Context,
  tx: Tx,
  { merchantId, sealedKey, createdAt }: SigningKey,
): Promise<ShownKey> {
  return { signingKey: await ctx.sealedTexts.open(tx, purposeOfKey(merchantId), sealedKey), createdAt };
}
