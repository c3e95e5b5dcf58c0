import { readFile } from "node:fs/promises";
import {
  type AcquirerAccount,
  addAccount,
  changeSettings,
  findAccount,
  lacksThreeDSecure,
  listAccounts,
  orderAccounts,
  setAccountStatus,
  testAccount,
} from "../features/acquirer-accounts/index.ts";
import { CARD_TYPES } from "../kernel/card-type.ts";
import { type Id, parseId } from "../kernel/ids.ts";
import { describeJsonProblem, readJson } from "../kernel/json.ts";
import { CURRENCIES } from "../kernel/money.ts";
import type { Context } from "../platform/context.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, optionOf, type ParsedArguments, UsageProblem } from "./command.ts";

const MERCHANT = {
  value: "id",
  about: "The merchant's id; `merchant list` lists all.",
  required: true,
} as const;

const SETTINGS = {
  value: "file",
  about: "JSON of the connector's settings; see docs/guides/going-live.md.",
  required: true,
} as const;

const NO_ACCOUNT = "there is no acquirer account with that id; `acquirer list --merchant …` lists all";

const NO_THREE_D_SECURE =
  "no active account of this merchant offers 3D Secure: payment requests with `3d_secure` are refused (V11186)";

export const ACQUIRER_COMMANDS: readonly Command[] = [
  {
    name: "acquirer add",
    about: "Connect a merchant to an acquirer. Its card payments go there from then on.",
    options: {
      merchant: MERCHANT,
      connector: {
        value: "name",
        about: "The acquirer's protocol, such as iso8583 or adyen.",
        required: true,
      },
      settings: SETTINGS,
      currency: { value: "code", about: "A currency that the account takes; all by default.", many: true },
      "card-type": { value: "type", about: "A card type that it takes; all by default.", many: true },
    },
    examples: [
      "acquirer add --merchant mer_… --connector iso8583 --settings bank.json",
      "acquirer add --merchant mer_… --connector adyen --settings adyen.json --currency AUD --card-type visa --card-type mastercard --json",
    ],
    run: async (ctx, args) => {
      const currencies = choicesOf(args, "currency", CURRENCIES);
      const cardTypes = choicesOf(args, "card-type", CARD_TYPES);
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const settings = await readSettings(optionOf(args, "settings"));
      const connector = optionOf(args, "connector");
      const added = await addAccount(ctx, merchant, { connector, settings, currencies, cardTypes });
      if ("problems" in added) throw new CommandProblem(added.problems.join("\n"));
      await ctx.cacheInvalidation.spread();
      return {
        json: { acquirerAccountId: added.id },
        lines: [
          `Account  ${added.id}  is active.`,
          `\`tidegate acquirer test ${added.id}\` reaches the host without a payment.`,
        ],
      };
    },
  },
  {
    name: "acquirer change",
    about:
      "Replace the settings of an account, active or disabled, for example after a key was exposed. Captures and refunds of its earlier payments use them, too.",
    positional: "accountId",
    options: { settings: SETTINGS },
    examples: ["acquirer change acq_… --settings adyen.json"],
    run: async (ctx, args) => {
      const id = accountIdOf(args.positionals[0] ?? "");
      const settings = await readSettings(optionOf(args, "settings"));
      const account = changedOf(await changeSettings(ctx, id, settings));
      await ctx.cacheInvalidation.spread();
      return {
        json: shown(account),
        lines: [
          `Account  ${account.id}  has new settings and is ${account.status}.`,
          `\`tidegate acquirer test ${account.id}\` reaches the host without a payment.`,
        ],
      };
    },
  },
  {
    name: "acquirer list",
    reads: true,
    about: "List a merchant's acquirer accounts, in the order in which payments use them.",
    options: { merchant: MERCHANT },
    examples: ["acquirer list --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const accounts = await listAccounts(ctx.db, merchant.id);
      const lines = accounts.map(
        ({ id, connector, currencies, cardTypes, status }) =>
          `${id}  ${connector}  ${currencies.join(",") || "every currency"}  ${cardTypes.join(",") || "every card"}  ${status}`,
      );
      return {
        json: { acquirerAccounts: accounts.map(shown) },
        lines: lines.length === 0 ? ["This merchant has no acquirer account."] : lines,
        warnings: lacksThreeDSecure(ctx, merchant, accounts) ? [NO_THREE_D_SECURE] : [],
      };
    },
  },
  {
    name: "acquirer test",
    reads: true,
    about: "Connect to an account's host and sign on, without a payment. Exit code 1 if that fails.",
    positional: "accountId",
    options: {},
    examples: ["acquirer test acq_…", "acquirer test acq_… --json"],
    run: async (ctx, args) => {
      const account = await getAccount(ctx, args.positionals[0]);
      const { hasPassed, milliseconds, detail } = await testAccount(ctx, account);
      const merchant = await getMerchant(ctx, account.merchantId);
      const accounts = await listAccounts(ctx.db, merchant.id);
      return {
        warnings: lacksThreeDSecure(ctx, merchant, accounts) ? [NO_THREE_D_SECURE] : [],
        json: { ok: hasPassed, milliseconds, detail },
        lines: [`${hasPassed ? "Connected" : "NOT CONNECTED"} after ${milliseconds} ms. ${detail}`],
        failed: !hasPassed,
      };
    },
  },
  {
    name: "acquirer order",
    about:
      "Set the order in which payments use a merchant's accounts. Accounts that are not named come last.",
    positional: "accountId",
    positionalMany: true,
    options: { merchant: MERCHANT },
    examples: ["acquirer order --merchant mer_… acq_… acq_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const ids = args.positionals.map(accountIdOf);
      if (new Set(ids).size < ids.length) throw new UsageProblem("an account is named twice");
      if (!(await orderAccounts(ctx, merchant, ids))) {
        throw new CommandProblem("one of the accounts is not this merchant's; `acquirer list` lists all");
      }
      await ctx.cacheInvalidation.spread();
      const accounts = await listAccounts(ctx.db, merchant.id);
      return {
        json: { acquirerAccounts: accounts.map(shown) },
        lines: accounts.map(({ id }, place) => `${place + 1}.  ${id}`),
      };
    },
  },
  ...(["disable", "enable"] as const).map(
    (verb): Command => ({
      name: `acquirer ${verb}`,
      about:
        verb === "disable"
          ? "Send no new payments to an account. Captures and refunds of earlier ones still go there."
          : "Send payments to an account again.",
      positional: "accountId",
      options: {},
      examples: [`acquirer ${verb} acq_…`],
      run: async (ctx, args) => {
        const id = accountIdOf(args.positionals[0] ?? "");
        const account = changedOf(await setAccountStatus(ctx, id, verb));
        await ctx.cacheInvalidation.spread();
        return { json: shown(account), lines: [`Account  ${account.id}  is ${account.status}.`] };
      },
    }),
  ),
];

