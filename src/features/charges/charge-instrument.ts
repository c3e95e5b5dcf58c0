import { defined } from "../../kernel/defined.ts";
import { newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey, finishKey } from "../../platform/idempotency/claim-key.ts";
import { callAcquirer, recoveryOf } from "../checkout/index.ts";
import { followUpDebit } from "../direct-debits/index.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
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
 * Charges a stored instrument. A card is charged at once: the attempt is recorded, the acquirer called, the outcome
 * recorded. A bank account is debited later: the answer is `pending`.
 */
export async function chargeInstrument(
  ctx: Context,
  caller: RequestCaller,
  input: ChargeInput,
): Promise<Transaction> {
  const { transaction, instrument } = await beginCharge(ctx, caller, input);
  const { cvn } = input.payment.instrument.customer;
  const charged =
    instrument.type === "card"
      ? await chargeCard(ctx, caller.merchant, transaction, { instrument, cvn })
      : transaction;
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
    // A bank account can be debited without a connector: the operator hands files to the bank.
    if (instrument.type === "card") ctx.connectors.getCardAcquirer(merchant);
    const transaction = newCharge(merchant, instrument, input, { id, now });
    const followUp =
      instrument.type === "card" ? recoveryOf(ctx, transaction) : followUpDebit(ctx, transaction);
    await insertTransaction(
      tx,
      transaction,
      transactionChange(merchant.mode, transaction, ctx.settings),
      followUp,
    );
    return { transaction, instrument };
  });
}

type StoredCard = Extract<PaymentInstrument, { type: "card" }>;

/** An unreadable number was never sent: the recovery inquires, learns that, and declines the charge. */
async function chargeCard(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { instrument, cvn }: { readonly instrument: StoredCard; readonly cvn: string | undefined },
): Promise<Transaction> {
  const { name, expiryMonth, expiryYear } = instrument.card;
  const use = { purpose: "charge", subjectId: attempt.id } as const;
  try {
    const charged = await ctx.vault.use(ctx.db, placeOf(instrument), use, (number) =>
      callAcquirer(
        ctx,
        merchant,
        attempt,
        defined({ number, expiryMonth, expiryYear, name, securityCode: cvn }),
      ),
    );
    return charged ?? attempt;
  } catch (error) {
    ctx.log.error(
      { subjectId: attempt.id, error },
      "charge not sent or its outcome not recorded: the recovery job inquires",
    );
    return attempt;
  }
}
