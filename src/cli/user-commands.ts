import {
  changeUser,
  createLink,
  type DashboardUser,
  findUserByEmail,
  inviteUser,
  listUsers,
  ROLES,
  removeSecondFactor,
  removeUser,
  statusOf,
} from "../dashboard/index.ts";
import { CATALOGUE } from "../kernel/codes/catalogue.ts";
import { Refusal } from "../kernel/refusal.ts";
import { toIso } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { type Command, CommandProblem, choiceOf, optionOf, UsageProblem } from "./command.ts";
import { getMerchant } from "./look-up.ts";

const SHORT_LIFE = "(works once, for 24 hours)";
const MERCHANT_ROLES = ROLES.filter((role) => role !== "operator");

export const USER_COMMANDS: readonly Command[] = [
  {
    words: "user create",
    about: "Make a user of the dashboard and print the one-time link with which they choose a password.",
    options: {
      email: { value: "address", about: "E-mail address; the name to sign in with.", required: true },
      name: { value: "text", about: "The person's name.", standard: "New user" },
      operator: { about: "The user sees every merchant." },
      merchant: { value: "id", about: "The one merchant that the user sees." },
      role: {
        value: "role",
        about: `One of ${MERCHANT_ROLES.join(", ")}; with --merchant.`,
        standard: "admin",
      },
    },
    examples: [
      "user create --email ops@gateway.example --operator",
      "user create --email mere@shop.example --merchant mer_… --role staff",
    ],
    run: async (ctx, given) => {
      const merchant = given.options["merchant"];
      if (given.flags.has("operator") === (merchant !== undefined))
        throw new UsageProblem("give either --operator or --merchant, and not both");
      const bound =
        merchant === undefined
          ? ({ role: "operator", merchantId: null } as const)
          : {
              role: choiceOf(given, "role", MERCHANT_ROLES),
              merchantId: (await getMerchant(ctx, merchant)).id,
            };
      const input = { email: optionOf(given, "email"), name: optionOf(given, "name"), ...bound };
      const { user, link } = await inWords(() => inviteUser(ctx, input));
      return {
        json: { userId: user.id, link },
        lines: [`User  ${user.id}`, `Link  ${link}   ${SHORT_LIFE}`],
      };
    },
  },
  {
    words: "user link",
    about: "Print a one-time link: with --email for that user's new password, without for a new operator.",
    options: {
      email: { value: "address", about: "Whose link it is." },
      "forget-second-factor": { about: "Take the user's second factor away, too: for a lost phone." },
    },
    examples: ["user link", "user link --email mere@shop.example --forget-second-factor"],
    run: async (ctx, given) => {
      const email = given.options["email"];
      const user = email === undefined ? null : await getUser(ctx, email);
      if (given.flags.has("forget-second-factor")) {
        if (user === null) throw new UsageProblem("--forget-second-factor goes with --email");
        await removeSecondFactor(ctx, user.id, "operator");
      }
      const link = await ctx.db.transaction((tx) => createLink(ctx, tx, user));
      return { json: { link }, lines: [`${link}   ${SHORT_LIFE}`] };
    },
  },
  {
    words: "user list",
    about: "List the users of the dashboard.",
    options: {},
    examples: ["user list", "user list --json"],
    run: async (ctx) => {
      const users = (await listUsers(ctx.db, null)).map((user) => ({
        userId: user.id,
        email: user.email,
        name: user.name,
        role: user.role,
        merchantId: user.merchantId,
        secondFactor: user.totpConfirmed,
        status: statusOf(user),
        createdDateTime: toIso(user.createdAt),
      }));
      const lines = users.map((user) =>
        `${user.userId}  ${user.role.padEnd(8)}  ${user.status.padEnd(8)}  ${user.email}  ${user.merchantId ?? ""}`.trimEnd(),
      );
      return { json: { users }, lines };
    },
  },
  {
    words: "user disable",
    about: "Lock a user out, at once and on every node. Nothing that they did is undone.",
    positional: "email",
    options: {},
    examples: ["user disable mere@shop.example"],
    run: (ctx, given) => setDisabled(ctx, given.positionals[0] ?? "", true),
  },
  {
    words: "user enable",
    about: "Let a disabled user sign in again.",
    positional: "email",
    options: {},
    examples: ["user enable mere@shop.example"],
    run: (ctx, given) => setDisabled(ctx, given.positionals[0] ?? "", false),
  },
  {
    words: "user role",
    about: "Give a user another role, at once and also where they are signed in.",
    positional: "email",
    options: {
      operator: { about: "The user sees every merchant." },
      role: { value: "role", about: `One of ${MERCHANT_ROLES.join(", ")}.` },
      merchant: { value: "id", about: "With --role: the one merchant that the user sees from now on." },
    },
    examples: [
      "user role mere@shop.example --role viewer",
      "user role mere@shop.example --operator",
      "user role ops@gateway.example --role admin --merchant mer_…",
    ],
    run: async (ctx, given) => {
      const { role, merchant } = given.options;
      if (given.flags.has("operator") === (role !== undefined))
        throw new UsageProblem("give either --operator or --role");
      if (merchant !== undefined && role === undefined) throw new UsageProblem("--merchant goes with --role");
      const { id } = await getUser(ctx, given.positionals[0] ?? "");
      const change =
        role === undefined
          ? ({ role: "operator" } as const)
          : {
              role: choiceOf(given, "role", MERCHANT_ROLES),
              ...(merchant === undefined ? {} : { merchantId: (await getMerchant(ctx, merchant)).id }),
            };
      const user = await inWords(() => changeUser(ctx, id, change));
      const { merchantId } = user;
      return {
        json: { userId: id, role: user.role, merchantId },
        lines: [`User  ${id}  is ${user.role}${merchantId === null ? "" : ` of ${merchantId}`}.`],
      };
    },
  },
  {
    words: "user remove",
    about:
      "Take a user away for good, with sessions, links and second factor. What they did stays on record.",
    positional: "email",
    options: {},
    examples: ["user remove mere@shop.example"],
    run: async (ctx, given) => {
      const { id } = await getUser(ctx, given.positionals[0] ?? "");
      await inWords(() => removeUser(ctx, id));
      return { json: { userId: id, status: "removed" }, lines: [`User  ${id}  is removed.`] };
    },
  },
];

async function setDisabled(ctx: Context, email: string, disabled: boolean) {
  const { id } = await getUser(ctx, email);
  const user = await inWords(() => changeUser(ctx, id, { disabled }));
  const status = disabled ? "disabled" : "enabled";
  return { json: { userId: user.id, status }, lines: [`User  ${user.id}  is ${status}.`] };
}

async function getUser(ctx: Context, email: string): Promise<DashboardUser> {
  const user = await findUserByEmail(ctx.db, email.trim().toLowerCase());
  if (user === undefined)
    throw new CommandProblem("there is no user with that e-mail address; `user list` shows all");
  return user;
}

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const said = error.problems.map(
      ({ code, field }) => `${field?.slice(1) ?? ""}: ${CATALOGUE[code].meaning}`,
    );
    throw new CommandProblem(said.join(" "));
  }
}
