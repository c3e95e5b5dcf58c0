import assert from "node:assert/strict";
import { callApi, getTransaction, ok } from "../../support/checkout.ts";
import { assertTransaction } from "./command.ts";
import {
  CREDIT_DECLINED,
  CURRENCIES,
  type Currency,
  count,
  DEBIT_DECLINED,
  DEBIT_RETURNED,
  decided,
  type Model,
  type ModelRefund,
  type ModelTransaction,
  outcomeOf,
  owed,
  where,
} from "./model.ts";
import { crashDuring, type Real } from "./real.ts";

/**
 * The simulated banks settle every debit and refund, and what is owed is paid out. If the gateway is killed meanwhile, it
 * is run once more: a debit may then have taken two steps.
 */
export async function settle(model: Model, real: Real, crashAfter?: number): Promise<void> {
  const run = () => callApi(real.shop(), "POST", "/sandbox/settlements/run");
  count(model, "calls");
  if (crashAfter !== undefined) {
    const interrupted = run().catch(() => undefined);
    await crashDuring(model, real, crashAfter);
    await interrupted;
  }
  ok(await run());
  const debits = where(model.transactions, (one) => afterSettlement(one) !== one);
  for (const [id, debit] of debits) {
    const { status } = (await getTransaction(real.shop(), id)).result;
    const step = afterSettlement(debit);
    const possible = [step, ...(crashAfter === undefined ? [] : [afterSettlement(step)])];
    // No bank debits an account that was deleted before it was sent.
    const isDeleted = model.instruments.get(debit.instrumentId ?? "")?.isDeleted;
    if (isDeleted && debit.status === "pending") possible.push(decided(debit, "declined"));
    model.transactions.set(id, possible.find((one) => one.status === status) ?? step);
    await assertTransaction(model, real, id);
  }
  const refunds = where(model.refunds, ({ status }) => status === "pending");
  for (const [id, refund] of refunds)
    model.refunds.set(id, { ...refund, status: outcomeOfRefund(model, refund) });
  for (const [id, { transactionId }] of refunds) {
    const read = ok(await callApi(real.shop(), "GET", `/refunds/${id}`));
    assert.equal(read.result.status, model.refunds.get(id)?.status, id);
    await assertTransaction(model, real, transactionId);
  }
  await addPayouts(model, real, crashAfter !== undefined);
}

/** A debit one step further; any other transaction as it is. */
export function afterSettlement(transaction: ModelTransaction): ModelTransaction {
  const { source, status, amount } = transaction;
  if (source !== "direct_debit") return transaction;
  if (status === "pending") return decided(transaction, amount === DEBIT_DECLINED ? "declined" : "approved");
  return status === "approved" && amount === DEBIT_RETURNED ? decided(transaction, "declined") : transaction;
}

function outcomeOfRefund(model: Model, { transactionId, amount }: ModelRefund): ModelRefund["status"] {
  const { source, status } = model.transactions.get(transactionId) ?? assert.fail();
  if (source === "card") return outcomeOf(amount);
  // The payer has the money of a returned debit already.
  return status === "declined" || amount === CREDIT_DECLINED ? "declined" : "approved";
}

type ShownPayout = {
  readonly id: string;
  readonly createdDateTime: string;
  readonly payment: { readonly amount: number; readonly currencyCode: Currency };
};

/** All that is owed is in one payout of each currency; a run that was interrupted may have made another. */
async function addPayouts(model: Model, real: Real, wasInterrupted: boolean): Promise<void> {
  const expected = CURRENCIES.map((currency) => [currency, owed(model, currency)] as const);
  const { payouts } = ok(await callApi(real.shop(), "GET", "/payouts?limit=100"));
  const made = (payouts as readonly ShownPayout[]).filter(({ id }) => !model.payouts.has(id));
  for (const { id, createdDateTime: created, payment } of made) {
    const { lines } = ok(await callApi(real.shop(), "GET", `/payouts/${id}`));
    const sum = lines.reduce((total: number, line: { amount: number }) => total + line.amount, 0);
    assert.equal(sum, payment.amount);
    for (const same of [`/payouts/${id}.csv`, `/payouts/${id}/lines`]) {
      const text: string = ok(await callApi(real.shop(), "GET", same));
      assert.equal(text.trimEnd().split("\n").length, lines.length + 1);
    }
    model.payouts.set(id, { amount: payment.amount, currency: payment.currencyCode, created });
  }
  for (const [currency, amount] of expected) {
    const paid = made.filter(({ payment }) => payment.currencyCode === currency);
    const amounts = paid.map(({ payment }) => payment.amount);
    if (wasInterrupted)
      assert.ok(owed(model, currency) <= 0, `${owed(model, currency)} ${currency} not paid out`);
    else assert.deepEqual(amounts, amount > 0 ? [amount] : [], currency);
  }
}
