import { toIso } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import type { OwnPage, PageAnswer, Refused, Visit } from "../shell/visit.ts";
import { makeLink } from "../sign-in/invitations/one-time-link.ts";
import { dropSecondFactor } from "../sign-in/second-factor/second-factor.ts";
import { listSessions } from "../sign-in/sessions/queries.ts";
import { changeUser } from "./change-user.ts";
import { getOther, merchantsFor, positionAsked, rolesFor, standingOf } from "./people.ts";
import { removeUser } from "./remove-user.ts";
import { disablingStep, factorStep, removalStep, userPage } from "./user-view.ts";
import { invitationShown } from "./view.ts";

const HOME = "/dashboard/users";
const pathOf = ({ params }: Visit) => `${HOME}/${params["userId"] ?? ""}`;
const done = (visit: Visit, words: string): PageAnswer => ({
  goTo: pathOf(visit),
  say: { tone: "good", words },
});

/** One user: another role, a new way in, locked out, taken away. */
export const userPages: readonly OwnPage[] = [
  { method: "GET", path: "/users/:userId", may: "manage", run: showUser },
  {
    method: "POST",
    path: "/users/:userId/role",
    may: "manage",
    audit: "role of a user changed",
    back: pathOf,
    again: showUser,
    run: async (ctx, visit) => {
      const before = await getOther(ctx, visit);
      const { name, role } = await changeUser(ctx, before.id, await positionAsked(ctx, visit));
      return done(visit, `${name} is ${role} from now on, also where they are signed in.`);
    },
  },
  {
    method: "POST",
    path: "/users/:userId/link",
    may: "manage",
    audit: "one-time link made",
    back: pathOf,
    run: async (ctx, visit) => {
      const user = await getOther(ctx, visit);
      const link = await ctx.db.transaction((tx) => makeLink(ctx, tx, user));
      return { title: "A one-time link", content: invitationShown(user.name, link, pathOf(visit)) };
    },
  },
  {
    method: "GET",
    path: "/users/:userId/second-factor",
    may: "manage",
    run: async (ctx, visit) => {
      const { name } = await getOther(ctx, visit);
      const content = factorStep({ path: pathOf(visit), formToken: visit.formToken, name, sessions: 0 });
      return { title: `Remove the second factor of ${name}?`, content };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/second-factor",
    may: "manage",
    audit: "second factor of a user removed",
    back: pathOf,
    run: async (ctx, visit) => {
      const { id, name } = await getOther(ctx, visit);
      await dropSecondFactor(ctx, id, "operator");
      return done(visit, `${name} can sign in without the second factor.`);
    },
  },
  {
    method: "GET",
    path: "/users/:userId/disable",
    may: "manage",
    run: async (ctx, visit) => {
      const step = await endingOf(ctx, visit);
      return { title: `Disable ${step.name}?`, content: disablingStep(step) };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/disable",
    may: "manage",
    audit: "user disabled",
    back: pathOf,
    run: async (ctx, visit) => {
      const { id, name } = await getOther(ctx, visit);
      await changeUser(ctx, id, { disabled: true });
      return done(visit, `${name} can't sign in any more.`);
    },
  },
  {
    method: "POST",
    path: "/users/:userId/enable",
    may: "manage",
    audit: "user enabled",
    back: pathOf,
    run: async (ctx, visit) => {
      const { id, name } = await getOther(ctx, visit);
      await changeUser(ctx, id, { disabled: false });
      return done(visit, `${name} can sign in again.`);
    },
  },
  {
    method: "GET",
    path: "/users/:userId/remove",
    may: "manage",
    run: async (ctx, visit) => {
      const step = await endingOf(ctx, visit);
      return { title: `Remove ${step.name}?`, content: removalStep(step) };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/remove",
    may: "manage",
    audit: "user removed",
    back: pathOf,
    run: async (ctx, visit) => {
      const { name } = await removeUser(ctx, (await getOther(ctx, visit)).id);
      return { goTo: HOME, say: { tone: "good", words: `${name} is removed.` } };
    },
  },
];

async function endingOf(ctx: Context, visit: Visit) {
  const { id, name } = await getOther(ctx, visit);
  const sessions = (await listSessions(ctx.db, id)).length;
  return { path: pathOf(visit), formToken: visit.formToken, name, sessions };
}

async function showUser(ctx: Context, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const user = await getOther(ctx, visit);
  const merchants = await merchantsFor(ctx, visit);
  const own = merchants.find(({ id }) => id === user.merchantId);
  const sessions = await listSessions(ctx.db, user.id);
  const [last] = sessions;
  const typed = refused === undefined ? undefined : visit.fields;
  const content = userPage({
    path: pathOf(visit),
    formToken: visit.formToken,
    user: {
      id: user.id,
      name: user.name,
      email: user.email,
      merchant: user.merchantId === null ? "every merchant" : (own?.name ?? user.merchantId),
      standing: standingOf(user),
      secondFactor: user.totpConfirmed,
      createdAt: toIso(user.createdAt),
    },
    sessions: { count: sessions.length, lastSeen: last === undefined ? undefined : toIso(last.seenAt) },
    role: typed?.["role"] ?? user.role,
    roles: rolesFor(visit),
    merchant: typed?.["merchant"] ?? user.merchantId ?? undefined,
    merchants: visit.may("operate") ? merchants.map(({ id, name }) => ({ id, name })) : [],
    problems: {
      role: refused === undefined ? undefined : (refused.byField["/role"] ?? roleless(refused)),
      merchant: refused?.byField["/merchant"],
    },
  });
  return { title: user.name, content };
}

function roleless({ byField, words }: Refused): string | undefined {
  return byField["/merchant"] === undefined ? words : undefined;
}
