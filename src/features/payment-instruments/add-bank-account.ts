import { type Id, newId } from "../../kernel/ids.ts";
import { type Metadata, metadataOf } from "../../kernel/metadata.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { findCustomer } from "../customers/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type BankAccountInput, splitAccount } from "./bank-account.ts";
import { instrumentChange } from "./instrument-change.ts";
import { placeOf } from "./instrument-ids.ts";
import { ownPairs, type PaymentInstrument } from "./payment-instrument.ts";
import { instrumentPath } from "./present.ts";
import { insertInstrument } from "./queries.ts";

/**
 * Stores a bank account of a customer: the number in the vault, the displayable part in the row. Storing needs no
 * direct debit capability; a charge checks it.
 */
export async function addBankAccount(
  ctx: Context,
  caller: RequestCaller,
  customerId: Id<"customer">,
  input: {
    readonly bankAccount: BankAccountInput;
    readonly reference?: string | undefined;
    readonly metadata?: Metadata | undefined;
  },
): Promise<PaymentInstrument> {
  const now = clockOf(ctx, caller.merchant);
  const id = newId("paymentInstrument", now);
  const { secret, shown } = splitAccount(input.bankAccount);
  const instrument: PaymentInstrument = {
    id,
    merchantId: caller.merchantId,
    customerId,
    reference: input.reference ?? id,
    type: "bank_account",
    card: null,
    networkTransactionId: null,
    bankAccount: shown,
    metadata: metadataOf(ownPairs({ bankAccount: shown }, input.metadata)),
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await ctx.vault.prepare(ctx.db, caller.merchantId);
  await ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: instrumentPath(instrument) });
    if (!(await findCustomer(tx, caller.merchantId, customerId))) refuse("resource_not_found");
    await insertInstrument(tx, instrument, instrumentChange(caller.mode, instrument));
    await ctx.vault.keep(tx, placeOf(instrument), secret);
  });
  return instrument;
}
