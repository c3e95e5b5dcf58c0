import type { Id } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import type { Instant } from "../../../kernel/time.ts";
import { at, sql, type Tx } from "../../../platform/db/database.ts";
import type { DashboardUser } from "./user.ts";

/** Columns of the table alias `u`. */
export const USER_COLUMNS = `u.id, u.merchant_id as "merchantId", u.role, u.email, u.name, u.password_hash as "passwordHash",
  u.previous_hashes as "previousHashes",
  u.sealed_totp as "sealedTotp", u.totp_confirmed as "totpConfirmed", u.totp_step as "totpStep",
  u.disabled_at as "disabledAt", u.created_at as "createdAt", u.updated_at as "updatedAt"`;
const INSERT_USER = sql(
  "user_insert",
  `insert into dashboard_users (id, merchant_id, role, email, name, password_hash, created_at, updated_at, last_signed_in_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7, $7) on conflict (email) do nothing returning id`,
);
const FIND_USER = sql("user_find", `select ${USER_COLUMNS} from dashboard_users u where u.id = $1`);
const LOCK_USER = sql(
  "user_lock",
  `select ${USER_COLUMNS} from dashboard_users u where u.id = $1 for update`,
);
const FIND_BY_EMAIL = sql(
  "user_find_by_email",
  `select ${USER_COLUMNS} from dashboard_users u where u.email = $1`,
);
const LIST_USERS = sql(
  "user_list",
  `select ${USER_COLUMNS} from dashboard_users u
   where $1::text is null or u.merchant_id = $1 order by u.merchant_id nulls first, u.id limit $2`,
);
const UPDATE_USER = sql(
  "user_update",
  `update dashboard_users set role = $2, merchant_id = $3, name = $4, password_hash = $5, sealed_totp = $6,
     totp_confirmed = $7, totp_step = $8, disabled_at = $9, updated_at = $10, previous_hashes = $11
   where id = $1`,
);
const NOTE_SIGN_IN = sql(
  "user_note_sign_in",
  "update dashboard_users set last_signed_in_at = $2 where id = $1",
);
const LIST_INACTIVE = sql(
  "user_list_inactive",
  `select id, merchant_id as "merchantId" from dashboard_users
   where disabled_at is null and last_signed_in_at < $1 order by last_signed_in_at limit $2`,
);
const DELETE_USER = sql("user_delete", "delete from dashboard_users where id = $1");
const LOCK_OPERATORS = sql(
  "user_lock_operators",
  "select pg_advisory_xact_lock(hashtextextended('operators of the dashboard', 0))",
);
const OTHER_OPERATOR = sql(
  "user_other_keyholder",
  `select from dashboard_users
   where id <> $1 and role = 'operator' and disabled_at is null and password_hash is not null limit 1`,
);

/** False when the e-mail address is taken. */
export async function insertUser(tx: Tx, user: DashboardUser): Promise<boolean> {
  const { id, merchantId, role, email, name, passwordHash, createdAt } = user;
  const made = await tx.rows(INSERT_USER, [id, merchantId, role, email, name, passwordHash, at(createdAt)]);
  return made.length === 1;
}

export async function findUser(tx: Tx, id: Id<"user">): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(FIND_USER, [id]))[0];
}

/** A user as a page or a command read it, before the row is locked. */
export type SeenUser = Pick<DashboardUser, "id" | "merchantId">;

/** Refuses when the user was removed meanwhile. */
export async function lockUser(tx: Tx, id: Id<"user">): Promise<DashboardUser> {
  return (await lockUserIfThere(tx, id)) ?? refuse("resource_not_found");
}

/** Refuses also when the user has come to another merchant, or has become an operator. */
export async function lockSeenUser(tx: Tx, { id, merchantId }: SeenUser): Promise<DashboardUser> {
  const user = await lockUser(tx, id);
  return user.merchantId === merchantId ? user : refuse("dashboard_user_moved");
}

export async function lockUserIfThere(tx: Tx, id: Id<"user">): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(LOCK_USER, [id]))[0];
}

/** Changes of operators run one after another: two operators who demote each other would leave none. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx.rows(LOCK_OPERATORS, []);
}

export async function hasOtherActiveOperator(tx: Tx, id: Id<"user">): Promise<boolean> {
  return (await tx.rows(OTHER_OPERATOR, [id])).length === 1;
}

/** After the rows that reference the user. */
export async function deleteUser(tx: Tx, id: Id<"user">): Promise<void> {
  await tx.rows(DELETE_USER, [id]);
}

export async function findUserByEmail(tx: Tx, email: string): Promise<DashboardUser | undefined> {
  return (await tx.rows<DashboardUser>(FIND_BY_EMAIL, [email]))[0];
}

/** The first users of one merchant; with null of all. */
export async function listUsers(
  tx: Tx,
  merchantId: Id<"merchant"> | null,
  atMost: number,
): Promise<readonly DashboardUser[]> {
  return tx.rows<DashboardUser>(LIST_USERS, [merchantId, atMost]);
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
    user.previousHashes,
  ]);
}

export async function noteSignIn(tx: Tx, id: Id<"user">, now: Instant): Promise<void> {
  await tx.rows(NOTE_SIGN_IN, [id, at(now)]);
}

/** Users who can sign in and have not done so since. */
export async function listInactive(tx: Tx, since: Instant, atMost: number): Promise<readonly SeenUser[]> {
  return tx.rows<SeenUser>(LIST_INACTIVE, [at(since), atMost]);
}
