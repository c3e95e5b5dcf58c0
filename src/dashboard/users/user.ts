import type { Id } from "../../kernel/ids.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { HOUR, type Instant, MINUTE } from "../../kernel/time.ts";

/** An operator sees every merchant. The others belong to one: they manage it, act for it, or only look. */
export const ROLES = ["operator", "admin", "staff", "viewer"] as const;
export type Role = (typeof ROLES)[number];

export type DashboardUser = {
  readonly id: Id<"user">;
  /** Null for an operator, who belongs to none. */
  readonly merchantId: Id<"merchant"> | null;
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly sealedTotp: string | null;
  /** The second factor guards once a code of it was given. */
  readonly totpConfirmed: boolean;
  readonly totpStep: number;
  readonly disabledAt: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** What a page or an action asks for: to look, to move money, to change the account and its keys, to run the gateway. */
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

/** Another merchant's pages are as good as absent. */
export function maySee(
  user: Pick<DashboardUser, "role" | "merchantId">,
  merchantId: Id<"merchant">,
): boolean {
  return user.role === "operator" || user.merchantId === merchantId;
}

/** An operator who can sign in. Without one nobody could let anybody else in by the dashboard. */
export function isKeyholder({
  role,
  disabledAt,
  passwordHash,
}: Pick<DashboardUser, "role" | "disabledAt" | "passwordHash">): boolean {
  return role === "operator" && disabledAt === null && passwordHash !== null;
}

/** A new password. A second factor that was not confirmed is begun anew: whoever knew the old password may have seen it. */
export function withPassword(user: DashboardUser, passwordHash: string): DashboardUser {
  return { ...user, passwordHash, sealedTotp: user.totpConfirmed ? user.sealedTotp : null };
}

/** A session ends when nobody used it for half an hour, and after twelve hours in any case. */
export const IDLE_LIFE = 30 * MINUTE;
export const SESSION_LIFE = 12 * HOUR;
export const LINK_LIFE = 24 * HOUR;

export function emailOf(typed: string): string {
  return typed.trim().toLowerCase();
}

const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 256;

/** Length is what makes a password hard to guess; rules about signs and digits only make it hard to remember. */
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
  return wrong ? [{ code: "dashboard_user_name_invalid", field: "/name" }] : [];
}

const EMAIL = /^[^\s\p{Cc}@<>"',;:()[\]\\]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/u;

export function emailProblems(email: string): readonly Problem[] {
  const wrong = email.length > 254 || !EMAIL.test(email);
  return wrong ? [{ code: "dashboard_user_email_invalid", field: "/email" }] : [];
}

/** How long the next try has to wait after so many failures in a row: not at all, then twice as long each time. */
export function delayAfter(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(15 * MINUTE, (MINUTE / 2) * 2 ** Math.min(failures - free, 10));
}
