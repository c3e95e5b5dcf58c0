import { newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey, finishKey } from "../../platform/idempotency/claim-key.ts";
import { callAcquirer, recovery } from "../checkout/index.ts";
import { debitCare } from "../direct-debits/index.ts";
import type { RequestCaller } from "../merchants/index.ts";
import { type PaymentInstrument, placeOf } from "../payment-instruments/index.ts";
import {
  insertTransaction,
  type Transaction,
  transactionChange,
  transactionPath,
} from "../transactions/index.ts";
import { getCharged } from "./find-charged.ts";
import { newCharge } from "./new-charge.ts";
import type { ChargeInput } from "./wire.ts";

/**
 * Charges a stored instrument. A card goes the way of every card: attempt on record, call, outcome. A bank account waits
 * for its bank: the answer is `pending`.
 */
export async function chargeInstrument(
  ctx: Context,
  caller: RequestCaller,
  input: ChargeInput,
): Promise<Transaction> {
  const { transaction, instrument } = await beginCharge(ctx, caller, input);
  const charged =
    instrument.type === "card" ? await chargeCard(ctx, caller, transaction, instrument, input) : transaction;
  if (instrument.type !== "card") ctx.wakeJobs();
  await finishKey(ctx, caller);
  return charged;
}

async function beginCharge(
  ctx: Context,
  caller: RequestCaller,
  input: ChargeInput,
): Promise<{ readonly transaction: Transaction; readonly instrument: PaymentInstrument }> {
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const id = newId("transaction", now);
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    const instrument = await getCharged(tx, caller, input.payment.instrument.customer);
    // A bank account can be debited without a connector: the operator takes files to the bank.
    if (instrument.type === "card") ctx.connectors.getCardAcquirer(merchant);
    const transaction = newCharge(merchant, instrument, input, { id, now });
    const care = instrument.type === "card" ? recovery(ctx, transaction) : debitCare(ctx, transaction);
    await insertTransaction(tx, transaction, transactionChange(merchant.mode, transaction), care);
    return { transaction, instrument };
  });
}

/** A number that can't be read any more was never sent: the recovery finds that out, and declines. */
async function chargeCard(
  ctx: Context,
  { merchant }: RequestCaller,
  attempt: Transaction,
  instrument: Extract<PaymentInstrument, { type: "card" }>,
  input: ChargeInput,
): Promise<Transaction> {
  const { cvn } = input.payment.instrument.customer;
  const { name, expiryMonth, expiryYear } = instrument.card;
  const use = { purpose: "charge", subjectId: attempt.id } as const;
  try {
    const done = await ctx.vault.use(ctx.db, placeOf(instrument), use, (number) =>
      callAcquirer(ctx, merchant, attempt, {
        number,
        expiryMonth,
        expiryYear,
        name,
        ...(cvn === undefined ? {} : { securityCode: cvn }),
      }),
    );
    return done ?? attempt;
  } catch (error) {
    ctx.log.error({ subjectId: attempt.id, error }, "a charge waits for its recovery");
    return attempt;
  }
}
