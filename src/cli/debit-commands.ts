import { readFile, writeFile } from "node:fs/promises";
import {
  BankFileProblem,
  confirmExport,
  type DebitAgreement,
  importReturns,
  listFiles,
  planExport,
  writeBatch,
} from "../features/direct-debits/index.ts";
import { type Merchant, zoneOf } from "../features/merchants/index.ts";
import { bankingDayFrom } from "../kernel/banking-days.ts";
import { parseId } from "../kernel/ids.ts";
import { type CalendarDay, dayInZone, parseDate, toIso } from "../kernel/time.ts";
import { type Context, clockOf } from "../platform/context.ts";
import { hashSecret } from "../platform/crypto/secrets.ts";
import { type Command, CommandProblem, type Given, optionOf } from "./command.ts";
import { getMerchant } from "./look-up.ts";

const MERCHANT = { value: "id", about: "A live merchant's id.", required: true } as const;
const AGREEMENT = {
  value: "file",
  about: "JSON of what was agreed on with the bank; see docs/guides/direct-debit.md.",
  required: true,
} as const;

const SOON = "today or the next banking day";

export const DEBIT_COMMANDS: readonly Command[] = [
  {
    words: "debit export",
    about: "Write debits that wait into a bank's file (ABA, or New Zealand). Each debit goes into one file.",
    options: {
      merchant: MERCHANT,
      agreement: AGREEMENT,
      out: { value: "file", about: "The file to write; one that is there is not touched.", required: true },
      day: { value: "yyyy-MM-dd", about: "The banking day on which the bank is to debit.", standard: SOON },
      batch: { value: "id", about: "Write the file of an earlier batch again.", standard: "a new batch" },
    },
    examples: [
      "debit export --merchant mer_… --agreement agreement.json --out monday.aba",
      "debit export --merchant mer_… --agreement agreement.json --out again.aba --batch bat_…",
    ],
    run: async (ctx, given, terminal) => {
      const { merchant, agreement } = await agreed(ctx, given);
      const { batchId, keptBack } = await batchOf(ctx, given, merchant, agreement);
      if (batchId === undefined) {
        return {
          json: { batchId: null, debits: 0, keptBack },
          lines: ["No debit is waiting that this file could take."],
          warnings: warningsOf({ keptBack, missing: [] }),
        };
      }
      terminal.tell(`Batch  ${batchId}  is made; it can be written again with --batch ${batchId}.`);
      const exported = await inBankWords(() => writeBatch(ctx, merchant, agreement, batchId));
      if (exported === undefined)
        throw new CommandProblem("this merchant has no batch with that id; `debit batches` shows all");
      const { file, missing } = exported;
      await writeNew(optionOf(given, "out"), file.text);
      await confirmExport(ctx, merchant, batchId);
      return {
        json: { batchId, debits: file.count, total: file.total, day: exported.batch.day, missing, keptBack },
        lines: [`Batch  ${batchId}`, `Debits ${file.count}, ${file.total} cents in all`],
        warnings: warningsOf({ keptBack, missing }),
      };
    },
  },
  {
    words: "debit batches",
    about: "List the newest 100 batches of files, and whether their files were written.",
    options: { merchant: MERCHANT },
    examples: ["debit batches --merchant mer_…"],
    run: async (ctx, given) => {
      const merchant = await getMerchant(ctx, optionOf(given, "merchant"));
      const batches = (await listFiles(ctx.db, merchant.id, 100)).map(
        ({ id, day, currency, debits, total, written, createdAt }) => ({
          ...{ batchId: id, day, currency, debits, total, written },
          createdDateTime: toIso(createdAt),
        }),
      );
      const lines = batches.map(
        (one) =>
          `${one.batchId}  ${one.day}  ${one.currency}  debits ${one.debits}  total ${one.total}  ${one.written ? "written" : "NOT WRITTEN"}`,
      );
      return { json: { batches }, lines: lines.length === 0 ? ["No batch was made yet."] : lines };
    },
  },
  {
    words: "debit import",
    about: "Read a bank's returns file: what came back is declined or returned. A file is read once.",
    options: {
      merchant: MERCHANT,
      agreement: AGREEMENT,
      file: { value: "file", about: "The returns file.", required: true },
    },
    examples: ["debit import --merchant mer_… --agreement agreement.json --file returns.txt"],
    run: async (ctx, given) => {
      const { merchant, agreement } = await agreed(ctx, given);
      const text = await readText(optionOf(given, "file"));
      const file = { text, hash: hashSecret(text) };
      const count = await inBankWords(() => importReturns(ctx, merchant, agreement, file));
      const { declined, returned, already } = count;
      return {
        json: count,
        lines: [`Declined ${declined}, returned ${returned}, known before ${already}.`],
      };
    },
  },
];

