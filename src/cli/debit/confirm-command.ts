import {
  type Acknowledged,
  type Confirmed,
  type ConfirmProblem,
  confirmAcknowledged,
  confirmFile,
  type FileRejected,
  listMissing,
  type MissingTaken,
} from "../../features/direct-debits/index.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { type CalendarDay, parseDate } from "../../kernel/time.ts";
import type { Context } from "../../platform/context.ts";
import { getMerchant } from "../choose-merchant.ts";
import { type Command, optionOf, type ParsedArguments } from "../command.ts";
import { fail, LIVE_MERCHANT, LIVE_ONLY, misuse, readText, reportingFileProblems } from "./bank-file.ts";

const FILE_DAY = "the file's day, or the next banking day";

const PROBLEMS: Readonly<Record<ConfirmProblem, string>> = {
  no_such_file: "this merchant has no file with that batch id; `debit batches` shows all",
  not_written: "no file of this batch was written yet; `debit export --batch` writes it",
  empty: "no debit of this batch is left, so there is nothing to confirm",
  confirmed_before: "this batch was confirmed before",
  not_a_banking_day: "--day is a weekend or a holiday of banks",
  before_the_file: "--day is before the day on which the batch was made",
  missing_undecided:
    "the accounts of some debits were deleted, and --missing does not say what became of these",
  not_missing: "--missing names a debit that is not pending in this batch, or whose account was not deleted",
};

export const DEBIT_CONFIRM: Command = {
  name: "debit confirm",
  about:
    "Record that the bank took a file, or read its acknowledgement. Until then its debits stay pending; the clearing days count from then.",
  positional: "batchId",
  positionalOptional: true,
  options: {
    merchant: LIVE_MERCHANT,
    file: {
      value: "file",
      about: "The bank's acknowledgement, instead of the batch's id; debits that it rejects are declined.",
    },
    day: {
      value: "yyyy-MM-dd",
      about: "The banking day on which the bank processes the file.",
      default: FILE_DAY,
    },
    missing: {
      value: "taken|not-taken|ids",
      about:
        "Needed once accounts of the batch were deleted: whether the file that the bank took has their debits, or, with commas, the ids of those that it does not have. These are declined.",
    },
  },
  examples: [
    "debit confirm bat_… --merchant mer_…",
    "debit confirm bat_… --merchant mer_… --day 2026-03-09",
    "debit confirm bat_… --merchant mer_… --missing not-taken",
    "debit confirm --file acknowledgement.csv --merchant mer_…",
  ],
  run: async (ctx, args) => {
    const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
    const text = optionOf(args, "day");
    const day =
      text === FILE_DAY ? undefined : (parseDate(text) ?? misuse("--day is not a day such as 2026-03-09"));
    const { batch, clearedOn, notTaken, ...counts } = await confirmBy(ctx, args, merchant, day);
    const { id: batchId, processingDay } = batch;
    const declined =
      notTaken.length === 0 ? [] : [`Declined ${notTaken.length}: not in the file that the bank took.`];
    if (batch.status === "empty") {
      return { json: { batchId, processingDay, notTaken }, lines: [...declined, "No debit is left."] };
    }
    return {
      json: { batchId, processingDay, clearedOn, notTaken, ...counts },
      lines: [
        `Batch  ${batchId}  is with the bank, which processes it on ${processingDay}.`,
        ...(counts.rejected === undefined
          ? []
          : [`Accepted ${counts.accepted}, rejected ${counts.rejected}.`]),
        ...declined,
        `Debits that it has not returned by the end of ${clearedOn} are approved.`,
      ],
    };
  },
};

/** By the batch's id, or by the bank's acknowledgement. */
async function confirmBy(
  ctx: Context,
  args: ParsedArguments,
  merchant: Merchant,
  day: CalendarDay | undefined,
): Promise<Confirmed & Partial<Acknowledged>> {
  const [named] = args.positionals;
  const file = args.options["file"];
  if ((named === undefined) === (file === undefined))
    misuse("name the batch, or the bank's acknowledgement with --file");
  const input = { day, missing: missingOf(args) };
  if (file === undefined) {
    const batchId = parseId("debitBatch", named ?? "") ?? fail(PROBLEMS.no_such_file);
    const confirmed = await confirmFile(ctx, merchant, batchId, input);
    if (confirmed === "missing_undecided") {
      const missing = await listMissing(ctx, merchant, batchId);
      const debits = missing.map(({ transactionId, reference }) => `${transactionId} (${reference})`);
      fail(
        `the accounts of these debits were deleted: ${debits.join(" ")}; a file that was written later does not have them. Say with --missing taken or --missing not-taken whether the file that the bank took has them`,
      );
    }
    return typeof confirmed === "string" ? fail(PROBLEMS[confirmed]) : confirmed;
  }
  if (merchant.mode !== "live") fail(LIVE_ONLY);
  const text = await readText(file);
  const confirmed = await reportingFileProblems(() => confirmAcknowledged(ctx, merchant, text, input));
  if (typeof confirmed === "string") return fail(PROBLEMS[confirmed]);
  return "declined" in confirmed ? fail(rejectionOf(confirmed)) : confirmed;
}

function rejectionOf({ batchId, declined, isEmpty }: FileRejected): string {
  const ended = declined.length === 0 ? "" : ` These debits are declined: ${declined.join(" ")}.`;
  const others = declined.length === 0 ? "the file" : "the file of the others";
  const next = isEmpty
    ? "No debit of the batch is left"
    : `Write ${others} again with \`debit export --batch ${batchId}\`, on a new day with --day`;
  return `the bank rejected the whole file, so nothing is confirmed.${ended} ${next}`;
}

function missingOf(args: ParsedArguments): MissingTaken | undefined {
  const text = args.options["missing"];
  if (text === undefined || text === "taken" || text === "not-taken") return text;
  return text
    .split(",")
    .map(
      (id) => parseId("transaction", id) ?? misuse("--missing must be taken, not-taken, or ids of debits"),
    );
}
