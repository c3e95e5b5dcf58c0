import type { Id } from "../../../kernel/ids.ts";
import { newId } from "../../../kernel/ids.ts";
import { earliest, type Instant, later, MINUTE } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { hashSecret, randomText } from "../../../platform/crypto/secrets.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { type DashboardUser, IDLE_LIFE, SESSION_LIFE } from "../../users/user.ts";
import { findSessionRow, insertSession, touchSession } from "./queries.ts";

export type UserSession = {
  readonly id: Id<"userSession">;
  readonly userId: Id<"user">;
  /** False until the second factor was given: such a session opens nothing but the page that asks for it. */
  readonly complete: boolean;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: Instant;
  readonly seenAt: Instant;
};

/** Where a session is used from, as its owner will read it in the list of sessions. */
export type Device = { readonly agent: string; readonly address: string };

export type OpenedSession = { readonly session: UserSession; readonly secret: string };

/** A new session with a secret of its own: what an earlier cookie held is worth nothing here. */
export async function openSession(
  ctx: Context,
  tx: Tx,
  userId: Id<"user">,
  device: Device,
  complete: boolean,
): Promise<OpenedSession> {
  const now = ctx.now();
  const secret = randomText(32);
  const session: UserSession = {
    id: newId("userSession", now),
    userId,
    complete,
    agent: device.agent.slice(0, 200),
    address: device.address,
    createdAt: now,
    seenAt: now,
  };
  await insertSession(tx, session, hashSecret(secret));
  return { session, secret };
}

/** Writing down every look would cost a write each; to the minute is enough for half an hour. */
const SEEN_EVERY = MINUTE;

/** Whoever holds the secret, unless the session is over or the user was disabled. */
export async function findSession(
  ctx: Context,
  secret: string,
): Promise<{ readonly user: DashboardUser; readonly session: UserSession } | undefined> {
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  const found = await findSessionRow(ctx.db, hashSecret(secret));
  if (found === undefined) return undefined;
  const { session, user } = found;
  const now = ctx.now();
  const ends = earliest(later(session.seenAt, IDLE_LIFE), later(session.createdAt, SESSION_LIFE));
  if (now >= ends || user.disabledAt !== null) return undefined;
  if (now - session.seenAt >= SEEN_EVERY) await touchSession(ctx.db, session.id, now);
  return { session, user };
}
