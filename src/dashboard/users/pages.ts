import type { Context } from "../../platform/context.ts";
import { createLink } from "../access/invitations/link.ts";
import { removeSecondFactor } from "../access/second-factor/second-factor.ts";
import { listSessions } from "../access/sessions/queries.ts";
import { listUsers } from "../access/users/queries.ts";
import { confirmedOwnPages } from "../shell/confirmed-pages.ts";
import { zoneOfUser } from "../shell/own-zone.ts";
import { type OwnPage, ownPage, type PageAnswer, type Refused, redirect, type Visit } from "../shell/page.ts";
import { getOther, merchantsFor, readPosition, rolesFor } from "./assignable-roles.ts";
import { changeUser } from "./change-user.ts";
import { inviteUser } from "./invite-user.ts";
import { removeUser } from "./remove-user.ts";
import { disablingOf, factorRemovalOf, removalOf, userPath, userView } from "./user-view.ts";
import { linkView, SHOWN_AT_MOST, USERS, usersView } from "./view.ts";

/** Users of the dashboard: an operator sees all, an administrator those of the merchant. */
export const userPages: readonly OwnPage[] = [
  ownPage({ method: "GET", path: "/users", right: "manage", run: (ctx, visit) => showUsers(ctx, visit) }),
  ownPage({
    method: "POST",
    path: "/users/invite",
    right: "manage",
    needsProof: true,
    audit: "user invited",
    onRefused: showUsers,
    run: async (ctx, visit) => {
      const { email = "", name = "" } = visit.fields;
      const position = await readPosition(ctx, visit);
      const { user, link } = await inviteUser(ctx, { email, name, ...position });
      return { title: "An invitation", content: linkView(user.name, link, USERS) };
    },
  }),
  ownPage({ method: "GET", path: "/users/{userId}", right: "manage", run: showUser }),
  ownPage({
    method: "POST",
    path: "/users/{userId}/role",
    right: "manage",
    needsProof: true,
    audit: "role of a user changed",
    backTo: userPath,
    onRefused: showUser,
    run: async (ctx, visit) => {
      const before = await getOther(ctx, visit);
      const { name, role } = await changeUser(ctx, before, await readPosition(ctx, visit));
      return redirect(userPath(visit), `${name} is ${role} from now on, also where they are signed in.`);
    },
  }),
  ownPage({
    method: "POST",
    path: "/users/{userId}/link",
    right: "manage",
    needsProof: true,
    audit: "one-time link made",
    backTo: userPath,
    run: async (ctx, visit) => {
      const user = await getOther(ctx, visit);
      const link = await ctx.db.transaction((tx) => createLink(ctx, tx, user));
      return { title: "A one-time link", content: linkView(user.name, link, userPath(visit)) };
    },
  }),
  ...confirmedOwnPages({
    path: "/users/{userId}/second-factor",
    right: "manage",
    needsProof: true,
    audit: "second factor of a user removed",
    backTo: userPath,
    confirm: async (ctx, visit) => factorRemovalOf(await getOther(ctx, visit)),
    run: async (ctx, visit) => {
      const user = await getOther(ctx, visit);
      await removeSecondFactor(ctx, user);
      return redirect(userPath(visit), `${user.name} can sign in without the second factor.`);
    },
  }),
  ...confirmedOwnPages({
    path: "/users/{userId}/disable",
    right: "manage",
    needsProof: true,
    audit: "user disabled",
    backTo: userPath,
    confirm: async (ctx, visit) => {
      const user = await getOther(ctx, visit);
      return disablingOf(user, await listSessions(ctx.db, user.id));
    },
    run: async (ctx, visit) => {
      const { name } = await changeUser(ctx, await getOther(ctx, visit), { disabled: true });
      return redirect(userPath(visit), `${name} can't sign in any more.`);
    },
  }),
  ownPage({
    method: "POST",
    path: "/users/{userId}/enable",
    right: "manage",
    needsProof: true,
    audit: "user enabled",
    backTo: userPath,
    run: async (ctx, visit) => {
      const { name } = await changeUser(ctx, await getOther(ctx, visit), { disabled: false });
      return redirect(userPath(visit), `${name} can sign in again.`);
    },
  }),
  ...confirmedOwnPages({
    path: "/users/{userId}/remove",
    right: "manage",
    needsProof: true,
    audit: "user removed",
    backTo: userPath,
    confirm: async (ctx, visit) => {
      const user = await getOther(ctx, visit);
      return removalOf(user, await listSessions(ctx.db, user.id));
    },
    run: async (ctx, visit) => {
      const { name } = await removeUser(ctx, await getOther(ctx, visit));
      return redirect(USERS, `${name} is removed.`);
    },
  }),
];

async function showUsers(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const merchants = await merchantsFor(ctx, visit);
  const users = await listUsers(ctx.db, visit.user.merchantId, SHOWN_AT_MOST + 1);
  const content = usersView(visit, { users, merchants, roles: rolesFor(visit), refused });
  return { title: "Users", content };
}

async function showUser(ctx: Context, visit: Visit<"{userId}">, refused?: Refused): Promise<PageAnswer> {
  const user = await getOther(ctx, visit);
  const merchants = await merchantsFor(ctx, visit);
  const sessions = await listSessions(ctx.db, user.id);
  const zone = await zoneOfUser(ctx, visit.user);
  const content = userView(visit, user, { sessions, zone, merchants, roles: rolesFor(visit), refused });
  return { title: user.name, content };
}
