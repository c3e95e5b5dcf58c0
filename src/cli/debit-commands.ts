import { readFile, writeFile } from "node:fs/promises";
import {
  type Acknowledged,
  BankFileProblem,
  type ConfirmProblem,
  confirmAcknowledged,
  confirmFile,
  type DebitAgreement,
  importReturns,
  listFiles,
  markWritten,
  planExport,
  writeBatch,
} from "../features/direct-debits/index.ts";
import { type Merchant, zoneOf } from "../features/merchants/index.ts";
import { bankingDayFrom } from "../kernel/banking-days.ts";
import { parseId } from "../kernel/ids.ts";
import { jsonIn } from "../kernel/json.ts";
import { type CalendarDay, dayInZone, parseDate, toIso } from "../kernel/time.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { hashSecret } from "../platform/crypto/secrets.ts";
import { getMerchant } from "./choose-merchant.ts";
import { type Command, CommandProblem, optionOf, type ParsedArguments } from "./command.ts";

const MERCHANT = { value: "id", about: "A live merchant's id.", required: true } as const;
const AGREEMENT = {
  value: "file",
  about: "JSON of the agreement with the bank; see docs/guides/direct-debit.md.",
  required: true,
} as const;

const SOON = "today or the next banking day";
const FILE_DAY = "the file's day, or the next banking day";

const STATUSES: Readonly<Record<string, string>> = {
  made: "NOT WRITTEN",
  written: "written, NOT CONFIRMED",
  submitted: "confirmed",
  empty: "empty: every account was deleted",
};

const PROBLEMS: Readonly<Record<ConfirmProblem | "file_rejected", string>> = {
  file_rejected:
    "the bank rejected the whole file, so nothing is confirmed: write it again with `debit export --batch`",
  no_such_file: "this merchant has no file with that batch id; `debit batches` shows all",
  not_written: "no file of this batch was written yet; `debit export --batch` writes it",
  confirmed_before: "this batch was confirmed before",
  not_a_banking_day: "--day is a weekend or a holiday of banks",
  before_the_file: "--day is before the day on which the batch was made",
};

