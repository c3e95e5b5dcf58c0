import type { Id } from "../../../kernel/ids.ts";
import type { Problem } from "../../../kernel/refusal.ts";
import { DAY, HOUR, type Instant, MINUTE } from "../../../kernel/time.ts";
import { holdsCardNumber } from "../../../platform/cards/card-number-in-text.ts";

/** An operator sees every merchant. The other roles belong to one merchant: they manage it, act for it, or view it. */
export const ROLES = ["operator", "admin", "staff", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export type DashboardUser = {
  readonly id: Id<"user">;
  /** Null for an operator. */
  readonly merchantId: Id<"merchant"> | null;
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  /** The hashes of earlier passwords, newest first. */
  readonly previousHashes: readonly string[];
  readonly sealedTotp: string | null;
  /** The second factor is on once a first code of it was entered. */
  readonly totpConfirmed: boolean;
  readonly totpStep: number;
  readonly disabledAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** What a page requires: to view, to move money, to change the account and its keys, to run the gateway. */
export type Right = "read" | "act" | "manage" | "operate";

const RIGHTS: { readonly [role in Role]: readonly Right[] } = {
  operator: ["read", "act", "manage", "operate"],
  admin: ["read", "act", "manage"],
  staff: ["read", "act"],
  viewer: ["read"],
};

export function mayDo({ role }: Pick<DashboardUser, "role">, right: Right): boolean {
  return RIGHTS[role].includes(right);
}

/** Another merchant's pages are 404s. */
export function maySee(
  user: Pick<DashboardUser, "role" | "merchantId">,
  merchantId: Id<"merchant">,
): boolean {
  return user.role === "operator" || user.merchantId === merchantId;
}

/** An operator who can sign in; without one the dashboard could invite no user. */
export function isActiveOperator({
  role,
  disabledAt,
  passwordHash,
}: Pick<DashboardUser, "role" | "disabledAt" | "passwordHash">): boolean {
  return role === "operator" && disabledAt === null && passwordHash !== null;
}

/** Drops a second factor that is not confirmed: an attacker with the old password may have seen its secret. */
export function withPassword(user: DashboardUser, passwordHash: string): DashboardUser {
  const previousHashes = recentHashes(user).slice(0, REMEMBERED_PASSWORDS - 1);
  return { ...user, passwordHash, previousHashes, sealedTotp: user.totpConfirmed ? user.sealedTotp : null };
}

/** The current password and those before it can't be chosen again. */
const REMEMBERED_PASSWORDS = 4;

/** The hashes of the current and the remembered passwords. */
export function recentHashes({
  passwordHash,
  previousHashes,
}: Pick<DashboardUser, "passwordHash" | "previousHashes">): readonly string[] {
  return [...(passwordHash === null ? [] : [passwordHash]), ...previousHashes].slice(0, REMEMBERED_PASSWORDS);
}

/** A session ends after half an hour without use, and after twelve hours in any case. */
export const IDLE_LIFE = 30 * MINUTE;
/** Users who can change keys, users and accounts have less. */
const MANAGER_IDLE_LIFE = 15 * MINUTE;

export function idleLifeOf(user: Pick<DashboardUser, "role">): number {
  return mayDo(user, "manage") ? MANAGER_IDLE_LIFE : IDLE_LIFE;
}

/** How long a proof of identity is good for changes of keys, users and webhook credentials. */
export const PROOF_LIFE = 10 * MINUTE;
/** A user who has not signed in for this long is disabled. */
export const INACTIVE_LIFE = 90 * DAY;
export const SESSION_LIFE = 12 * HOUR;
export const LINK_LIFE = 24 * HOUR;

export function emailOf(typed: string): string {
  return typed.trim().toLowerCase();
}

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 256;

/** Length makes a password hard to guess; rules about characters only make it hard to remember. */
export function passwordProblems(
  password: string,
  { email, name }: { readonly email: string; readonly name: string },
): readonly Problem[] {
  const length = Array.from(password).length;
  const plain = password.trim().toLowerCase();
  const own = [email, email.split("@")[0] ?? "", name].map((text) => text.trim().toLowerCase());
  const wrong = length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD || own.includes(plain);
  return wrong ? [{ code: "dashboard_user_password_invalid", field: "/password" }] : [];
}

export function nameProblems(name: string): readonly Problem[] {
  const length = Array.from(name.trim()).length;
  const wrong = length < 1 || length > 100 || /[\p{Cc}\p{Cs}]/u.test(name);
  if (wrong) return [{ code: "dashboard_user_name_invalid", field: "/name" }];
  return holdsCardNumber(name) ? [{ code: "text_card_number_refused", field: "/name" }] : [];
}

const EMAIL = /^[^\s\p{Cc}@<>"',;:()[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/u;

export function emailProblems(email: string): readonly Problem[] {
  const wrong = email.length > 254 || !EMAIL.test(email);
  if (wrong) return [{ code: "dashboard_user_email_invalid", field: "/email" }];
  return holdsCardNumber(email) ? [{ code: "text_card_number_refused", field: "/email" }] : [];
}

export function statusOf({ disabledAt, passwordHash }: DashboardUser): "disabled" | "invited" | "active" {
  return disabledAt !== null ? "disabled" : passwordHash === null ? "invited" : "active";
}
