import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Instant } from "../../kernel/time.ts";
import { at, sql, type Tx } from "../../platform/db/database.ts";
import type { DashboardUser } from "./dashboard-user.ts";
import type { UserSession } from "./session.ts";

const USER = `u.id, u.merchant_id as "merchantId", u.role, u.email, u.name, u.password_hash as "passwordHash",
  u.sealed_totp as "sealedTotp", u.totp_confirmed as "totpConfirmed", u.totp_step as "totpStep",
  u.disabled_at as "disabledAt", u.created_at as "createdAt", u.updated_at as "updatedAt"`;
const SESSION = `s.id as "sessionId", s.complete, s.agent, s.address, s.created_at as "begunAt", s.seen_at as "seenAt"`;

const INSERT_USER = sql(
  "user_insert",
  `insert into dashboard_users (id, merchant_id, role, email, name, password_hash, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict (email) do nothing returning id`,
);
const FIND_USER = sql("user_find", `select ${USER} from dashboard_users u where u.id = $1`);
const LOCK_USER = sql("user_lock", `select ${USER} from dashboard_users u where u.id = $1 for update`);
const FIND_BY_EMAIL = sql("user_find_by_email", `select ${USER} from dashboard_users u where u.email = $1`);
const LIST_USERS = sql(
  "user_list",
  `select ${USER} from dashboard_users u
   where $1::text is null or u.merchant_id = $1 order by u.merchant_id nulls first, u.id limit 1000`,
);
const UPDATE_USER = sql(
  "user_update",
  `update dashboard_users set role = $2, merchant_id = $3, name = $4, password_hash = $5, sealed_totp = $6,
     totp_confirmed = $7, totp_step = $8, disabled_at = $9, updated_at = $10
   where id = $1`,
);
const DELETE_USER = sql("user_delete", "delete from dashboard_users where id = $1");
const LOCK_OPERATORS = sql(
  "user_lock_operators",
  "select pg_advisory_xact_lock(hashtextextended('operators of the dashboard', 0))",
);
const OTHER_KEYHOLDER = sql(
  "user_other_keyholder",
  `select from dashboard_users
   where id <> $1 and role = 'operator' and disabled_at is null and password_hash is not null limit 1`,
);
const USE_STEP = sql(
  "user_use_totp_step",
  "update dashboard_users set totp_step = $2 where id = $1 and totp_step < $2 returning id",
);

