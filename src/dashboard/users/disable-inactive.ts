import { Refusal } from "../../kernel/refusal.ts";
import { later } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { listInactive } from "../access/users/queries.ts";
import { INACTIVE_LIFE } from "../access/users/user.ts";
import { changeUser } from "./change-user.ts";

const AT_ONCE = 100;

/** Disables users who have not signed in for 90 days. The last operator stays: without one the dashboard is closed. */
export async function disableInactive(ctx: Context): Promise<void> {
  for (const user of await listInactive(ctx.db, later(ctx.now(), -INACTIVE_LIFE), AT_ONCE)) {
    try {
      await changeUser(ctx, user, { disabled: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
