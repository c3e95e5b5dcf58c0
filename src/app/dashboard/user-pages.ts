import { invitationShown, userList } from "../../../browser/dashboard/user-list.ts";
import {
  changeUser,
  type DashboardUser,
  dropSecondFactor,
  findUser,
  inviteUser,
  listUsers,
  makeLink,
  ROLES,
  type Role,
} from "../../features/dashboard-users/index.ts";
import { listMerchants } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { toIso } from "../../kernel/time.ts";
import type { World } from "../../platform/world.ts";
import type { OwnPage, PageAnswer, Refused, Visit } from "./visit.ts";

const HOME = "/dashboard/users";

/** Users of the dashboard: all of them for an operator, those of their merchant for its administrators. */
export const userPages: readonly OwnPage[] = [
  { method: "GET", path: "/users", may: "manage", run: (world, visit) => showUsers(world, visit) },
  {
    method: "POST",
    path: "/users/invite",
    may: "manage",
    audit: "user invited",
    again: showUsers,
    run: async (world, visit) => {
      const { email = "", name = "", role = "", merchant = "" } = visit.fields;
      const known = rolesFor(visit).find((one) => one === role) ?? refuse("V13003", "/role");
      const chosen = visit.user.merchantId ?? parseId("merchant", merchant) ?? null;
      const merchantId = known === "operator" ? null : (chosen ?? refuse("V13003", "/merchant"));
      if (merchantId !== null && !(await merchantsOf(world, visit)).some(({ id }) => id === merchantId))
        refuse("V13003", "/merchant");
      const { user, link } = await inviteUser(world, { email, name, role: known, merchantId });
      return { title: "An invitation", content: invitationShown(user.name, link, HOME) };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/link",
    may: "manage",
    audit: "one-time link made",
    back: () => HOME,
    run: async (world, visit) => {
      const user = await getOther(world, visit);
      const link = await world.db.transaction((tx) => makeLink(world, tx, user));
      return { title: "A one-time link", content: invitationShown(user.name, link, HOME) };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/disable",
    may: "manage",
    audit: "user disabled",
    back: () => HOME,
    run: async (world, visit) => {
      const user = await getOther(world, visit);
      await changeUser(world, user.id, { disabled: true });
      return { goTo: HOME, say: { tone: "good", words: `${user.name} can't sign in any more.` } };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/enable",
    may: "manage",
    audit: "user enabled",
    back: () => HOME,
    run: async (world, visit) => {
      const user = await getOther(world, visit);
      await changeUser(world, user.id, { disabled: false });
      return { goTo: HOME, say: { tone: "good", words: `${user.name} can sign in again.` } };
    },
  },
  {
    method: "POST",
    path: "/users/:userId/second-factor",
    may: "manage",
    audit: "second factor of a user removed",
    back: () => HOME,
    run: async (world, visit) => {
      const user = await getOther(world, visit);
      await dropSecondFactor(world, user.id, "operator");
      return {
        goTo: HOME,
        say: { tone: "info", words: `${user.name} can sign in without the second factor.` },
      };
    },
  },
];

/** Nobody locks themselves out here, and nobody reaches above themselves. */
async function getOther(world: World, visit: Visit): Promise<DashboardUser> {
  const id = parseId("user", visit.params["userId"] ?? "") ?? refuse("V11010");
  const user = (await findUser(world.db, id)) ?? refuse("V11010");
  if (!visit.may("operate") && user.merchantId !== visit.user.merchantId) refuse("V11010");
  return user.id === visit.user.id ? refuse("V13021") : user;
}

function rolesFor(visit: Visit): readonly Role[] {
  return visit.may("operate") ? ROLES : ROLES.filter((role) => role !== "operator");
}

async function merchantsOf(world: World, visit: Visit) {
  const { merchantId } = visit.user;
  return (await listMerchants(world.db)).filter(({ id }) => merchantId === null || id === merchantId);
}

async function showUsers(world: World, visit: Visit, refused?: Refused): Promise<PageAnswer> {
  const { formToken, fields, user: self } = visit;
  const merchants = await merchantsOf(world, visit);
  const nameOf = new Map<string, string>(merchants.map(({ id, name }) => [id, name]));
  const users = (await listUsers(world.db, self.merchantId)).map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    role: user.role,
    merchant: user.merchantId === null ? "every merchant" : (nameOf.get(user.merchantId) ?? user.merchantId),
    standing: user.disabledAt !== null ? "disabled" : user.passwordHash === null ? "invited" : "active",
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
