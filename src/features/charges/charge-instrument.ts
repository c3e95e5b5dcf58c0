import type { Acquirer } from "../../connectors/ports/acquirers.ts";
import type { CardDetails } from "../../connectors/ports/card-acquirer.ts";
import { type Id, newId } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";
import { type Context, clockOf } from "../../platform/context.ts";
import { claimKey, finishKey } from "../../platform/idempotency/claim-key.ts";
import { finishKeysOf } from "../../platform/idempotency/queries.ts";
import { routePayment } from "../acquirer-accounts/index.ts";
import { forgetAttempt, rememberCode, settleAttempt } from "../card-testing/index.ts";
import { callAcquirer, keepForAcquirer, recoveryOf } from "../checkout/index.ts";
import { followUpDebit } from "../direct-debits/index.ts";
import type { Merchant, RequestCaller } from "../merchants/index.ts";
import type { PaymentInstrument } from "../payment-instruments/index.ts";
import {
  insertTransaction,
  type Transaction,
  transactionChange,
  transactionPath,
  wantsNumber,
} from "../transactions/index.ts";
import { type AdmittedCode, admitCode } from "./admit-code.ts";
import { getCharged } from "./charged-instrument.ts";
import { newCharge } from "./new-charge.ts";
import { type StoredCard, useCard } from "./use-card.ts";
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
  const { merchant } = caller;
  const now = clockOf(ctx, merchant);
  const id = newId("transaction", now);
  const { cvn } = input.payment.instrument.customer;
  const admitted = cvn === undefined ? undefined : await admitCode(ctx, caller, input, id);
  const beginning = beginCharge(ctx, caller, input, { id, now, admitted });
  const { transaction, instrument } = await beginning.catch((error: unknown) => {
    if (admitted !== undefined) forgetAttempt(ctx, merchant, admitted.counts);
    throw error;
  });
  if (instrument.type !== "card") {
    ctx.wakeJobs();
    return transaction;
  }
  const charged = await chargeCard(ctx, merchant, transaction, { instrument, admitted });
  if (admitted?.card !== undefined) {
    rememberCode(ctx, admitted.counts, admitted.card, charged);
    settleAttempt(ctx, merchant, admitted.counts, charged);
  }
  if (charged.status === "pending") await finishKey(ctx, caller);
  return charged;
}

type Beginning = {
  readonly id: Id<"transaction">;
  readonly now: Instant;
  readonly admitted: AdmittedCode | undefined;
};

async function beginCharge(
  ctx: Context,
  caller: RequestCaller,
  input: ChargeInput,
  { id, now, admitted }: Beginning,
): Promise<{ readonly transaction: Transaction; readonly instrument: PaymentInstrument }> {
  const { merchant } = caller;
  const active = await ctx.acquirers.listActive(merchant);
  await ctx.vault.reachKeys(ctx.db, merchant.id);
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: transactionPath(id), goesOn: true });
    const instrument = await getCharged(tx, caller, input.payment.instrument.customer);
    const charge = newCharge(merchant, instrument, input, { id, now });
    if (instrument.type === "card" && admitted === undefined) ctx.vault.admitCharge(merchant.id);
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

/** An unreadable number was never sent: the recovery inquires, learns that, and declines the charge. */
async function chargeCard(
  ctx: Context,
  merchant: Merchant,
  attempt: Transaction,
  { instrument, admitted }: { readonly instrument: StoredCard; readonly admitted: AdmittedCode | undefined },
): Promise<Transaction> {
  const card = admitted?.card;
  if (admitted !== undefined && card === undefined) return attempt;
  const { networkTransactionId } = instrument;
  const call = async (opened: CardDetails) => {
    await keepForCharge(ctx, merchant, attempt, opened.number);
    return callAcquirer(ctx, merchant, attempt, { card: opened, networkTransactionId });
  };
  try {
    const charged =
      card === undefined ? await useCard(ctx, instrument, { id: attempt.id }, call) : await call(card);
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
