import { newId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { record } from "../../../platform/audit/queries.ts";
import type { Context } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { insertUser } from "./queries.ts";
import type { DashboardUser } from "./user.ts";

type NewUser = Pick<DashboardUser, "merchantId" | "role" | "email" | "name" | "passwordHash">;

/** Creates a user without a second factor; refuses an e-mail address that is taken. */
export async function createUser(ctx: Context, tx: Tx, given: NewUser): Promise<DashboardUser> {
  const now = ctx.now();
  const user: DashboardUser = {
    id: newId("user", now),
    ...given,
    previousHashes: [],
    sealedTotp: null,
    totpConfirmed: false,
    totpStep: 0,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
  };
  if (!(await insertUser(tx, user))) refuse("dashboard_user_email_taken", "/email");
  const { merchantId, id: subjectId, role } = user;
  await record(tx, { act: "user_made", merchantId, subjectId, detail: role }, now);
  return user;
}