/** Nobody else would notice: a debit that is kept back stays pending until somebody does something about it. */
function warningsOf(left: Readonly<Record<"keptBack" | "missing", readonly string[]>>): readonly string[] {
  const { keptBack, missing } = left;
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.length} accounts were deleted since; their debits are declined and not in the file`]),
    ...(keptBack.length === 0
      ? []
      : [
          `kept back and still pending, because the bank's file can't hold the account's name: ${keptBack.join(" ")}`,
        ]),
  ];
}

async function batchOf(ctx: Context, given: Given, merchant: Merchant, agreement: DebitAgreement) {
  const named = given.options["batch"];
  if (named !== undefined && named !== "a new batch") {
    const batchId =
      parseId("debitBatch", named) ?? fail("--batch must be the id of a batch; `debit batches` shows all");
    return { batchId, keptBack: [] };
  }
  const day = dayOf(given, agreement, dayInZone(clockOf(ctx, merchant), zoneOf(merchant)));
  const { batch, keptBack } = await inBankWords(() => planExport(ctx, merchant, agreement, day));
  return { batchId: batch?.id, keptBack };
}

function dayOf(given: Given, { country }: DebitAgreement, today: CalendarDay): CalendarDay {
  const text = optionOf(given, "day");
  if (text === SOON) return bankingDayFrom(today, country);
  const day = parseDate(text) ?? fail("--day is not a day such as 2026-03-09");
  if (day < today) fail("--day is in the past");
  const next = bankingDayFrom(day, country);
  return day === next
    ? day
    : fail(`--day is a weekend or a holiday of banks; the next banking day is ${next}`);
}

async function agreed(
  ctx: Context,
  given: Given,
): Promise<{ readonly merchant: Merchant; readonly agreement: DebitAgreement }> {
  const merchant = await getMerchant(ctx, optionOf(given, "merchant"));
  if (merchant.mode !== "live") fail("the sandbox has a bank of its own; files are for live merchants");
  const text = await readText(optionOf(given, "agreement"));
  const agreement =
    parseAgreement(text) ?? fail("--agreement does not hold the JSON that docs/guides/direct-debit.md shows");
  return { merchant, agreement };
}

const TEXTS = {
  AU: ["institution", "userName", "userId", "description", "bsb", "account", "remitter"],
  NZ: ["authorisationCode", "account", "name", "particulars"],
} as const;

function parseAgreement(text: string): DebitAgreement | undefined {
  try {
    const read = JSON.parse(text) as Record<string, unknown> | null;
    const country = read?.["country"];
    if (country !== "AU" && country !== "NZ") return undefined;
    const whole = TEXTS[country].every((name) => typeof read?.[name] === "string");
    const balanced = country === "NZ" || typeof read?.["balanced"] === "boolean";
    return whole && balanced ? (read as DebitAgreement) : undefined;
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => fail(`${path} can't be read`));
  // Some programs put a mark before the first character.
  return text.replace(/^\uFEFF/, "");
}

async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch(() =>
    fail(`${path} can't be written, or is there already; the batch can be written again with --batch`),
  );
}

/** What is wrong with a bank's file is said in one line. */
async function inBankWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BankFileProblem ? new CommandProblem(error.message) : error;
  }
}

function fail(problem: string): never {
  throw new CommandProblem(problem);
}
