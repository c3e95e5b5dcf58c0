import {
  type DebitAgreement,
  declineWaiting,
  importReturns,
  listFiles,
  listUnwritten,
  MAX_DEBITS,
  markWritten,
  planExport,
  type WaitingProblem,
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
import {
  fail,
  LIVE_MERCHANT,
  LIVE_ONLY,
  misuse,
  readText,
  reportingFileProblems,
} from "./debit/bank-file.ts";
import { DEBIT_CONFIRM } from "./debit/confirm-command.ts";
import {
  idsOf,
  keptBackWarnings,
  leftOutWarnings,
  redatedWarnings,
  UNWRITTEN_NAMED,
  unwrittenWarnings,
  waitingWarnings,
} from "./debit/export-warnings.ts";
import { intoNewFile } from "./debit/new-file.ts";
import { firstRows } from "./first-rows.ts";

const AGREEMENT = {
  value: "file",
  about: "JSON of the agreement with the bank; see docs/guides/direct-debit.md.",
  required: true,
} as const;

const SOON = "today or the next banking day; with --batch the batch's day";

const BATCHES = 100;

const STATUSES: Readonly<Record<string, string>> = {
  made: "NOT WRITTEN",
  written: "written, NOT CONFIRMED",
  submitted: "confirmed",
  empty: "empty: every debit is declined",
};

const WAITING_PROBLEMS: Readonly<Record<WaitingProblem, string>> = {
  no_such_debit: "this merchant has no direct debit with that id",
  not_pending: "the debit is not pending: it has its outcome",
  in_a_batch: "the debit is in a batch, so the bank may have it or get it; the bank's answer decides",
};

export const DEBIT_COMMANDS: readonly Command[] = [
  {
    name: "debit export",
    about: `Write pending debits to a bank file (ABA, or New Zealand). Each debit goes into one file. A file takes ${MAX_DEBITS.toLocaleString("en")} debits and the bank's largest total; others wait for the next one.`,
    options: {
      merchant: LIVE_MERCHANT,
      agreement: AGREEMENT,
      out: {
        value: "file",
        about: "The file to write; an existing file is never overwritten.",
        required: true,
      },
      day: {
        value: "yyyy-MM-dd",
        about:
          "The banking day on which the bank debits; with --batch a new one, for a file that the bank refused.",
        default: SOON,
      },
      batch: { value: "id", about: "Write the file of an existing batch again.", default: "a new batch" },
    },
    examples: [
      "debit export --merchant mer_… --agreement agreement.json --out monday.aba",
      "debit export --merchant mer_… --agreement agreement.json --out again.aba --batch bat_…",
      "debit export --merchant mer_… --agreement agreement.json --out again.aba --batch bat_… --day 2026-03-09",
    ],
    run: async (ctx, args, terminal) => {
      const { merchant, agreement } = await readAgreement(ctx, args);
      return intoNewFile(optionOf(args, "out"), async (write) => {
        const { batchId, newDay, keptBack, waiting } = await batchOf(ctx, args, merchant, agreement);
        const left = [...keptBackWarnings(keptBack), ...waitingWarnings(waiting)];
        const unwritten = async () =>
          unwrittenWarnings(await listUnwritten(ctx.db, merchant.id, UNWRITTEN_NAMED));
        if (batchId === undefined) {
          return {
            json: { batchId: null, debits: 0, keptBack: idsOf(keptBack), waiting },
            lines: ["No pending debit fits into this file."],
            warnings: [...left, ...(await unwritten())],
          };
        }
        // Waiting debits are counted for a new batch only.
        if (waiting !== undefined)
          terminal.note(`Batch  ${batchId}  created; --batch ${batchId} writes its file again.`);
        const exported = await reportingFileProblems(() =>
          writeBatch(ctx, merchant, agreement, { batchId, newDay }),
        );
        if (exported === undefined)
          throw new CommandProblem("this merchant has no batch with that id; `debit batches` lists all");
        const { file, missing, unreadable, day } = exported;
        // What is in the file may reach the bank, so that is on record before.
        await reportingFileProblems(() => markWritten(ctx, merchant, exported));
        await write(file.text);
        return {
          json: {
            ...{ batchId, debits: file.count, total: file.total, day, missing },
            ...{ unreadable, keptBack: idsOf(keptBack), waiting },
          },
          lines: [
            `Batch  ${batchId}`,
            `Debits ${file.count}, ${file.total} cents in all, on ${day}`,
            `They stay pending until the bank has the file: tidegate debit confirm ${batchId} --merchant ${merchant.id}`,
          ],
          warnings: [
            ...redatedWarnings(exported),
            ...leftOutWarnings(exported),
            ...left,
            ...(await unwritten()),
          ],
        };
      });
    },
  },
  DEBIT_CONFIRM,
  {
    name: "debit decline",
    about: "Decline a pending debit that is in no batch, such as one that the bank file can't hold.",
    positional: "transactionId",
    options: { merchant: { value: "id", about: "The merchant's id.", required: true } },
    examples: ["debit decline txn_… --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const id = parseId("transaction", args.positionals[0] ?? "") ?? fail(WAITING_PROBLEMS.no_such_debit);
      const problem = await declineWaiting(ctx, merchant, id);
      if (problem !== undefined) fail(WAITING_PROBLEMS[problem]);
      return { json: { transactionId: id, status: "declined" }, lines: [`Debit  ${id}  is declined.`] };
    },
  },
  {
    name: "debit batches",
    reads: true,
    about: "List the newest 100 batches of files: not written, written, or confirmed by `debit confirm`.",
    options: { merchant: LIVE_MERCHANT },
    examples: ["debit batches --merchant mer_…"],
    run: async (ctx, args) => {
      const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
      const found = firstRows(await listFiles(ctx.db, merchant.id, BATCHES + 1), BATCHES);
      const batches = found.rows.map(
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
      return {
        json: { batches, complete: found.isComplete },
        lines: lines.length === 0 ? ["There is no batch yet."] : lines,
        warnings: found.warnings,
      };
    },
  },
  {
    name: "debit import",
    about:
      "Import a bank's returns file: its debits become declined or returned. Each file is imported once.",
    options: {
      merchant: LIVE_MERCHANT,
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

async function batchOf(ctx: Context, args: ParsedArguments, merchant: Merchant, agreement: DebitAgreement) {
  const named = args.options["batch"];
  const today = dayInZone(clockOf(ctx, merchant), zoneOf(merchant));
  if (named !== undefined && named !== "a new batch") {
    const batchId =
      parseId("debitBatch", named) ?? misuse("--batch must be the id of a batch; `debit batches` lists all");
    const newDay = optionOf(args, "day") === SOON ? undefined : dayOf(args, agreement, today);
    return { batchId, newDay, keptBack: [], waiting: undefined };
  }
  const day = dayOf(args, agreement, today);
  const planned = await reportingFileProblems(() => planExport(ctx, merchant, agreement, day));
  return { ...planned, batchId: planned.batch?.id, newDay: undefined };
}

function dayOf(args: ParsedArguments, { country }: DebitAgreement, today: CalendarDay): CalendarDay {
  const text = optionOf(args, "day");
  if (text === SOON) return bankingDayFrom(today, country);
  const day = parseDate(text) ?? misuse("--day is not a day such as 2026-03-09");
  if (day < today) fail("--day is in the past");
  const next = bankingDayFrom(day, country);
  return day === next ? day : fail(`--day is a weekend or bank holiday; the next banking day is ${next}`);
}

async function readAgreement(
  ctx: Context,
  args: ParsedArguments,
): Promise<{ readonly merchant: Merchant; readonly agreement: DebitAgreement }> {
  const merchant = await getMerchant(ctx, optionOf(args, "merchant"));
  if (merchant.mode !== "live") fail(LIVE_ONLY);
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
