import { lineOf, liveProblems, nextStartProblems } from "../app/live-checks.ts";
import {
  accountChangeProblems,
  changeAccountAsOperator,
  createMerchant,
  listMerchants,
} from "../features/merchants/index.ts";
import { isBlank } from "../kernel/blank-text.ts";
import { CATALOGUE } from "../kernel/codes/catalogue.ts";
import { MERCHANT_COUNTRIES } from "../kernel/country.ts";
import { readJson } from "../kernel/json.ts";
import { MODES } from "../kernel/mode.ts";
import { toIso } from "../kernel/time.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, choiceOf, optionOf, UsageProblem } from "./command.ts";

export const MERCHANT_COMMANDS: readonly Command[] = [
  {
    name: "merchant create",
    about: "Create a merchant and its first API key, which has every scope. The key is shown only once.",
    options: {
      name: { value: "text", about: "Name of the merchant account, 1 to 140 characters.", required: true },
      mode: { value: MODES.join("|"), about: "Whether money is real.", default: "sandbox" },
      country: { value: MERCHANT_COUNTRIES.join("|"), about: "Country of the account.", default: "AU" },
    },
    examples: [
      'merchant create --name "Harbour Books"',
      'merchant create --name "Harbour Books" --mode live --json',
    ],
    run: async (ctx, args) => {
      const input = {
        name: nameOf(optionOf(args, "name")),
        mode: choiceOf(args, "mode", MODES),
        country: choiceOf(args, "country", MERCHANT_COUNTRIES),
      };
      // Before the merchant: a failure must not lose the key, which is shown only once.
      const problems = input.mode === "live" ? await liveProblems(ctx.settings) : [];
      const { merchant, apiKey } = await ctx.db.transaction((tx) => createMerchant(ctx, tx, input));
      const warning = `with its first capability the gateway will not start any more: ${lineOf(problems)}`;
      return {
        json: { merchantId: merchant.id, apiKey },
        lines: [`Merchant  ${merchant.id}`, `API key   ${apiKey}   (shown only once)`],
        warnings: problems.length === 0 ? [] : [warning],
      };
    },
  },
  {
    name: "merchant list",
    reads: true,
    about: "List all merchants.",
    options: {},
    examples: ["merchant list"],
    run: async (ctx) => {
      const merchants = (await listMerchants(ctx.db)).map(({ id, name, mode, country, createdAt }) => ({
        merchantId: id,
        name,
        mode,
        country,
        createdDateTime: toIso(createdAt),
      }));
      const lines = merchants.map(
        (one) => `${one.merchantId}  ${one.mode.padEnd(7)}  ${one.country}  ${one.name}`,
      );
      return { json: { merchants }, lines };
    },
  },
  {
    name: "merchant change",
    about: "Change a merchant account, sandbox or live. Accepts the body of PUT /management/account.",
    positional: "merchantId",
    options: {
      set: {
        value: "json",
        about: `For example '{"capabilities":{"cardNotPresent":true}}'.`,
        required: true,
      },
    },
    examples: [`merchant change mer_… --set '{"capabilities":{"cardNotPresent":true}}'`],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, args.positionals[0] ?? "");
      const change = parseJson(optionOf(args, "set"));
      const problems = accountChangeProblems(change, merchant);
      if (problems.length > 0) {
        const messages = problems.map(({ code, field }) => `${field || "/"}: ${CATALOGUE[code].meaning}`);
        throw new CommandProblem(`--set is refused: ${messages.join(" ")}`);
      }
      const account = await changeAccountAsOperator(ctx, merchant.id, change as object);
      const unfit = merchant.mode === "live" ? await nextStartProblems(ctx) : [];
      return {
        json: account,
        lines: [`Merchant  ${merchant.id}  is changed.`],
        warnings: unfit.length === 0 ? [] : [`the next start will be refused: ${lineOf(unfit)}`],
      };
    },
  },
];

function nameOf(text: string): string {
  const length = Array.from(text).length;
  if (isBlank(text) || length > 140 || /[\p{Cc}\p{Cs}]/u.test(text)) {
    throw new UsageProblem("--name must be 1 to 140 characters, not all blank, without control characters");
  }
  return text;
}

function parseJson(text: string): unknown {
  const read = readJson(text);
  if (read.problem === undefined) return read.value;
  throw new UsageProblem("--set is not valid JSON, or repeats a field");
}
