import {
  BankFileProblem,
  type DebitAgreement,
  type DebitFiles,
  type DebitLine,
  type WrittenFile,
} from "../../../connectors/ports/debit-files.ts";
import { decline } from "../../../kernel/codes/outcomes.ts";
import type { Id } from "../../../kernel/ids.ts";
import { nextState } from "../../../kernel/lifecycle.ts";
import { cents } from "../../../kernel/money.ts";
import { type CalendarDay, dayInZone } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import { SecretUnreadable } from "../../../platform/vault/errors.ts";
import { currencyOf, type Merchant, zoneOf } from "../../merchants/index.ts";
import { applyState } from "../apply-state.ts";
import { type Batch, bankReferenceOf, batchLifecycle, type DebitToSend } from "../direct-debit.ts";
import { makeNextBatch } from "../make-batch.ts";
import { findBatch, listBatch, lockBatch, updateBatch } from "../queries.ts";
import { dropEnded } from "./drop-ended.ts";
import { numberPlace } from "./list-missing.ts";
import { countWaiting, listFiled } from "./queries.ts";
import { CHANGED, setAside } from "./set-aside.ts";

/** More do not go into one file. */
export const MAX_DEBITS = 10_000;
/** Waiting debits are counted no further. */
export const WAITING_COUNTED = 100_000;

export type Exported = {
  /** As it was before this file. */
  readonly batch: Batch;
  /** The day of this file. */
  readonly day: CalendarDay;
  readonly file: WrittenFile;
  /** Debits whose account was deleted since: left out of the file, and declined unless an earlier file had them. */
  readonly missing: readonly string[];
  /** Debits that are declined, for this or another reason: left out of the file. */
  readonly declined: readonly string[];
  /** Debits whose account number is unreadable: they are in a batch of their own now. */
  readonly unreadable: readonly string[];
};

const CONFIRMED =
  "the batch is confirmed: the bank has its file, and another one would debit the payers again";

const UNREADABLE_NAMED = 20;

/** A debit that the bank's file cannot hold, and what of it. */
export type KeptBack = { readonly transactionId: string; readonly because: "name" | "amount" };

/** The new batch, if there is one, the debits that the file cannot carry, and how many wait for another file. */
type Planned = {
  readonly batch: Batch | undefined;
  readonly keptBack: readonly KeptBack[];
  readonly waiting: number;
};

/** Puts waiting debits into a batch for a bank's file. There is no batch when the file could carry none of them. */
export async function planExport(
  ctx: Context,
  merchant: Merchant,
  agreement: DebitAgreement,
  day: CalendarDay,
): Promise<Planned> {
  const files = ctx.connectors.getDebitFiles(merchant);
  const keptBack = new Map<string, KeptBack>();
  const currency = currencyOf(agreement.country);
  const made = await makeNextBatch(ctx, merchant, {
    rail: "file",
    currency,
    day,
    limit: { debits: MAX_DEBITS, total: cents(files.largestTotal(agreement)) },
    accepts: (debit) => {
      const because = misfit(files, agreement, day, debit);
      const { transactionId } = debit;
      if (because !== undefined) keptBack.set(transactionId, { transactionId, because });
      return because === undefined;
    },
  });
  const left = await countWaiting(ctx.db, merchant.id, currency, keptBack.size + WAITING_COUNTED);
  const waiting = Math.max(left - keptBack.size, 0);
  return { batch: made?.batch, keptBack: [...keptBack.values()], waiting };
}

/**
 * The file of a batch that the bank is not known to have, with its pending debits. Writing it again produces the same bytes
 * while these are the same, so a lost file can be replaced; another day is for a file that the bank refused.
 */
