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
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, choiceOf, optionOf, UsageProblem } from "./command.ts";
import { firstRows } from "./first-rows.ts";

const AT_MOST = 1_000;
const SHORT_LIFE = "(works once, for 24 hours)";
const MERCHANT_ROLES = ROLES.filter((role) => role !== "operator");

export const USER_COMMANDS: readonly Command[] = [
  {
    name: "user create",
    about: "Create a dashboard user and print the one-time link to choose a password.",
    options: {
      email: { value: "address", about: "E-mail address, for the sign-in.", required: true },
      name: { value: "text", about: "The person's name.", default: "New user" },
      operator: { about: "The user sees every merchant." },
      merchant: { value: "id", about: "The one merchant that the user sees." },
      role: {
        value: "role",
        about: `One of ${MERCHANT_ROLES.join(", ")}; with --merchant.`,
        default: "admin",
        notWith: ["--operator"],
      },
    },
    examples: [
      "user create --email ops@gateway.example --operator",
      "user create --email mere@shop.example --merchant mer_… --role staff",
    ],
    run: async (ctx, args) => {
      const merchant = args.options["merchant"];
      if (args.flags.has("operator") === (merchant !== undefined))
        throw new UsageProblem("use either --operator or --merchant, and not both");
      const bound =
        merchant === undefined
          ? ({ role: "operator", merchantId: null } as const)
          : {
              role: choiceOf(args, "role", MERCHANT_ROLES),
              merchantId: (await getMerchant(ctx, merchant)).id,
            };
      const input = { email: optionOf(args, "email"), name: optionOf(args, "name"), ...bound };
      const { user, link } = await reportingRefusals(() => inviteUser(ctx, input));
      return {
        json: { userId: user.id, link },
        lines: [`User  ${user.id}`, `Link  ${link}   ${SHORT_LIFE}`],
      };
    },
  },
  {
    name: "user link",
    about: "Print a one-time link: with --email for that user's new password, otherwise for a new operator.",
    options: {
      email: { value: "address", about: "The user's e-mail address." },
      "forget-second-factor": {
        about: "Also remove the user's second factor, for example after a lost phone.",
      },
    },
    examples: ["user link", "user link --email mere@shop.example --forget-second-factor"],
    run: async (ctx, args) => {
      const email = args.options["email"];
      const user = email === undefined ? null : await getUser(ctx, email);
      if (args.flags.has("forget-second-factor")) {
        if (user === null) throw new UsageProblem("--forget-second-factor goes with --email");
        await removeSecondFactor(ctx, user);
      }
      const link = await ctx.db.transaction((tx) => createLink(ctx, tx, user));
      return { json: { link }, lines: [`${link}   ${SHORT_LIFE}`] };
    },
  },
  {
    name: "user list",
    reads: true,
    about: "List the dashboard users.",
    options: {},
    examples: ["user list", "user list --json"],
    run: async (ctx) => {
      const found = firstRows(await listUsers(ctx.db, null, AT_MOST + 1), AT_MOST);
      const users = found.rows.map((user) => ({
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
      return { json: { users, complete: found.isComplete }, lines, warnings: found.warnings };
    },
  },
  {
    name: "user disable",
    about: "Disable a user at once on every node. Their past actions stay.",
    positional: "email",
    options: {},
    examples: ["user disable mere@shop.example"],
    run: (ctx, args) => setDisabled(ctx, args.positionals[0] ?? "", true),
  },
  {
    name: "user enable",
    about: "Enable a disabled user.",
    positional: "email",
    options: {},
    examples: ["user enable mere@shop.example"],
    run: (ctx, args) => setDisabled(ctx, args.positionals[0] ?? "", false),
  },
  {
    name: "user role",
    about: "Change a user's role, at once and in open sessions, too.",
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
    run: async (ctx, args) => {
      const { role, merchant } = args.options;
      if (args.flags.has("operator") === (role !== undefined))
        throw new UsageProblem("use either --operator or --role");
      if (merchant !== undefined && role === undefined) throw new UsageProblem("--merchant goes with --role");
      const before = await getUser(ctx, args.positionals[0] ?? "");
      const change =
        role === undefined
          ? ({ role: "operator" } as const)
          : {
              role: choiceOf(args, "role", MERCHANT_ROLES),
              ...(merchant === undefined ? {} : { merchantId: (await getMerchant(ctx, merchant)).id }),
            };
      const user = await reportingRefusals(() => changeUser(ctx, before, change));
      const { id, merchantId } = user;
      return {
        json: { userId: id, role: user.role, merchantId },
        lines: [`User  ${id}  is ${user.role}${merchantId === null ? "" : ` of ${merchantId}`}.`],
      };
    },
  },
  {
    name: "user remove",
    about:
      "Remove a user permanently, with sessions, links and second factor. Their past actions stay on record.",
    positional: "email",
    options: {},
    examples: ["user remove mere@shop.example"],
    run: async (ctx, args) => {
      const user = await getUser(ctx, args.positionals[0] ?? "");
      const { id } = await reportingRefusals(() => removeUser(ctx, user));
      return { json: { userId: id, status: "removed" }, lines: [`User  ${id}  is removed.`] };
    },
  },
];

async function setDisabled(ctx: Context, email: string, isDisabled: boolean) {
  const before = await getUser(ctx, email);
  const user = await reportingRefusals(() => changeUser(ctx, before, { disabled: isDisabled }));
  const status = isDisabled ? "disabled" : "enabled";
  return { json: { userId: user.id, status }, lines: [`User  ${user.id}  is ${status}.`] };
}

async function getUser(ctx: Context, email: string): Promise<DashboardUser> {
  const user = await findUserByEmail(ctx.db, email.trim().toLowerCase());
  if (user === undefined)
    throw new CommandProblem("there is no user with that e-mail address; `user list` lists all");
  return user;
}

async function reportingRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const messages = error.problems.map(
      ({ code, field }) => `${field === undefined ? "" : `${field.slice(1)}: `}${CATALOGUE[code].meaning}`,
    );
    throw new CommandProblem(messages.join(" "));
  }
}
