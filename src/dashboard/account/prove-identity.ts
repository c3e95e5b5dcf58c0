import { refuse } from "../../kernel/refusal.ts";
import { record } from "../../platform/audit/queries.ts";
import type { Context } from "../../platform/context.ts";
import { isPassword } from "../../platform/crypto/passwords.ts";
import { useCode } from "../access/second-factor/second-factor.ts";
import { noteProof, type SignedIn } from "../access/sessions/queries.ts";
import { lockSignedIn } from "../access/sessions/session.ts";
import { clearAttempts, throttle } from "../access/throttling/throttle.ts";

/** Takes password and second factor again, so that a session left open, or stolen, changes no keys and no users. */
export async function proveIdentity(
  ctx: Context,
  { user, session }: SignedIn,
  input: { readonly password: string; readonly code: string },
): Promise<void> {
  const attempt = { kind: "password", email: user.email, address: session.address } as const;
  await throttle(ctx, attempt);
  const { merchantId, id: subjectId } = user;
  const proven = await isPassword(input.password.slice(0, 1_000), user.passwordHash);
  if (!proven) {
    await record(ctx.db, { act: "user_proof_failed", merchantId, subjectId, detail: "password" }, ctx.now());
    refuse("dashboard_password_refused", "/password");
  }
  const kind = await ctx.db.transaction(async (tx) => {
    const present = await lockSignedIn(tx, { user, session });
    const used = present.totpConfirmed ? await useCode(ctx, tx, present, input.code) : "password";
    if (used === undefined) return undefined;
    await noteProof(tx, session.id, ctx.now());
    await record(tx, { act: "user_proved", merchantId, subjectId, detail: used }, ctx.now());
    return used;
  });
  if (kind === undefined) {
    const entry = { act: "user_proof_failed", merchantId, subjectId, detail: "second factor" } as const;
    await record(ctx.db, entry, ctx.now());
    refuse("dashboard_second_factor_refused", "/code");
  }
  await clearAttempts(ctx, attempt);
}