export async function writeBatch(
  ctx: Context,
  merchant: Merchant,
  agreement: DebitAgreement,
  { batchId, newDay }: { readonly batchId: Id<"debitBatch">; readonly newDay: CalendarDay | undefined },
): Promise<Exported | undefined> {
  const batch = await findBatch(ctx.db, merchant.id, batchId);
  if (batch?.rail !== "file") return undefined;
  if (batch.status === "submitted") throw new BankFileProblem(CONFIRMED);
  const filed = await listFiled(ctx.db, merchant.id, batchId);
  const declined = new Set<string>(filed.flatMap(({ id, status }) => (status === "declined" ? [id] : [])));
  const [lines, missing, unreadable]: [DebitLine[], string[], DebitToSend[]] = [[], [], []];
  for (const debit of await listBatch(ctx.db, merchant.id, batchId)) {
    const { transactionId } = debit;
    const place = numberPlace(merchant, debit);
    if (declined.has(transactionId)) {
      if (!(await ctx.vault.keeps(ctx.db, place))) missing.push(transactionId);
      continue;
    }
    const use = { purpose: "debit", subjectId: transactionId } as const;
    const line = await ctx.vault
      .use(ctx.db, place, use, async (number) => lineOf(debit, number))
      .catch(orUnreadable);
    if (line === "unreadable") unreadable.push(debit);
    else if (line !== undefined) lines.push(line);
    else {
      missing.push(transactionId);
      // No file carries this debit, so no return could arrive. Once a file was written, the bank may have the debit.
      if (batch.status === "made") {
        await applyState(ctx, merchant, transactionId, decline("target_account_invalid"));
        declined.add(transactionId);
      }
    }
  }
  if (lines.length === 0) await dropEnded(ctx, merchant, batchId);
  const unreadableIds = unreadable.map(({ transactionId }) => transactionId);
  if (unreadable.length > 0 && (lines.length === 0 || batch.status !== "made")) {
    const named = unreadableIds.slice(0, UNREADABLE_NAMED).join(" ");
    throw new BankFileProblem(`the file can't be written: the account number is unreadable of ${named}`);
  }
  const left = unreadable.length === 0 ? batch : await setAside(ctx, merchant, batch, unreadable);
  const made = dayInZone(batch.createdAt, zoneOf(merchant));
  const day = newDay ?? batch.day;
  const file = ctx.connectors.getDebitFiles(merchant).write(agreement, { due: day, made }, lines);
  return { batch: left, day, file, missing, declined: [...declined], unreadable: unreadableIds };
}

function orUnreadable(error: unknown): "unreadable" {
  if (error instanceof SecretUnreadable) return "unreadable";
  throw error;
}

/**
 * Records that the bank may get the file, and its day, before it is stored where the operator wants it. Its debits stay
 * pending until the operator confirms that the bank has it; from then on no file of the batch is written.
 */
export async function markWritten(
  ctx: Context,
  merchant: Merchant,
  { batch: before, day }: Exported,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const batch = await lockBatch(tx, merchant.id, before.id);
    if (batch === undefined) return;
    if (batch.day !== before.day || batch.debits !== before.debits) throw new BankFileProblem(CHANGED);
    const status = nextState(batchLifecycle, batch.status, "write");
    if (status === undefined) throw new BankFileProblem(CONFIRMED);
    await updateBatch(tx, { ...batch, status, day });
  });
}

function lineOf({ transactionId, amount, bankAccount }: DebitToSend, number: string): DebitLine {
  const { accountName, bsb } = bankAccount;
  return { reference: bankReferenceOf(transactionId), amount, accountName, bsb, number };
}

/** A name with characters that the file format lacks, or too large an amount, excludes one debit, not the file. */
function misfit(
  files: DebitFiles,
  agreement: DebitAgreement,
  day: CalendarDay,
  debit: DebitToSend,
): KeptBack["because"] | undefined {
  if (debit.amount > files.largestTotal(agreement)) return "amount";
  const number = agreement.country === "AU" ? "1" : "0".repeat(16);
  try {
    files.write(agreement, { due: day, made: day }, [lineOf(debit, number)]);
    return undefined;
  } catch (error) {
    if (error instanceof BankFileProblem && error.message.startsWith(bankReferenceOf(debit.transactionId))) {
      return "name";
    }
    throw error;
  }
}
