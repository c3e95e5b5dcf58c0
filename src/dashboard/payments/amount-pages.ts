import { moneyText } from "../../../browser/ui/money-text.ts";
import { requestRefund } from "../../features/refunds/index.ts";
import {
  captureTransaction,
  findTransaction,
  isOpenAuthorisation,
  refundable,
  type Transaction,
  totalOf,
} from "../../features/transactions/index.ts";
import { type Id, requireId } from "../../kernel/ids.ts";
import { readCents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import type { MerchantPage, MerchantVisit, PageAnswer, Refused } from "../shell/visit.ts";
import { amountForm } from "./amount-view.ts";

/** Something that moves an amount of a transaction: which, how much at most, and how it is said. */
type MoneyAction = {
  readonly name: "refund" | "capture";
  readonly verb: string;
  readonly done: string;
  readonly atMost: (transaction: Transaction) => number;
  readonly facts: (transaction: Transaction) => readonly (readonly [string, string])[];
  readonly warning: string;
  readonly takesReference: boolean;
  readonly act: (
    ctx: Context,
    visit: MerchantVisit,
    id: Id<"transaction">,
    amount: number,
    reference: string | undefined,
  ) => Promise<unknown>;
};

const ACTIONS: readonly MoneyAction[] = [
  {
    name: "refund",
    verb: "Refund",
    done: "The refund is on its way.",
    atMost: (one) => (one.status === "approved" && one.captureStatus === "captured" ? refundable(one) : 0),
    facts: (one) => [
      ["Captured", moneyText(one.captured)],
      ["Refunded so far", moneyText(one.refundsHeld)],
      ["Left", moneyText(refundable(one))],
    ],
    warning: "The money goes back the way it came. This can't be undone.",
    takesReference: true,
    act: (ctx, { caller }, id, amount, reference) => requestRefund(ctx, caller, id, { amount, reference }),
  },
  {
    name: "capture",
    verb: "Capture",
    done: "The acquirer was asked for the money.",
    atMost: (one) => (isOpenAuthorisation(one) ? totalOf(one) : 0),
    facts: (one) => [["Authorised", moneyText(totalOf(one))]],
    warning: "An authorisation is captured once; what is not captured now is released.",
    takesReference: false,
    act: (ctx, { caller }, id, amount) => captureTransaction(ctx, caller, id, amount),
  },
];

export const moneyActionPages: readonly MerchantPage[] = ACTIONS.flatMap(
  (action): readonly MerchantPage[] => [
    {
      method: "GET",
      path: `/transactions/:transactionId/${action.name}`,
      may: "act",
      run: async (ctx, visit) => {
        const transaction = await theTransaction(ctx, visit);
        const asked = visit.query["amount"] !== undefined;
        const { problems } = check(action, transaction, visit.query);
        if (!asked || problems.amount !== undefined || problems.reference !== undefined) {
          return askHowMuch(
            action,
            visit,
            transaction,
            visit.query,
            asked ? problems : {},
            asked ? 400 : 200,
          );
        }
        return confirm(action, visit, transaction);
      },
    },
    {
      method: "POST",
      path: `/transactions/:transactionId/${action.name}`,
      may: "act",
      audit: `${action.name} asked for`,
      back: ({ base, params }) => `${base}/transactions/${params["transactionId"] ?? ""}`,
      run: async (ctx, visit) => {
        const transaction = await theTransaction(ctx, visit);
        const { amount, reference, problems } = check(action, transaction, visit.fields, true);
        if (amount === undefined || problems.reference !== undefined) {
          return askHowMuch(action, visit, transaction, visit.fields, problems, 400);
        }
        await action.act(ctx, visit, transaction.id, amount, reference);
        return { goTo: pathOf(visit, transaction), say: { tone: "good", words: action.done } };
      },
      again: async (ctx, visit, refused: Refused) => {
        const transaction = await theTransaction(ctx, visit);
        const amount = refused.byField["/payment/amount"] ?? refused.words;
        return askHowMuch(action, visit, transaction, visit.fields, { amount }, refused.status);
      },
    },
  ],
);

async function theTransaction(ctx: Context, { merchant, params }: MerchantVisit): Promise<Transaction> {
  const id = requireId("transaction", params["transactionId"] ?? "");
  return (await findTransaction(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
}

function pathOf({ base }: MerchantVisit, { id }: Transaction): string {
  return `${base}/transactions/${id}`;
}

type Problems = { readonly amount?: string; readonly reference?: string };

/** What is wrong with what was typed. When it is sent, the verb itself says what the transaction allows. */
function check(
  { atMost, name }: MoneyAction,
  transaction: Transaction,
  typed: FormFields,
  sent = false,
): {
  readonly amount: number | undefined;
  readonly reference: string | undefined;
  readonly problems: Problems;
} {
  const amount = readCents((typed["amount"] ?? "").trim());
  const reference = (typed["reference"] ?? "").trim();
  const most = atMost(transaction);
  const wrong =
    amount === undefined
      ? "Type an amount such as 30.00."
      : !sent && amount > most
        ? most === 0
          ? `There is nothing left to ${name}.`
          : `At most ${moneyText(most)} is left to ${name}.`
        : undefined;
  const plain = Array.from(reference).length <= 64 && !/[\p{Cc}\p{Cs}]/u.test(reference);
  return {
    amount,
    reference: reference === "" ? undefined : reference,
    problems: {
      ...(wrong === undefined ? {} : { amount: wrong }),
      ...(plain ? {} : { reference: "Up to 64 plain characters." }),
    },
  };
}

function askHowMuch(
  action: MoneyAction,
  visit: MerchantVisit,
  transaction: Transaction,
  typed: FormFields,
  problems: Problems,
  status: number,
): PageAnswer {
  const most = action.atMost(transaction);
  const path = pathOf(visit, transaction);
  const content = amountForm({
    action: `${path}/${action.name}`,
    backTo: path,
    button: "Continue",
    facts: [["Transaction", transaction.reference], ...action.facts(transaction)],
    hint: `Up to ${moneyText(most)} ${transaction.currency}`,
    typed: {
      amount: typed["amount"] ?? plainAmount(most),
      ...(action.takesReference ? { reference: typed["reference"] ?? "" } : {}),
    },
    problems,
  });
  return {
    title: `${action.verb} transaction ${transaction.reference}`,
    section: "transactions",
    content,
    status,
  };
}

/** The exact money, once more, before anything moves. */
function confirm(action: MoneyAction, visit: MerchantVisit, transaction: Transaction): PageAnswer {
  const { amount = 0, reference } = check(action, transaction, visit.query);
  const path = pathOf(visit, transaction);
  const words = `${action.verb} ${moneyText(amount)}`;
  const title = `${words} of transaction ${transaction.reference}`;
  const content = confirmStep({
    action: `${path}/${action.name}`,
    formToken: visit.formToken,
    words: [`${title} (${transaction.id}), ${transaction.currency}.`, action.warning],
    button: words,
    backTo: `${path}/${action.name}`,
    fields: { amount: plainAmount(amount), ...(reference === undefined ? {} : { reference }) },
  });
  return { title: `${title}?`, section: "transactions", content };
}

/** As people type it: 1234.50. */
function plainAmount(cents: number): string {
  return moneyText(cents).replace(/[$,]/g, "");
}
