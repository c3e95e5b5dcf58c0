import { changeFees } from "../features/merchants/index.ts";
import type { Fees } from "../kernel/fees.ts";
import { SOURCES } from "../kernel/source.ts";
import type { Rate } from "../kernel/surcharge.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, choiceOf, type ParsedArguments, UsageProblem } from "./command.ts";

const HIGHEST_FIXED = 1_000_000;

export const FEE_COMMANDS: readonly Command[] = [
  {
    name: "merchant fees",
    about:
      "Show or set the fee that a merchant pays per captured payment; payouts deduct it. Percent and fixed 0: no fee.",
    positional: "merchantId",
    options: {
      source: {
        value: ["all", ...SOURCES].join("|"),
        about: "Which payments the fee applies to, by source.",
        default: "all",
      },
      percent: { value: "number", about: "Percent of the captured amount, at most 4 decimals." },
      fixed: { value: "cents", about: "Cents in addition to the percentage." },
    },
    examples: ["merchant fees mer_…", "merchant fees mer_… --source card --percent 1.4 --fixed 30"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, args.positionals[0] ?? "");
      const source = choiceOf(args, "source", ["all", ...SOURCES]);
      const rate = rateOf(args);
      if (rate === undefined && source !== "all")
        throw new UsageProblem("--source goes with --percent or --fixed");
      const fees =
        rate === undefined
          ? merchant.fees
          : await changeFees(ctx, merchant.id, source === "all" ? SOURCES : [source], rate);
      return { json: { merchantId: merchant.id, fees }, lines: linesOf(fees) };
    },
  },
];

/** One of the two omitted is 0; without both the command only shows the fees. */
function rateOf({ options: { percent, fixed } }: ParsedArguments): Rate | undefined {
  if (percent === undefined && fixed === undefined) return undefined;
  if (!/^\d{1,3}(\.\d{1,4})?$/.test(percent ?? "0") || Number(percent ?? 0) > 100) {
    throw new UsageProblem("--percent must be 0 to 100 with at most 4 decimals");
  }
  if (!/^\d{1,7}$/.test(fixed ?? "0") || Number(fixed ?? 0) > HIGHEST_FIXED) {
    throw new UsageProblem(`--fixed must be a whole number of cents from 0 to ${HIGHEST_FIXED}`);
  }
  return { percent: Number(percent ?? 0), fixed: Number(fixed ?? 0) };
}

function linesOf(fees: Fees): readonly string[] {
  const lines = SOURCES.flatMap((source) => {
    const rate = fees[source];
    return rate === undefined ? [] : [`${source.padEnd(12)}  ${rate.percent} % + ${rate.fixed} cents`];
  });
  return lines.length === 0 ? ["This merchant pays no fees."] : lines;
}
