import { refuse } from "../../../kernel/refusal.ts";
import { changeTime } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashCode } from "../../../platform/crypto/passwords.ts";
import { randomText } from "../../../platform/crypto/secrets.ts";
import { newTotpSecret, totpStep } from "../../../platform/crypto/totp.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { SealedColumn } from "../../../platform/vault/rotation/sealed-column.ts";
import { deleteSession, deleteSessions, type SignedIn } from "../sessions/queries.ts";
import { type Device, lockSignedIn, type OpenedSession, openSession } from "../sessions/session.ts";
import { clearAttempts, throttle } from "../throttling/throttle.ts";
import { lockSeenUser, type SeenUser, updateUser } from "../users/queries.ts";
import type { DashboardUser } from "../users/user.ts";
import { putRecoveryCodes, useRecoveryCode, useTotpStep } from "./queries.ts";

const purposeOf = (userId: string) => `second factor of ${userId}`;
const RECOVERY_CODES = 10;

export const SEALED_SECOND_FACTORS: SealedColumn = {
  table: "dashboard_users",
  column: "sealed_totp",
  id: "id",
  purposeOf,
};

/** Replaces a session that waits for the second factor by a complete one, with a new secret. */
export async function completeSignIn(
  ctx: Context,
  { user, session }: SignedIn,
  code: string,
  device: Device,
): Promise<OpenedSession> {
  const attempt = { kind: "second factor", email: user.email, address: device.address } as const;
  await throttle(ctx, attempt);
  const opened = await ctx.db.transaction(async (tx) => {
    const kind = await useCode(ctx, tx, await lockSignedIn(tx, { user, session }), code);
    if (kind === undefined) return undefined;
    await deleteSession(tx, user.id, session.id);
    const { merchantId, id } = user;
    await record(tx, { act: "user_signed_in", merchantId, subjectId: id, detail: kind }, ctx.now());
    return openSession(ctx, tx, { userId: user.id, device, isComplete: true });
  });
  if (opened === undefined) {
    const { merchantId, id } = user;
    const entry = { act: "user_sign_in_failed", merchantId, subjectId: id, detail: "second factor" } as const;
    await record(ctx.db, entry, ctx.now());
    return refuse("dashboard_second_factor_refused", "/code");
  }
  await clearAttempts(ctx, attempt);
  await clearAttempts(ctx, { ...attempt, kind: "sign-in" });
  return opened;
}

/** Uses a code up and returns its kind; undefined when it is wrong. */
export async function useCode(
  ctx: Context,
  tx: Tx,
  user: DashboardUser,
  code: string,
): Promise<"code of the app" | "recovery code" | undefined> {
  if (user.sealedTotp === null) return undefined;
  const secret = await ctx.sealedTexts.open(tx, purposeOf(user.id), user.sealedTotp);
  const step = totpStep(secret, code, ctx.now());
  if (step !== undefined) return (await useTotpStep(tx, user.id, step)) ? "code of the app" : undefined;
  return (await useRecoveryCode(tx, user.id, await recoveryHash(user.id, code)))
    ? "recovery code"
    : undefined;
}

/**
 * Starts the setup: a new secret, which protects nothing until a code of it was entered. Each visit gets a fresh secret, so
 * one seen on a screen is worthless; after a mistyped code it stays the same, because the app has it already.
 */
export async function beginSecondFactor(
  ctx: Context,
  signedIn: SignedIn,
  which: "fresh" | "same",
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const user = await lockSignedIn(tx, signedIn);
    const { id: userId } = user;
    if (user.totpConfirmed) refuse("dashboard_second_factor_refused", "/code");
    if (which === "same" && user.sealedTotp !== null)
      return ctx.sealedTexts.open(tx, purposeOf(userId), user.sealedTotp);
    const secret = newTotpSecret();
    const sealedTotp = await ctx.sealedTexts.seal(tx, purposeOf(userId), secret);
    await updateUser(tx, { ...user, sealedTotp, totpStep: 0 });
    return secret;
  });
}

/** The first right code switches the second factor on. Returns the recovery codes, which are not stored in clear. */
export async function confirmSecondFactor(
  ctx: Context,
  signedIn: SignedIn,
  code: string,
): Promise<readonly string[]> {
  const { session } = signedIn;
  return ctx.db.transaction(async (tx) => {
    const user = await lockSignedIn(tx, signedIn);
    const { id: userId } = user;
    if (user.totpConfirmed || user.sealedTotp === null) refuse("dashboard_second_factor_refused", "/code");
    const secret = await ctx.sealedTexts.open(tx, purposeOf(userId), user.sealedTotp);
    const step = totpStep(secret, code, ctx.now()) ?? refuse("dashboard_second_factor_refused", "/code");
    const now = ctx.now();
    const updatedAt = changeTime(now, user.updatedAt);
    await updateUser(tx, { ...user, totpConfirmed: true, totpStep: step, updatedAt });
    await deleteSessions(tx, userId, session.id);
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(10).toLowerCase());
    const hashes: Uint8Array[] = [];
    for (const code of codes) hashes.push(await recoveryHash(userId, code));
    await putRecoveryCodes(tx, userId, hashes);
    await record(tx, { act: "user_second_factor_on", merchantId: user.merchantId, subjectId: userId }, now);
    return codes;
  });
}

/** Removes the user's own second factor, with a code of it. Throttled, so a stolen session can't guess codes. */
export async function removeOwnSecondFactor(
  ctx: Context,
  signedIn: SignedIn,
  code: string,
  address: string,
): Promise<void> {
  const attempt = { kind: "second factor", email: signedIn.user.email, address } as const;
  await throttle(ctx, attempt);
  await ctx.db.transaction(async (tx) => {
    const user = await lockSignedIn(tx, signedIn);
    if ((await useCode(ctx, tx, user, code)) === undefined)
      refuse("dashboard_second_factor_refused", "/code");
    await switchOff(ctx, tx, user);
  });
  await clearAttempts(ctx, attempt);
}

/** An operator removes a user's second factor. */
export async function removeSecondFactor(ctx: Context, seen: SeenUser): Promise<void> {
  await ctx.db.transaction(async (tx) => switchOff(ctx, tx, await lockSeenUser(tx, seen)));
}

async function switchOff(ctx: Context, tx: Tx, user: DashboardUser): Promise<void> {
  const { id, merchantId } = user;
  const now = ctx.now();
  const updatedAt = changeTime(now, user.updatedAt);
  await updateUser(tx, { ...user, sealedTotp: null, totpConfirmed: false, totpStep: 0, updatedAt });
  await putRecoveryCodes(tx, id, []);
  await record(tx, { act: "user_second_factor_off", merchantId, subjectId: id }, now);
}

function recoveryHash(userId: string, code: string): Promise<Uint8Array> {
  return hashCode(code.trim().toLowerCase(), userId);
}
