import { type Id, newId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { earliest, later, MINUTE } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { lockUserIfThere, noteSignIn } from "../users/queries.ts";
import { type DashboardUser, idleLifeOf, SESSION_LIFE } from "../users/user.ts";
import {
  findSessionRow,
  insertSession,
  lockSession,
  type SignedIn,
  touchSession,
  type UserSession,
} from "./queries.ts";

/** Where a session is used from, as the list of sessions shows it. */
export type Device = { readonly agent: string; readonly address: string };

export type OpenedSession = { readonly session: UserSession; readonly secret: string };

type NewSession = { readonly userId: Id<"user">; readonly device: Device; readonly isComplete: boolean };

/** A session with a new secret, so that a secret planted in a browser before sign-in opens nothing. */
export async function openSession(
  ctx: Context,
  tx: Tx,
  { userId, device, isComplete }: NewSession,
): Promise<OpenedSession> {
  const now = ctx.now();
  const secret = randomText(32);
  const session: UserSession = {
    id: newId("userSession", now),
    userId,
    isComplete,
    agent: device.agent.slice(0, 200),
    address: device.address,
    createdAt: now,
    seenAt: now,
    authenticatedAt: now,
  };
  await insertSession(tx, session, hashSecret(secret));
  await noteSignIn(tx, userId, now);
  return { session, secret };
}

/**
 * Holds the user's row. A new password since the request was read, or an end of its session, refuses: what was checked then
 * no longer holds.
 */
export async function lockSignedIn(tx: Tx, { user, session }: SignedIn): Promise<DashboardUser> {
  const now = await lockUserIfThere(tx, user.id);
  if (now === undefined || now.passwordHash !== user.passwordHash || !(await lockSession(tx, session)))
    return refuse("dashboard_form_refused");
  return now;
}

/** Saves a write per request; a minute is precise enough for a quarter of an hour. */
const SEEN_EVERY = MINUTE;

/** The session of that secret, unless it is over or its user is disabled. A request that no user made does not keep it open. */
export async function findSession(
  ctx: Context,
  secret: string,
  byUser = true,
): Promise<SignedIn | undefined> {
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  const found = await findSessionRow(ctx.db, hashSecret(secret));
  if (found === undefined) return undefined;
  const { session, user } = found;
  const now = ctx.now();
  const ends = earliest(later(session.seenAt, idleLifeOf(user)), later(session.createdAt, SESSION_LIFE));
  if (now >= ends || user.disabledAt !== null) return undefined;
  if (byUser && now - session.seenAt >= SEEN_EVERY) await touchSession(ctx.db, session.id, now);
  return found;
}