const INSERT_SESSION = sql(
  "user_session_insert",
  `insert into dashboard_sessions (id, user_id, hash, complete, agent, address, created_at, seen_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
);
const FIND_SESSION = sql(
  "user_session_find",
  `select ${USER}, ${SESSION} from dashboard_sessions s join dashboard_users u on u.id = s.user_id where s.hash = $1`,
);
const TOUCH_SESSION = sql(
  "user_session_touch",
  "update dashboard_sessions set seen_at = greatest(seen_at, $2) where id = $1",
);
const LIST_SESSIONS = sql(
  "user_session_list",
  `select s.id, s.user_id as "userId", s.complete, s.agent, s.address, s.created_at as "createdAt",
     s.seen_at as "seenAt"
   from dashboard_sessions s where s.user_id = $1 and s.complete order by s.seen_at desc limit 100`,
);
const DELETE_SESSION = sql(
  "user_session_delete",
  "delete from dashboard_sessions where user_id = $1 and id = $2 returning id",
);
const DELETE_SESSIONS = sql(
  "user_session_delete_all",
  "delete from dashboard_sessions where user_id = $1 and id is distinct from $2",
);

const INSERT_LINK = sql(
  "user_link_insert",
  "insert into dashboard_links (hash, user_id, expires_at) values ($1, $2, $3)",
);
const FIND_LINK = sql(
  "user_link_find",
  `select user_id as "userId" from dashboard_links where hash = $1 and expires_at > $2`,
);
const TAKE_LINK = sql(
  "user_link_take",
  `delete from dashboard_links where hash = $1 and expires_at > $2 returning user_id as "userId"`,
);
const DELETE_LINKS = sql(
  "user_link_delete",
  "delete from dashboard_links where user_id is not distinct from $1",
);

const DELETE_RECOVERY = sql(
  "user_recovery_delete",
  "delete from dashboard_recovery_codes where user_id = $1",
);
const INSERT_RECOVERY = sql(
  "user_recovery_insert",
  `insert into dashboard_recovery_codes (user_id, hash)
   select $1, decode(hash, 'hex') from unnest($2::text[]) as t (hash)`,
);
const USE_RECOVERY = sql(
  "user_recovery_use",
  "delete from dashboard_recovery_codes where user_id = $1 and hash = $2 returning user_id",
);
const COUNT_RECOVERY = sql(
  "user_recovery_count",
  "select count(*) as count from dashboard_recovery_codes where user_id = $1",
);

/** False when the address is taken. */
export async function insertUser(tx: Tx, user: DashboardUser): Promise<boolean> {
  const { id, merchantId, role, email, name, passwordHash, createdAt } = user;
  const made = await tx.rows(INSERT_USER, [id, merchantId, role, email, name, passwordHash, at(createdAt)]);
  return made.length === 1;
}

export async function findUser(tx: Tx, id: Id<"user">): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(FIND_USER, [id]))[0];
}

/** Refuses where the user was removed meanwhile. */
export async function lockUser(tx: Tx, id: Id<"user">): Promise<DashboardUser> {
  return (await lockUserIfThere(tx, id)) ?? refuse("V11010");
}

export async function lockUserIfThere(tx: Tx, id: Id<"user">): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(LOCK_USER, [id]))[0];
}

/** Whoever changes who is an operator does it alone: two who demote each other at once would leave none. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.rows(LOCK_OPERATORS, []);
}

export async function hasOtherKeyholder(tx: Tx, id: Id<"user">): Promise<boolean> {
  return (await tx.rows(OTHER_KEYHOLDER, [id])).length === 1;
}

/** After everything that hangs on the user. */
export async function deleteUser(tx: Tx, id: Id<"user">): Promise<void> {
  await tx.rows(DELETE_USER, [id]);
}

export async function findUserByEmail(tx: Tx, email: string): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(FIND_BY_EMAIL, [email]))[0];
}

/** Of one merchant, or all with null. */
export async function listUsers(
  tx: Tx,
  merchantId: Id<"merchant"> | null,
): Promise<readonly DashboardUser[]> {
  return tx.rows<DashboardUser>(LIST_USERS, [merchantId]);
}

export async function updateUser(tx: Tx, user: DashboardUser): Promise<void> {
  const { id, role, merchantId, name, passwordHash, sealedTotp, totpConfirmed, totpStep } = user;
  const { disabledAt, updatedAt } = user;
  await tx.rows(UPDATE_USER, [
    id,
    role,
    merchantId,
    name,
    passwordHash,
    sealedTotp,
    totpConfirmed,
    totpStep,
    disabledAt === null ? null : at(disabledAt),
    at(updatedAt),
  ]);
}

/** False when a code of this step, or of a later one, was taken before. */
export async function useTotpStep(tx: Tx, id: Id<"user">, step: number): Promise<boolean> {
  return (await tx.rows(USE_STEP, [id, step])).length === 1;
}

export async function insertSession(tx: Tx, session: UserSession, hash: Uint8Array): Promise<void> {
  const { id, userId, complete, agent, address, createdAt } = session;
  await tx.rows(INSERT_SESSION, [id, userId, hash, complete, agent, address, at(createdAt)]);
}

type SessionRow = DashboardUser & {
  readonly sessionId: Id<"userSession">;
  readonly complete: boolean;
  readonly agent: string;
  readonly address: string;
  readonly begunAt: Instant;
  readonly seenAt: Instant;
};

export async function findSessionRow(
  tx: Tx,
  hash: Uint8Array,
): Promise<{ readonly user: DashboardUser; readonly session: UserSession } | undefined> {
  const [row] = await tx.rows<SessionRow>(FIND_SESSION, [hash]);
  if (row === undefined) return undefined;
  const { sessionId: id, complete, agent, address, begunAt: createdAt, seenAt, ...user } = row;
  return { user, session: { id, userId: user.id, complete, agent, address, createdAt, seenAt } };
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

export async function insertLink(
  tx: Tx,
  hash: Uint8Array,
  userId: Id<"user"> | null,
  expiresAt: Instant,
): Promise<void> {
  await tx.rows(INSERT_LINK, [hash, userId, at(expiresAt)]);
}

export type LinkRow = { readonly userId: Id<"user"> | null };

export async function findLink(tx: Tx, hash: Uint8Array, now: Instant): Promise<LinkRow | undefined> {
  return (await tx.rows<LinkRow>(FIND_LINK, [hash, at(now)]))[0];
}

/** Uses it up: of two at once one gets it. */
export async function takeLink(tx: Tx, hash: Uint8Array, now: Instant): Promise<LinkRow | undefined> {
  return (await tx.rows<LinkRow>(TAKE_LINK, [hash, at(now)]))[0];
}

/** Of a user; with null those that make an operator. */
export async function deleteLinks(tx: Tx, userId: Id<"user"> | null): Promise<void> {
  await tx.rows(DELETE_LINKS, [userId]);
}

/** New codes take the place of all before. */
export async function putRecoveryCodes(
  tx: Tx,
  userId: Id<"user">,
  hashes: readonly Uint8Array[],
): Promise<void> {
  await tx.rows(DELETE_RECOVERY, [userId]);
  await tx.rows(INSERT_RECOVERY, [userId, hashes.map((hash) => Buffer.from(hash).toString("hex"))]);
}

/** False when there is no such code left. */
export async function useRecoveryCode(tx: Tx, userId: Id<"user">, hash: Uint8Array): Promise<boolean> {
  return (await tx.rows(USE_RECOVERY, [userId, hash])).length === 1;
}

export async function countRecoveryCodes(tx: Tx, userId: Id<"user">): Promise<number> {
  return (await tx.rows<{ readonly count: number }>(COUNT_RECOVERY, [userId]))[0]?.count ?? 0;
}
