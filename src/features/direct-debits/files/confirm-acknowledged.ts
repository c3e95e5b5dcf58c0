import { type AcknowledgedLine, BankFileProblem } from "../../../connectors/ports/debit-files.ts";
import { type Id, parseId } from "../../../kernel/ids.ts";
import { sum } from "../../../kernel/money.ts";
import type { Context } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import { applyState } from "../apply-state.ts";
import type { Batch } from "../direct-debit.ts";
import { findBatch } from "../queries.ts";
import {
  type Confirmed,
  type ConfirmInput,
  type ConfirmProblem,
  confirmFile,
  dayProblem,
  decideMissing,
} from "./confirm-file.ts";
import { dropEnded } from "./drop-ended.ts";
import { DECLINED } from "./import-returns.ts";
import { type FiledDebit, findByReference, listFiled } from "./queries.ts";

export type Acknowledged = Confirmed & {
  /** Debits that the bank processes. */
  readonly accepted: number;
  /** Debits that it rejected: they are declined. */
  readonly rejected: number;
};

/** The bank took nothing of the file. The debits that it rejects with a reason of their own are declined; the others go into the next file. */
export type FileRejected = {
  readonly batchId: Id<"debitBatch">;
  readonly declined: readonly Id<"transaction">[];
  /** No debit of the batch is left. */
  readonly isEmpty: boolean;
};

/**
 * Confirms a file by the bank's acknowledgement, completely or not at all: it names every debit of one batch, or the whole
 * batch and the debits that were rejected. Rejected debits are declined before the batch is confirmed, so that the same
 * acknowledgement finishes what a crash interrupted.
 */
export async function confirmAcknowledged(
  ctx: Context,
  merchant: Merchant,
  text: string,
  { day, missing }: ConfirmInput = {},
): Promise<Acknowledged | FileRejected | ConfirmProblem> {
  const lines = ctx.connectors.getDebitFiles(merchant).readAcknowledgement(text);
  const batch = await batchOf(ctx, merchant, lines);
  if (batch?.rail !== "file") return "no_such_file";
  if (batch.status === "submitted") return "confirmed_before";
  if (batch.status === "empty") return "empty";
  if (batch.status !== "written") return "not_written";
  const problem = day && dayProblem(merchant, batch, day);
  if (problem !== undefined) return problem;
  const whole = lines.find(({ reference }) => reference === batch.id);
  // Without a word from the operator the acknowledgement must name them all.
  const notTaken = await decideMissing(ctx, merchant, batch.id, missing ?? "taken");
  if (typeof notTaken === "string") return notTaken;
  const filed = await listFiled(ctx.db, merchant.id, batch.id);
  const debits = filed.filter(({ id }) => !notTaken.includes(id));
  const outcomes = outcomesOf(lines, batch, debits);
  const inFile = debits.filter(({ reference, status }) => status === "pending" || outcomes.has(reference));
  if (whole === undefined && outcomes.size !== inFile.length)
    throw new BankFileProblem(
      `the file names ${outcomes.size} of the ${inFile.length} debits of ${batch.id}`,
    );
  const isRefused = whole !== undefined && whole.outcome !== "accepted";
  const rejected = inFile.flatMap(({ id, reference }) => {
    const outcome = outcomes.get(reference) ?? "accepted";
    // Without a reason of its own, a debit of a rejected file is no worse than the others.
    return outcome === "accepted" || (isRefused && outcome === "refused") ? [] : [{ id, outcome }];
  });
  for (const { id, outcome } of rejected) await applyState(ctx, merchant, id, DECLINED[outcome]);
  if (isRefused) {
    const isEmpty = await dropEnded(ctx, merchant, batch.id);
    return { batchId: batch.id, declined: rejected.map(({ id }) => id), isEmpty };
  }
  const confirmed = await confirmFile(ctx, merchant, batch.id, { day, missing: notTaken });
  if (typeof confirmed === "string") return confirmed;
  return { ...confirmed, accepted: inFile.length - rejected.length, rejected: rejected.length };
}

async function batchOf(
  ctx: Context,
  merchant: Merchant,
  lines: readonly AcknowledgedLine[],
): Promise<Batch | undefined> {
  const ids = new Set<Id<"debitBatch">>();
  for (const { line, reference } of lines) {
    const named = parseId("debitBatch", reference);
    const debit = named === undefined ? await findByReference(ctx.db, merchant.id, reference) : undefined;
    const id = named ?? debit?.batchId;
    if (id === undefined) throw problemAt(line, "no debit of this merchant has that reference");
    ids.add(id);
    if (ids.size > 1) throw problemAt(line, "a debit of another batch");
  }
  const [only] = ids;
  return only && findBatch(ctx.db, merchant.id, only);
}

/** What the bank says of each debit that it names. */
function outcomesOf(
  lines: readonly AcknowledgedLine[],
  batch: Batch,
  debits: readonly FiledDebit[],
): ReadonlyMap<string, AcknowledgedLine["outcome"]> {
  const amounts = new Map(debits.map(({ reference, amount }) => [reference, amount]));
  const sent = debits.filter(({ status }) => status === "pending");
  const named = new Set(lines.map(({ reference }) => reference));
  // An earlier reading of this report may have declined what it names.
  const sentOrNamed = debits.filter(({ status, reference }) => status === "pending" || named.has(reference));
  const totals: readonly number[] = [debits, sent, sentOrNamed].map((those) =>
    sum(those.map(({ amount }) => amount)),
  );
  const outcomes = new Map<string, AcknowledgedLine["outcome"]>();
  let isWholeNamed = false;
  for (const { line, reference, amount, outcome } of lines) {
    if (reference === batch.id) {
      if (isWholeNamed) throw problemAt(line, "the batch is named twice");
      if (!totals.includes(amount)) throw problemAt(line, "the batch is of another total");
      isWholeNamed = true;
      continue;
    }
    if (amounts.get(reference) !== amount) throw problemAt(line, "the debit was of another amount");
    if (outcomes.has(reference)) throw problemAt(line, "the debit is named twice");
    outcomes.set(reference, outcome);
  }
  return outcomes;
}

function problemAt(line: number, problem: string): BankFileProblem {
  return new BankFileProblem(`line ${line}: ${problem}`);
}
