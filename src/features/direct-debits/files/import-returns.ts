import {
  BankFileProblem,
  type DebitAgreement,
  type ReturnReason,
} from "../../../connectors/ports/debit-files.ts";
import type { DebitState } from "../../../connectors/ports/direct-debit-bank.ts";
import { decline } from "../../../kernel/codes/outcomes.ts";
import { type Context, clockOf } from "../../../platform/context.ts";
import type { Merchant } from "../../merchants/index.ts";
import { applyState } from "../apply-state.ts";
import { findByReference, markRead, wasRead } from "./queries.ts";

export const DECLINED: Readonly<Record<ReturnReason, Extract<DebitState, { kind: "declined" }>>> = {
  refused: decline("declined"),
  account_invalid: decline("target_account_invalid"),
  account_blocked: decline("target_account_blocked"),
  account_closed: decline("target_account_closed"),
};

const RETURNED = { kind: "returned", code: "returned" } as const;

export type Imported = {
  readonly declined: number;
  readonly returned: number;
  /** Already imported from another file. */
  readonly already: number;
};

/**
 * Imports a bank's returns file, completely or not at all: an unknown debit or another amount means that the file is not
 * about this merchant's debits. A pending debit is declined for the bank's reason; a settled one is returned.
 */
export async function importReturns(
  ctx: Context,
  merchant: Merchant,
  agreement: DebitAgreement,
  file: { readonly text: string; readonly hash: Uint8Array },
): Promise<Imported> {
  if (await wasRead(ctx.db, merchant.id, file.hash)) throw new BankFileProblem("this file was read before");
  const items = ctx.connectors.getDebitFiles(merchant).readReturns(agreement, file.text);
  const known = [];
  for (const { line, reference, amount, reason } of items) {
    const debit = await findByReference(ctx.db, merchant.id, reference);
    if (debit === undefined)
      throw new BankFileProblem(`line ${line}: no debit of this merchant has that reference`);
    if (debit.amount !== amount) throw new BankFileProblem(`line ${line}: the debit was of another amount`);
    known.push({ ...debit, reason });
  }
  const count = { declined: 0, returned: 0, already: 0 };
  for (const { id, reason } of known) {
    // Decided under the lock: the debit may settle while its return is imported.
    const applied = await applyState(ctx, merchant, id, (before) =>
      before.status === "approved" ? RETURNED : DECLINED[reason],
    );
    count[applied === undefined ? "already" : applied === RETURNED ? "returned" : "declined"] += 1;
  }
  await markRead(ctx.db, merchant.id, { hash: file.hash, items: items.length }, clockOf(ctx, merchant));
  return count;
}
