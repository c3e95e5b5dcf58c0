import { liveProblem } from "../app/live-secrets.ts";
import {
  accountChangeProblems,
  changeAccountAsOperator,
  createMerchant,
  listMerchants,
} from "../features/merchants/index.ts";
import { CATALOGUE } from "../kernel/codes/catalogue.ts";
import { toIso } from "../kernel/time.ts";
import { type Command, CommandProblem, choiceOf, optionOf, UsageProblem } from "./command.ts";
import { getMerchant } from "./look-up.ts";

export const MERCHANT_COMMANDS: readonly Command[] = [
  {
    words: "merchant create",
    about: "Make a merchant and its first API key, which has every scope. The key is shown this once.",
    options: {
      name: { value: "text", about: "Name of the merchant account, 1 to 140 characters.", required: true },
      mode: { value: "sandbox|live", about: "Whether money is real.", standard: "sandbox" },
      country: { value: "AU|NZ", about: "Country of the account.", standard: "AU" },
    },
    examples: [
      'merchant create --name "Harbour Books"',
      'merchant create --name "Harbour Books" --mode live --json',
    ],
    run: async (ctx, given) => {
      const input = {
        name: nameOf(optionOf(given, "name")),
        mode: choiceOf(given, "mode", ["sandbox", "live"]),
        country: choiceOf(given, "country", ["AU", "NZ"]),
      };
      const { merchant, apiKey } = await ctx.db.transaction((tx) => createMerchant(ctx, tx, input));
      const problem = input.mode === "live" ? await liveProblem(ctx) : undefined;
      const warning = `once it may take payments, the gateway will not start: ${problem}`;
      return {
        json: { merchantId: merchant.id, apiKey },
        lines: [`Merchant  ${merchant.id}`, `API key   ${apiKey}   (shown this once)`],
        warnings: problem === undefined ? [] : [warning],
      };
    },
  },
  {
    words: "merchant list",
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
    words: "merchant change",
    about: "Change a merchant account, a live one too. Takes what PUT /management/account takes.",
    positional: "merchantId",
    options: {
      set: {
        value: "json",
        about: `For example '{"capabilities":{"cardNotPresent":true}}'.`,
        required: true,
      },
    },
    examples: [`merchant change mer_… --set '{"capabilities":{"cardNotPresent":true}}'`],
    run: async (ctx, given) => {
      const merchant = await getMerchant(ctx, given.positionals[0] ?? "");
      const change = parseJson(optionOf(given, "set"));
      const problems = accountChangeProblems(change, merchant);
      if (problems.length > 0) {
        const said = problems.map(({ code, field }) => `${field || "/"}: ${CATALOGUE[code].meaning}`);
        throw new CommandProblem(`--set is refused: ${said.join(" ")}`);
      }
      const account = await changeAccountAsOperator(ctx, merchant.id, change as object);
      return { json: account, lines: [`Merchant  ${merchant.id}  is changed.`] };
    },
  },
];

function nameOf(text: string): string {
  const length = Array.from(text).length;
  if (length < 1 || length > 140 || /[\p{Cc}\p{Cs}]/u.test(text)) {
    throw new UsageProblem("--name must be 1 to 140 characters without control characters");
  }
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageProblem("--set is not valid JSON");
  }
}