/** What is printed of an account. Its settings are never printed. */
function shown({ id, connector, currencies, cardTypes, status }: AcquirerAccount) {
  return { acquirerAccountId: id, connector, currencies, cardTypes, status };
}

function changedOf(changed: Awaited<ReturnType<typeof setAccountStatus>>): AcquirerAccount {
  if (changed === undefined) throw new CommandProblem(NO_ACCOUNT);
  if ("problems" in changed) throw new CommandProblem(changed.problems.join("\n"));
  return changed;
}

function accountIdOf(text: string): Id<"acquirerAccount"> {
  const id = parseId("acquirerAccount", text);
  if (id === undefined) throw new CommandProblem(NO_ACCOUNT);
  return id;
}

export async function getAccount(ctx: Context, text = ""): Promise<AcquirerAccount> {
  const account = await findAccount(ctx.db, accountIdOf(text));
  if (account === undefined) throw new CommandProblem(NO_ACCOUNT);
  return account;
}

function choicesOf<Value extends string>(
  args: ParsedArguments,
  name: string,
  among: readonly Value[],
): readonly Value[] {
  return [...new Set(args.lists[name] ?? [])].map((typed) => {
    const choice = among.find((one) => one === typed);
    if (choice === undefined) throw new UsageProblem(`--${name} must be one of: ${among.join(", ")}`);
    return choice;
  });
}

async function readSettings(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch(() => {
    throw new CommandProblem(`${path} can't be read`);
  });
  const { value, problem } = readJson(text.replace(/^\uFEFF/, ""));
  if (problem !== undefined) throw new CommandProblem(`${path} ${describeJsonProblem(problem)}`);
  return value;
}
