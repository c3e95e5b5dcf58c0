import { changeFees } from "../features/merchants/index.ts";
import type { Fees } from "../kernel/fees.ts";
import { SOURCES } from "../kernel/source.ts";
import type { Rate } from "../kernel/surcharge.ts";
import { type Command, choiceOf, type Given, UsageProblem } from "./command.ts";
import { getMerchant } from "./look-up.ts";

const HIGHEST_FIXED = 1_000_000;

export const FEE_COMMANDS: readonly Command[] = [
  {
    words: "merchant fees",
    about:
      "Show or set the fee that a merchant pays per captured payment; it is taken off payouts. Percent and fixed 0: no fee.",
    positional: "merchantId",
    options: {
      source: {
        value: ["all", ...SOURCES].join("|"),
        about: "Which payments it is for, by how they were paid.",
        standard: "all",
      },
      percent: { value: "number", about: "Percent of what was captured, at most 4 decimals." },
      fixed: { value: "cents", about: "Cents on top of the percentage." },
    },
    examples: ["merchant fees mer_…", "merchant fees mer_… --source card --percent 1.4 --fixed 30"],
    run: async (ctx, given) => {
      const merchant = await getMerchant(ctx, given.positionals[0] ?? "");
      const source = choiceOf(given, "source", ["all", ...SOURCES]);
      const rate = rateOf(given);
      const fees =
        rate === undefined
          ? merchant.fees
          : await changeFees(ctx, merchant.id, source === "all" ? SOURCES : [source], rate);
      return { json: { merchantId: merchant.id, fees }, lines: linesOf(fees) };
    },
  },
];

/** What is left out beside the other is 0; neither: the fees are only shown. */
function rateOf({ options: { percent, fixed } }: Given): Rate | undefined {
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
  return lines.length === 0 ? ["No fees are taken."] : lines;
}
