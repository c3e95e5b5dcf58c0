import { refuse } from "../../../kernel/refusal.ts";
import { changeTime } from "../../../kernel/time.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import { newTotpSecret, totpStep } from "../../../platform/crypto/totp.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { SealedColumn } from "../../../platform/vault/rotation/sealed-column.ts";
import { lockUser, updateUser } from "../../users/queries.ts";
import type { DashboardUser } from "../../users/user.ts";
import { deleteSession, deleteSessions } from "../sessions/queries.ts";
import { type Device, type OpenedSession, openSession, type UserSession } from "../sessions/session.ts";
import { beginTry, endTry } from "../throttling/throttle.ts";
import { putRecoveryCodes, useRecoveryCode, useTotpStep } from "./queries.ts";

const purposeOf = (userId: string) => `second factor of ${userId}`;
const RECOVERY_CODES = 10;

export const SEALED_SECOND_FACTORS: SealedColumn = {
  table: "dashboard_users",
  column: "sealed_totp",
  id: "id",
  purposeOf,
};

/** Trades a session that waits for the second factor for a complete one, with a new secret. */
export async function giveSecondFactor(
  ctx: Context,
  user: DashboardUser,
  waiting: UserSession,
  code: string,
  device: Device,
): Promise<OpenedSession> {
  const tried = { account: `${user.email} second factor`, address: device.address };
  await beginTry(ctx, tried);
  const taken = await ctx.db.transaction(async (tx) => {
    const way = await takeCode(ctx, tx, user, code);
    if (way === undefined) return undefined;
    await deleteSession(tx, user.id, waiting.id);
    const { merchantId, id } = user;
    await record(tx, { act: "user_signed_in", merchantId, subjectId: id, detail: way }, ctx.now());
    return openSession(ctx, tx, user.id, device, true);
  });
  if (taken === undefined) {
    const { merchantId, id } = user;
    const entry = { act: "user_sign_in_failed", merchantId, subjectId: id, detail: "second factor" } as const;
    await record(ctx.db, entry, ctx.now());
    return refuse("dashboard_second_factor_refused", "/code");
  }
  await endTry(ctx, tried);
  await endTry(ctx, { account: user.email, address: device.address });
  return taken;
}

/** Which kind of code this was; it is used up by that. */
async function takeCode(
  ctx: Context,
  tx: Tx,
  user: DashboardUser,
  code: string,
): Promise<"code of the app" | "recovery code" | undefined> {
  if (user.sealedTotp === null) return undefined;
  const secret = await ctx.sealedTexts.open(tx, purposeOf(user.id), user.sealedTotp);
  const step = totpStep(secret, code, ctx.now());
  if (step !== undefined) return (await useTotpStep(tx, user.id, step)) ? "code of the app" : undefined;
  return (await useRecoveryCode(tx, user.id, recoveryHash(code))) ? "recovery code" : undefined;
}

/**
 * Begins to set it up: a new secret, which guards nothing until a code of it was given. A fresh one each time: whoever saw
 * an earlier one on a screen has nothing. Only after a mistyped code it is the same again, for the app knows it by then.
 */
export async function beginSecondFactor(
  ctx: Context,
  userId: DashboardUser["id"],
  which: "fresh" | "same",
): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.totpConfirmed) refuse("dashboard_second_factor_refused", "/code");
    if (which === "same" && user.sealedTotp !== null)
      return ctx.sealedTexts.open(tx, purposeOf(userId), user.sealedTotp);
    const secret = newTotpSecret();
    const sealedTotp = await ctx.sealedTexts.seal(tx, purposeOf(userId), secret);
    await updateUser(tx, { ...user, sealedTotp, totpStep: 0 });
    return secret;
  });
}

/** The app shows the right code: from now on it is asked for. Gives the recovery codes, this once. */
export async function confirmSecondFactor(
  ctx: Context,
  userId: DashboardUser["id"],
  session: UserSession,
  code: string,
): Promise<readonly string[]> {
  return ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (user.totpConfirmed || user.sealedTotp === null) refuse("dashboard_second_factor_refused", "/code");
    const secret = await ctx.sealedTexts.open(tx, purposeOf(userId), user.sealedTotp);
    const step = totpStep(secret, code, ctx.now()) ?? refuse("dashboard_second_factor_refused", "/code");
    const now = ctx.now();
    const updatedAt = changeTime(now, user.updatedAt);
    await updateUser(tx, { ...user, totpConfirmed: true, totpStep: step, updatedAt });
    await deleteSessions(tx, userId, session.id);
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(10).toLowerCase());
    await putRecoveryCodes(tx, userId, codes.map(recoveryHash));
    await record(tx, { act: "user_second_factor_on", merchantId: user.merchantId, subjectId: userId }, now);
    return codes;
  });
}

/** Takes it away for the user themselves, with a code of it. A stolen session may not guess codes without end. */
export async function giveUpSecondFactor(
  ctx: Context,
  { id, email }: Pick<DashboardUser, "id" | "email">,
  code: string,
  address: string,
): Promise<void> {
  const tried = { account: `${email} second factor`, address };
  await beginTry(ctx, tried);
  await dropSecondFactor(ctx, id, { code });
  await endTry(ctx, tried);
}

/** Takes it away, on the word of whoever may: the user with a code of it, or an operator. */
export async function dropSecondFactor(
  ctx: Context,
  userId: DashboardUser["id"],
  by: { readonly code: string } | "operator",
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (by !== "operator" && (await takeCode(ctx, tx, user, by.code)) === undefined)
      refuse("dashboard_second_factor_refused", "/code");
    const now = ctx.now();
    const updatedAt = changeTime(now, user.updatedAt);
    await updateUser(tx, { ...user, sealedTotp: null, totpConfirmed: false, totpStep: 0, updatedAt });
    await putRecoveryCodes(tx, userId, []);
    await record(tx, { act: "user_second_factor_off", merchantId: user.merchantId, subjectId: userId }, now);
  });
}

function recoveryHash(code: string): Uint8Array {
  return hashSecret(code.trim().toLowerCase());
}