export const DEBIT_COMMANDS: readonly Command[] = [
  {
    name: "debit export",
    about: "Write pending debits to a bank file (ABA, or New Zealand). Each debit goes into one file.",
    options: {
      merchant: MERCHANT,
      agreement: AGREEMENT,
      out: {
        value: "file",
        about: "The file to write; an existing file is never overwritten.",
        required: true,
      },
      day: { value: "yyyy-MM-dd", about: "The banking day on which the bank debits.", default: SOON },
      batch: { value: "id", about: "Write the file of an existing batch again.", default: "a new batch" },
    },
    examples: [
      "debit export --merchant mer_… --agreement agreement.json --out monday.aba",
      "debit export --merchant mer_… --agreement agreement.json --out again.aba --batch bat_…",
    ],
    run: async (ctx, args, terminal) => {
      const { merchant, agreement } = await readAgreement(ctx, args);
      const { batchId, keptBack } = await batchOf(ctx, args, merchant, agreement);
      if (batchId === undefined) {
        return {
          json: { batchId: null, debits: 0, keptBack },
          lines: ["No pending debit fits into this file."],
          warnings: warningsOf({ keptBack, missing: [] }),
        };
      }
      terminal.note(`Batch  ${batchId}  created; --batch ${batchId} writes its file again.`);
      const exported = await reportingFileProblems(() => writeBatch(ctx, merchant, agreement, batchId));
      if (exported === undefined)
        throw new CommandProblem("this merchant has no batch with that id; `debit batches` lists all");
      const { file, missing } = exported;
      await writeNew(optionOf(args, "out"), file.text);
      await markWritten(ctx, merchant, batchId);
      return {
        json: { batchId, debits: file.count, total: file.total, day: exported.batch.day, missing, keptBack },
        lines: [
          `Batch  ${batchId}`,
          `Debits ${file.count}, ${file.total} cents in all`,
          `They stay pending until the bank has the file: tidegate debit confirm ${batchId} --merchant ${merchant.id}`,
        ],
        warnings: warningsOf({ keptBack, missing }),
      };
    },
  },
  {
    name: "debit confirm",
    about:
      "Record that the bank took a file, or read its acknowledgement. Until then its debits stay pending; the clearing days count from then.",
    positional: "batchId",
    positionalOptional: true,
    options: {
      merchant: MERCHANT,
      file: {
        value: "file",
        about: "The bank's acknowledgement, instead of the batch's id; debits that it rejects are declined.",
      },
      day: {
        value: "yyyy-MM-dd",
        about: "The banking day on which the bank processes the file.",
        default: FILE_DAY,
      },
    },
    examples: [
      "debit confirm bat_… --merchant mer_…",
      "debit confirm bat_… --merchant mer_… --day 2026-03-09",
      "debit confirm --file acknowledgement.csv --merchant mer_…",
    ],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const text = optionOf(args, "day");
      const day =
        text === FILE_DAY ? undefined : (parseDate(text) ?? fail("--day is not a day such as 2026-03-09"));
      const { batch, clearedOn, ...counts } = await confirmBy(ctx, args, merchant, day);
      const { id: batchId, processingDay } = batch;
      return {
        json: { batchId, processingDay, clearedOn, ...counts },
        lines: [
          `Batch  ${batchId}  is with the bank, which processes it on ${processingDay}.`,
          ...(counts.rejected === undefined
            ? []
            : [`Accepted ${counts.accepted}, rejected ${counts.rejected}.`]),
          `Debits that it has not returned by ${clearedOn} are approved.`,
        ],
      };
    },
  },
  {
    name: "debit batches",
    reads: true,
    about: "List the newest 100 batches of files: not written, written, or confirmed by `debit confirm`.",
    options: { merchant: MERCHANT },
    examples: ["debit batches --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const batches = (await listFiles(ctx.db, merchant.id, 100)).map(
        ({ id, day, currency, debits, total, status, processingDay, createdAt }) => ({
          ...{ batchId: id, day, currency, debits, total, status, processingDay },
          written: status !== "made",
          confirmed: status === "submitted",
          createdDateTime: toIso(createdAt),
        }),
      );
      const lines = batches.map(
        (one) =>
          `${one.batchId}  ${one.day}  ${one.currency}  debits ${one.debits}  total ${one.total}  ${STATUSES[one.status] ?? one.status}`,
      );
      return { json: { batches }, lines: lines.length === 0 ? ["There is no batch yet."] : lines };
    },
  },
  {
    name: "debit import",
    about:
      "Import a bank's returns file: its debits become declined or returned. Each file is imported once.",
    options: {
      merchant: MERCHANT,
      agreement: AGREEMENT,
      file: { value: "file", about: "The returns file.", required: true },
    },
    examples: ["debit import --merchant mer_… --agreement agreement.json --file returns.txt"],
    run: async (ctx, args) => {
      const { merchant, agreement } = await readAgreement(ctx, args);
      const text = await readText(optionOf(args, "file"));
      const file = { text, hash: hashSecret(text) };
      const count = await reportingFileProblems(() => importReturns(ctx, merchant, agreement, file));
      const { declined, returned, already } = count;
      return {
        json: count,
        lines: [`Declined ${declined}, returned ${returned}, imported before ${already}.`],
      };
    },
  },
];

