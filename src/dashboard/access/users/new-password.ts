import { refuse, refuseAll } from "../../../kernel/refusal.ts";
import { hashPassword, isPassword } from "../../../platform/crypto/passwords.ts";
import { isCommonPassword } from "./common-password.ts";
import { type DashboardUser, passwordProblems, recentHashes } from "./user.ts";

type Owner = Pick<DashboardUser, "email" | "name" | "passwordHash" | "previousHashes">;

/** The hash of a password that a user may choose; refuses one that is too short, common, or one of the last four. */
export async function hashNewPassword(password: string, owner: Owner): Promise<string> {
  refuseAll(passwordProblems(password, owner));
  if (await isCommonPassword(password)) refuse("dashboard_user_password_common", "/password");
  for (const hash of recentHashes(owner)) {
    if (await isPassword(password, hash)) refuse("dashboard_user_password_reused", "/password");
  }
  return hashPassword(password);
}
