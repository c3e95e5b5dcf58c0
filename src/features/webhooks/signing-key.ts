import type { Id } from "../../kernel/ids.ts";
import { type Instant, later } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { randomText } from "../../platform/crypto/secrets.ts";
import type { Tx } from "../../platform/db/database.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import type { SealedColumn } from "../../platform/vault/rotation/sealed-column.ts";
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
export async function getSigningKey(ctx: Context, merchant: Merchant): Promise<ShownKey> {
  const kept = await ctx.db.transaction((tx) => ensureSigningKey(ctx, tx, merchant));
  return shown(ctx, ctx.db, kept);
}

/** Every merchant with a subscription has a key, so that nothing is ever sent unsigned. */
export async function ensureSigningKey(ctx: Context, tx: Tx, merchant: Merchant): Promise<SigningKey> {
  const [kept] = await signingKeysOf(tx, [merchant.id]);
  if (kept !== undefined) return kept;
  await insertSigningKey(tx, await newKey(ctx, tx, merchant.id, clockOf(ctx, merchant)));
  const [made] = await signingKeysOf(tx, [merchant.id]);
  if (made === undefined) throw new Error("the key that was just made is gone");
  return made;
}

/** A new key from now on. The one before it signs beside it for a day. */
export async function rotateSigningKey(ctx: Context, caller: RequestCaller): Promise<ShownKey> {
  const { merchant } = caller;
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: "/webhooks/signingkey" });
    await ensureSigningKey(ctx, tx, merchant);
    const before = await lockSigningKey(tx, merchant.id);
    const now = clockOf(ctx, merchant);
    const made = await newKey(ctx, tx, merchant.id, now);
    const rotated = {
      ...made,
      sealedPrevious: before?.sealedKey ?? null,
      previousUntil: before === undefined ? null : later(now, KEY_OVERLAP),
    };
    await updateSigningKey(tx, rotated);
    return shown(ctx, tx, rotated);
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

async function shown(
  ctx: Context,
  tx: Tx,
  { merchantId, sealedKey, createdAt }: SigningKey,
): Promise<ShownKey> {
  return { signingKey: await ctx.sealedTexts.open(tx, purposeOfKey(merchantId), sealedKey), createdAt };
}