/** By the batch's id, or by the bank's acknowledgement. */
async function confirmBy(
  ctx: Context,
  args: ParsedArguments,
  merchant: Merchant,
  day: CalendarDay | undefined,
): Promise<Pick<Acknowledged, "batch" | "clearedOn"> & Partial<Acknowledged>> {
  const [named] = args.positionals;
  const file = args.options["file"];
  if ((named === undefined) === (file === undefined))
    fail("name the batch, or the bank's acknowledgement with --file");
  if (file === undefined) {
    const batchId = parseId("debitBatch", named ?? "") ?? fail(PROBLEMS.no_such_file);
    const confirmed = await confirmFile(ctx, merchant, batchId, day);
    return typeof confirmed === "string" ? fail(PROBLEMS[confirmed]) : confirmed;
  }
  if (merchant.mode !== "live") fail("bank files are for live merchants; the sandbox simulates its bank");
  const text = await readText(file);
  const confirmed = await reportingFileProblems(() => confirmAcknowledged(ctx, merchant, text, day));
  return typeof confirmed === "string" ? fail(PROBLEMS[confirmed]) : confirmed;
}

/** Only this command reports them: an excluded debit stays pending until the operator acts. */
function warningsOf(left: Readonly<Record<"keptBack" | "missing", readonly string[]>>): readonly string[] {
  const { keptBack, missing } = left;
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.length} accounts were deleted; their debits are declined and not in the file`]),
    ...(keptBack.length === 0
      ? []
      : [
          `not in the file and still pending, because the bank file can't hold the account's name: ${keptBack.join(" ")}`,
        ]),
  ];
}

async function batchOf(ctx: Context, args: ParsedArguments, merchant: Merchant, agreement: DebitAgreement) {
  const named = args.options["batch"];
  if (named !== undefined && named !== "a new batch") {
    const batchId =
      parseId("debitBatch", named) ?? fail("--batch must be the id of a batch; `debit batches` lists all");
    return { batchId, keptBack: [] };
  }
  const day = dayOf(args, agreement, dayInZone(clockOf(ctx, merchant), zoneOf(merchant)));
  const { batch, keptBack } = await reportingFileProblems(() => planExport(ctx, merchant, agreement, day));
  return { batchId: batch?.id, keptBack };
}

function dayOf(args: ParsedArguments, { country }: DebitAgreement, today: CalendarDay): CalendarDay {
  const text = optionOf(args, "day");
  if (text === SOON) return bankingDayFrom(today, country);
  const day = parseDate(text) ?? fail("--day is not a day such as 2026-03-09");
  if (day < today) fail("--day is in the past");
  const next = bankingDayFrom(day, country);
  return day === next ? day : fail(`--day is a weekend or bank holiday; the next banking day is ${next}`);
}

async function readAgreement(
  ctx: Context,
  args: ParsedArguments,
): Promise<{ readonly merchant: Merchant; readonly agreement: DebitAgreement }> {
  const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
  if (merchant.mode !== "live") fail("bank files are for live merchants; the sandbox simulates its bank");
  const text = await readText(optionOf(args, "agreement"));
  const agreement =
    parseAgreement(text) ?? fail("--agreement must be JSON as in docs/guides/direct-debit.md");
  return { merchant, agreement };
}

const TEXTS = {
  AU: ["institution", "userName", "userId", "description", "bsb", "account", "remitter"],
  NZ: ["authorisationCode", "account", "name", "particulars"],
} as const;

function parseAgreement(text: string): DebitAgreement | undefined {
  const read = jsonIn(text) as Record<string, unknown> | null | undefined;
  const country = read?.["country"];
  if (country !== "AU" && country !== "NZ") return undefined;
  const isComplete = TEXTS[country].every((name) => typeof read?.[name] === "string");
  const hasBalance = country === "NZ" || typeof read?.["balanced"] === "boolean";
  return isComplete && hasBalance ? (read as DebitAgreement) : undefined;
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => fail(`${path} can't be read`));
  // Some programs write a byte order mark before the first character.
  return text.replace(/^\uFEFF/, "");
}

async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch(() =>
    fail(`${path} can't be written or exists already; --batch writes the file of this batch`),
  );
}

/** Reports a problem of a bank file in one line. */
async function reportingFileProblems<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BankFileProblem ? new CommandProblem(error.message) : error;
  }
}

function fail(problem: string): never {
  throw new CommandProblem(problem);
}
