import { newId } from "../../kernel/ids.ts";
import { claimKey, finishKey } from "../../platform/idempotency/claim-key.ts";
import { clockOf, connectorsOf, type World } from "../../platform/world.ts";
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
import type { ChargeAsk } from "./wire.ts";

/**
 * Charges a stored instrument. A card goes the way of every card: attempt on record, call, outcome. A bank account waits
 * for its bank: the answer is `pending`.
 */
export async function chargeInstrument(
  world: World,
  caller: RequestCaller,
  ask: ChargeAsk,
): Promise<Transaction> {
  const { transaction, instrument } = await beginCharge(world, caller, ask);
  const charged =
    instrument.type === "card" ? await chargeCard(world, caller, transaction, instrument, ask) : transaction;
  if (instrument.type !== "card") world.wakeJobs();
  await finishKey(world, caller);
  return charged;
}

async function beginCharge(
  world: World,
  caller: RequestCaller,
  ask: ChargeAsk,
): Promise<{ readonly transaction: Transaction; readonly instrument: PaymentInstrument }> {
  const { merchant } = caller;
  const now = clockOf(world, merchant);
  const id = newId("transaction", now);
  return world.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    const instrument = await getCharged(tx, caller, ask.payment.instrument.customer);
    // A bank account can be debited without a connector: the operator takes files to the bank.
    if (instrument.type === "card") connectorsOf(world, merchant);
    const transaction = newCharge(merchant, instrument, ask, { id, now });
    const care = instrument.type === "card" ? recovery(world, transaction) : debitCare(world, transaction);
    await insertTransaction(tx, transaction, transactionChange(merchant.mode, transaction), care);
    return { transaction, instrument };
  });
}

/** A number that can't be read any more was never sent: the recovery finds that out, and declines. */
async function chargeCard(
  world: World,
  { merchant }: RequestCaller,
  attempt: Transaction,
  instrument: Extract<PaymentInstrument, { type: "card" }>,
  ask: ChargeAsk,
): Promise<Transaction> {
  const { cvn } = ask.payment.instrument.customer;
  const { name, expiryMonth, expiryYear } = instrument.card;
  const use = { purpose: "charge", subjectId: attempt.id } as const;
  try {
    const done = await world.vault.use(world.db, placeOf(instrument), use, (number) =>
      callAcquirer(world, merchant, attempt, {
        number,
        expiryMonth,
        expiryYear,
        name,
        ...(cvn === undefined ? {} : { securityCode: cvn }),
      }),
    );
    return done ?? attempt;
  } catch (error) {
    world.log.error({ subjectId: attempt.id, error }, "a charge waits for its recovery");
    return attempt;
  }
}
