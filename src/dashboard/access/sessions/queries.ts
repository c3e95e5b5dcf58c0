import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import { USER_COLUMNS } from "../users/queries.ts";
import type { DashboardUser } from "../users/user.ts";

export type UserSession = {
  readonly id: Id<"userSession">;
  readonly userId: Id<"user">;
  /** False until the second factor was given: such a session opens only the page for its code. */
  readonly isComplete: boolean;
  readonly agent: string;
  readonly address: string;
  readonly createdAt: Instant;
  readonly seenAt: Instant;
  /** When the user last gave password and second factor. */
  readonly authenticatedAt: Instant;
};

/** A session and its user. */
export type SignedIn = { readonly user: DashboardUser; readonly session: UserSession };

const SESSION = `s.id as "sessionId", s.complete as "isComplete", s.agent, s.address, s.created_at as "begunAt", s.seen_at as "seenAt",
  coalesce(s.authenticated_at, s.created_at) as "authenticatedAt"`;

const INSERT_SESSION = sql(
  "user_session_insert",
  `insert into dashboard_sessions (id, user_id, hash, complete, agent, address, created_at, seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
);
const FIND_SESSION = sql(
  "user_session_find",
  `select ${USER_COLUMNS}, ${SESSION} from dashboard_sessions s join dashboard_users u on u.id = s.user_id where s.hash = $1`,
);
const LOCK_SESSION = sql(
  "user_session_lock",
  "select id from dashboard_sessions where user_id = $1 and id = $2 for update",
);
const TOUCH_SESSION = sql(
  "user_session_touch",
  "update dashboard_sessions set seen_at = greatest(seen_at, $2) where id = $1",
);
const NOTE_PROOF = sql(
  "user_session_note_proof",
  "update dashboard_sessions set authenticated_at = $2 where id = $1",
);
const LIST_SESSIONS = sql(
  "user_session_list",
  `select s.id, s.user_id as "userId", s.complete as "isComplete", s.agent, s.address, s.created_at as "createdAt",
     s.seen_at as "seenAt", coalesce(s.authenticated_at, s.created_at) as "authenticatedAt"
   from dashboard_sessions s where s.user_id = $1 and s.complete order by s.seen_at desc limit 100`,
);
const DELETE_SESSION = sql(
  "user_session_delete",
  "delete from dashboard_sessions where user_id = $1 and id = $2 returning id",
);
const DELETE_OLD = sql(
  "user_session_delete_old",
  "delete from dashboard_sessions where seen_at < $1 or created_at < $2",
);
const DELETE_SESSIONS = sql(
  "user_session_delete_all",
  "delete from dashboard_sessions where user_id = $1 and id is distinct from $2",
);

export async function insertSession(tx: Tx, session: UserSession, hash: Uint8Array): Promise<void> {
  const { id, userId, isComplete, agent, address, createdAt } = session;
  await tx.rows(INSERT_SESSION, [id, userId, hash, isComplete, agent, address, at(createdAt)]);
}

type SessionRow = DashboardUser & {
  readonly sessionId: Id<"userSession">;
  readonly isComplete: boolean;
  readonly agent: string;
  readonly address: string;
  readonly begunAt: Instant;
  readonly seenAt: Instant;
  readonly authenticatedAt: Instant;
};

export async function findSessionRow(tx: Tx, hash: Uint8Array): Promise<SignedIn | undefined> {
  const [row] = await tx.rows<SessionRow>(FIND_SESSION, [hash]);
  if (row === undefined) return undefined;
  const { sessionId: id, isComplete, agent, address, begunAt: createdAt, seenAt, ...rest } = row;
  const { authenticatedAt, ...user } = rest;
  const times = { createdAt, seenAt, authenticatedAt };
  return { user, session: { id, userId: user.id, isComplete, agent, address, ...times } };
}

/** False when the session has ended; otherwise it can't end before this transaction does. */
export async function lockSession(tx: Tx, { id, userId }: UserSession): Promise<boolean> {
  return (await tx.rows(LOCK_SESSION, [userId, id])).length === 1;
}

export async function noteProof(tx: Tx, id: Id<"userSession">, now: Instant): Promise<void> {
  await tx.rows(NOTE_PROOF, [id, at(now)]);
}

export async function touchSession(tx: Tx, id: Id<"userSession">, now: Instant): Promise<void> {
  await tx.rows(TOUCH_SESSION, [id, at(now)]);
}

export async function listSessions(tx: Tx, userId: Id<"user">): Promise<readonly UserSession[]> {
  return tx.rows<UserSession>(LIST_SESSIONS, [userId]);
}

export async function deleteSession(tx: Tx, userId: Id<"user">, id: Id<"userSession">): Promise<boolean> {
  return (await tx.rows(DELETE_SESSION, [userId, id])).length === 1;
}

export async function deleteSessions(
  tx: Tx,
  userId: Id<"user">,
  except: Id<"userSession"> | null,
): Promise<void> {
  await tx.rows(DELETE_SESSIONS, [userId, except]);
}

export async function deleteOldSessions(tx: Tx, seenBefore: Instant, createdBefore: Instant): Promise<void> {
  await tx.rows(DELETE_OLD, [at(seenBefore), at(createdBefore)]);
}
