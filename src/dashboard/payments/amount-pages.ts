import { moneyText } from "../../../browser/ui/money-text.ts";
import { findTransaction, type Transaction } from "../../features/transactions/index.ts";
import { MAX_TOTAL_CENTS, readCents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import {
  type MerchantPage,
  type MerchantVisit,
  merchantPage,
  type PageAnswer,
  redirect,
} from "../shell/page.ts";
import { AMOUNT_ACTIONS, type AmountAction, type AmountForm, type AmountStep } from "./amount-actions.ts";
import { amountStep, amountView } from "./amount-view.ts";

const NO_AMOUNT = "Type an amount such as 30.00.";

type TransactionVisit = MerchantVisit<"{transactionId}">;

export const amountPages: readonly MerchantPage[] = AMOUNT_ACTIONS.flatMap((action) => [
  merchantPage({
    method: "GET",
    path: `/transactions/{transactionId}/${action.name}`,
    right: "act",
    run: async (ctx, visit) => {
      const { query } = visit;
      const transaction = await getTransaction(ctx, visit);
      if (query["amount"] === undefined) return showForm(action, visit, { transaction, typed: query });
      const { amount } = readForm(query);
      const problem = amount === undefined ? NO_AMOUNT : limitProblem(action, transaction, amount);
      return amount === undefined || problem !== undefined
        ? showForm(action, visit, { transaction, typed: query, problem })
        : showStep(action, visit, { transaction, amount, reference: undefined });
    },
  }),
  merchantPage({
    method: "POST",
    path: `/transactions/{transactionId}/${action.name}`,
    right: "act",
    audit: `${action.name} requested`,
    backTo: pathOf,
    run: async (ctx, visit) => {
      const { fields } = visit;
      const transaction = await getTransaction(ctx, visit);
      const { amount, reference } = readForm(fields);
      if (amount === undefined)
        return showForm(action, visit, { transaction, typed: fields, problem: NO_AMOUNT });
      // The verb itself checks what the transaction allows.
      const { words, tone } = await action.run(ctx, visit, transaction.id, { amount, reference });
      return redirect(pathOf(visit), words, tone);
    },
    onRefused: async (ctx, visit, refused) => {
      const transaction = await getTransaction(ctx, visit);
      const { amount, reference } = readForm(visit.fields);
      const { "/payment/amount": wrongAmount, "/reference": problem } = refused.byField;
      const page =
        amount !== undefined && problem !== undefined
          ? showStep(action, visit, { transaction, amount, reference, problem })
          : showForm(action, visit, {
              transaction,
              typed: visit.fields,
              problem: wrongAmount ?? refused.words,
            });
      return { ...page, status: refused.status };
    },
  }),
]);

async function getTransaction(ctx: Context, { merchant, params }: TransactionVisit): Promise<Transaction> {
  return (await findTransaction(ctx.db, merchant.id, params.transactionId)) ?? refuse("resource_not_found");
}

function pathOf({ base, params }: TransactionVisit): string {
  return `${base}/transactions/${params.transactionId}`;
}

function readForm({ amount = "", reference = "" }: FormFields) {
  return {
    amount: readCents(amount.trim(), MAX_TOTAL_CENTS),
    reference: reference.trim() === "" ? undefined : reference.trim(),
  };
}

function limitProblem(
  { atMost, name }: AmountAction,
  transaction: Transaction,
  amount: number,
): string | undefined {
  const most = atMost(transaction);
  if (amount <= most) return undefined;
  return most === 0 ? `There is nothing left to ${name}.` : `At most ${moneyText(most)} is left to ${name}.`;
}

type ShownPage = Extract<PageAnswer, { title: string }>;

function showStep(action: AmountAction, visit: MerchantVisit, step: AmountStep): ShownPage {
  const { transaction, amount } = step;
  return {
    title: `${action.verb} ${moneyText(amount)} of transaction ${transaction.reference}?`,
    section: "transactions",
    content: amountStep(action, visit, step),
  };
}

function showForm(action: AmountAction, visit: MerchantVisit, form: AmountForm): ShownPage {
  return {
    title: `${action.verb} transaction ${form.transaction.reference}`,
    section: "transactions",
    content: amountView(action, visit, form),
    status: form.problem === undefined ? 200 : 400,
  };
}
