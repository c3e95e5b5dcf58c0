import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { OwnPage, PageAnswer, Refused, Visit } from "../shell/visit.ts";
import { inviteUser } from "./invite-user.ts";
import { merchantsFor, positionAsked, rolesFor, standingOf } from "./people.ts";
import { listUsers } from "./queries.ts";
import { invitationShown, userList } from "./view.ts";

const HOME = "/dashboard/users";

/** Users of the dashboard: all of them for an operator, those of their merchant for its administrators. */
export const userListPages: readonly OwnPage[] = [
  { method: "GET", path: "/users", may: "manage", run: (ctx, visit) => showUsers(ctx, visit) },
  {
    method: "POST",
    path: "/users/invite",
    may: "manage",
    audit: "user invited",
    again: showUsers,
    run: async (ctx, visit) => {
      const { email = "", name = "" } = visit.fields;
      const position = await positionAsked(ctx, visit);
      const { user, link } = await inviteUser(ctx, { email, name, ...position });
      return { title: "An invitation", content: invitationShown(user.name, link, HOME) };
    },
  },
];

async function showUsers(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { formToken, fields, user: self } = visit;
  const merchants = await merchantsFor(ctx, visit);
  const nameOf = new Map<string, string>(merchants.map(({ id, name }) => [id, name]));
  const users = (await listUsers(ctx.db, self.merchantId)).map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    merchant: user.merchantId === null ? "every merchant" : (nameOf.get(user.merchantId) ?? user.merchantId),
    standing: standingOf(user),
    secondFactor: user.totpConfirmed,
    createdAt: toIso(user.createdAt),
    self: user.id === self.id,
  }));
  const content = userList({
    formToken,
    users,
    roles: rolesFor(visit),
    merchants: self.merchantId === null ? merchants.map(({ id, name }) => ({ id, name })) : [],
    typed: refused === undefined ? {} : fields,
    problems: {
      email: refused?.byField["/email"],
      name: refused?.byField["/name"],
      role: refused?.byField["/role"],
      merchant: refused?.byField["/merchant"],
    },
  });
  return { title: "Users", content };
}
