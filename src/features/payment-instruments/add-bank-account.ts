import { type Id, newId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import { claimKey } from "../../platform/idempotency/claim-key.ts";
import { clockOf, type World } from "../../platform/world.ts";
import { findCustomer } from "../customers/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type BankAccountAsk, splitAccount } from "./bank-account.ts";
import { instrumentChange } from "./instrument-change.ts";
import { placeOf } from "./instrument-ids.ts";
import type { PaymentInstrument } from "./payment-instrument.ts";
import { instrumentPath } from "./present.ts";
import { insertInstrument } from "./queries.ts";

/**
 * Stores a bank account with a customer: the number in the vault, what may be shown beside it. An account that can't be
 * debited yet can be stored: the capability is asked for when money is to move.
 */
export async function addBankAccount(
  world: World,
  caller: RequestCaller,
  customerId: Id<"customer">,
  ask: { readonly bankAccount: BankAccountAsk; readonly reference?: string | undefined },
): Promise<PaymentInstrument> {
  const now = clockOf(world, caller.merchant);
  const id = newId("paymentInstrument", now);
  const { secret, shown } = splitAccount(ask.bankAccount);
  const made: PaymentInstrument = {
    id,
    merchantId: caller.merchantId,
    customerId,
    reference: ask.reference ?? id,
    type: "bank_account",
    card: null,
    bankAccount: shown,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await world.vault.prepare(world.db, caller.merchantId);
  await world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: instrumentPath(made) });
    if (!(await findCustomer(tx, caller.merchantId, customerId))) refuse("resource_not_found");
    await insertInstrument(tx, made, instrumentChange(caller.mode, made));
    await world.vault.keep(tx, placeOf(made), secret);
  });
  return made;
}
