import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import { defined } from "../../kernel/defined.ts";
import { newId } from "../../kernel/ids.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey, finishKey } from "../../platform/idempotency/claim-key.ts";
import { finishKeysOf } from "../../platform/idempotency/queries.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import { callAcquirer, keepForAcquirer, recoveryOf } from "../checkout/index.ts";
import { followUpDebit } from "../direct-debits/index.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import { isToken, type PaymentInstrument, placeOf } from "../payment-instruments/index.ts";
import {
  insertTransaction,
  type Transaction,
  transactionChange,
  transactionPath,
  wantsNumber,
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
  if (instrument.type !== "card") {
    ctx.wakeJobs();
    return transaction;
  }
  const charged = await chargeCard(ctx, caller.merchant, transaction, { instrument, cvn });
  if (charged.status === "pending") await finishKey(ctx, caller);
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
  const active = await ctx.acquirers.listActive(merchant);
  await ctx.vault.reachKeys(ctx.db, merchant.id);
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    const instrument = await getCharged(tx, caller, input.payment.instrument.customer);
    const charge = newCharge(merchant, instrument, input, { id, now });
    if (instrument.type === "card") ctx.vault.admitCharge(merchant.id);
    // A bank account can be debited without a connector: the operator hands files to the bank.
    const acquirers = instrument.type === "card" ? routeCharge(charge, active) : undefined;
    const transaction = acquirers === undefined ? charge : takenBy(charge, acquirers[0]);
    const followUp =
      acquirers === undefined ? followUpDebit(ctx, transaction) : recoveryOf(ctx, transaction, acquirers);
    await insertTransaction(
      tx,
      transaction,
      transactionChange(merchant.mode, transaction, ctx.settings),
      followUp,
    );
    // A bank is called for a card only: the work on a debit ends with this commit.
    if (instrument.type !== "card" && caller.idempotencyKey !== undefined)
      await finishKeysOf(tx, merchant.id, id);
    return { transaction, instrument };
  });
}

function routeCharge({ currency, card }: Transaction, active: readonly Acquirer[]) {
  return routePayment(active, { currency, cardType: card?.cardType ?? "unknown" });
}

function takenBy(charge: Transaction, { accountId, connector }: Acquirer): Transaction {
  return { ...charge, acquirerAccountId: accountId, acquirer: { connector } };
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
    const charged = await ctx.vault.use(ctx.db, placeOf(instrument), use, async (number) => {
      await keepForCharge(ctx, merchant, attempt, number);
      const isNetworkToken = isToken(instrument.card);
      const card = defined({ number, expiryMonth, expiryYear, name, securityCode: cvn, isNetworkToken });
      return callAcquirer(ctx, merchant, attempt, {
        card,
        networkTransactionId: instrument.networkTransactionId,
      });
    });
    return charged ?? attempt;
  } catch (error) {
    ctx.log.error(
      { subjectId: attempt.id, error },
      "charge not sent or its outcome not recorded: the recovery job inquires",
    );
    return attempt;
  }
}

/** Before the call: the instrument may be deleted while messages about its payment still follow. */
async function keepForCharge(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  number: string,
): Promise<void> {
  const acquirer = await ctx.acquirers.get(merchant, attempt.acquirerAccountId);
  if (!wantsNumber([acquirer])) return;
  await ctx.vault.prepare(ctx.db, merchant.id);
  await ctx.db.transaction((tx) => keepForAcquirer(ctx, tx, attempt, { acquirers: [acquirer], number }));
}
