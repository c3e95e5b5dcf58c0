import { moneyText } from "../../../browser/ui/money-text.ts";
import { findTransaction, type Transaction } from "../../features/transactions/index.ts";
import { defined } from "../../kernel/defined.ts";
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
import { AMOUNT_ACTIONS, type AmountAction, type AmountForm, type AmountProblems } from "./amount-actions.ts";
import { amountStep, amountView } from "./amount-view.ts";

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
      const { amount, reference } = readForm(query);
      const problems = {
        ...problemsOf(query),
        ...(amount === undefined ? {} : limitProblem(action, transaction, amount)),
      };
      if (amount === undefined || Object.keys(problems).length > 0)
        return showForm(action, visit, { transaction, typed: query, problems });
      const title = `${action.verb} ${moneyText(amount)} of transaction ${transaction.reference}?`;
      const content = amountStep(action, visit, transaction, { amount, reference });
      return { title, section: "transactions", content };
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
      const problems = problemsOf(fields);
      if (amount === undefined || Object.keys(problems).length > 0)
        return showForm(action, visit, { transaction, typed: fields, problems });
      // The verb itself checks what the transaction allows.
      const { words, tone } = await action.run(ctx, visit.caller, transaction.id, { amount, reference });
      return redirect(pathOf(visit), words, tone);
    },
    onRefused: async (ctx, visit, refused) => {
      const transaction = await getTransaction(ctx, visit);
      const problems = { amount: refused.byField["/payment/amount"] ?? refused.words };
      const page = showForm(action, visit, { transaction, typed: visit.fields, problems });
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

function problemsOf(typed: FormFields): AmountProblems {
  const { amount, reference = "" } = readForm(typed);
  const plain = Array.from(reference).length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(reference);
  return defined({
    amount: amount === undefined ? "Type an amount such as 30.00." : undefined,
    reference: plain ? undefined : "Up to 64 plain characters.",
  });
}

function limitProblem(
  { atMost, name }: AmountAction,
  transaction: Transaction,
  amount: number,
): AmountProblems {
  const most = atMost(transaction);
  if (amount <= most) return {};
  const words =
    most === 0 ? `There is nothing left to ${name}.` : `At most ${moneyText(most)} is left to ${name}.`;
  return { amount: words };
}

function showForm(
  action: AmountAction,
  visit: MerchantVisit,
  form: AmountForm,
): Extract<PageAnswer, { title: string }> {
  return {
    title: `${action.verb} transaction ${form.transaction.reference}`,
    section: "transactions",
    content: amountView(action, visit, form),
    status: form.problems === undefined ? 200 : 400,
  };
}
