import { moneyText } from "../../../browser/ui/money-text.ts";
import {
  authorisedOf,
  captureTransaction,
  isOpenAuthorisation,
  refundable,
  type Transaction,
} from "../../features/transactions/index.ts";
import { defined } from "../../kernel/defined.ts";
import type { Context } from "../../platform/context.ts";
import type { FormFields } from "../../platform/http/form-posts.ts";
import type { MerchantVisit } from "../shell/page.ts";
import type { Notice } from "../shell/parts/notice.ts";
import { operationNotice } from "./operation-notice.ts";

export type AmountInput = { readonly amount: number; readonly reference: string | undefined };

/** Moves an amount of a transaction: the user types it, confirms it, and the verb of the API runs. */
export type AmountAction = {
  readonly name: "refund" | "capture";
  readonly verb: string;
  readonly atMost: (transaction: Transaction) => number;
  readonly facts: (transaction: Transaction) => readonly (readonly [string, string])[];
  readonly warning: string;
  readonly takesReference: boolean;
  /** Returns what the user reads afterwards. */
  readonly run: (
    ctx: Context,
    visit: MerchantVisit,
    id: Transaction["id"],
    input: AmountInput,
  ) => Promise<Notice>;
};

export type AmountForm = {
  readonly transaction: Transaction;
  readonly typed: FormFields;
  /** Of the amount. */
  readonly problem?: string | undefined;
};

export type AmountStep = AmountInput & {
  readonly transaction: Transaction;
  /** Of the reference. */
  readonly problem?: string | undefined;
};

export const AMOUNT_ACTIONS: readonly AmountAction[] = [
  {
    name: "refund",
    verb: "Refund",
    atMost: (one) => (one.status === "approved" && one.captureStatus === "captured" ? refundable(one) : 0),
    facts: (one) => [
      ["Captured", moneyText(one.captured)],
      ["Refunded so far", moneyText(one.refundsHeld)],
      ["Left", moneyText(refundable(one))],
    ],
    warning: "The money goes back the way it came. This can't be undone.",
    takesReference: true,
    run: async (ctx, { caller, callApi }, id, { amount, reference }) => {
      const body = defined({ payment: { amount }, reference });
      await callApi(ctx, caller, "createRefund", { params: { transactionId: id }, body });
      return { words: "The refund is on its way.", tone: "good" };
    },
  },
  {
    name: "capture",
    verb: "Capture",
    atMost: (one) => (isOpenAuthorisation(one) ? authorisedOf(one) : 0),
    facts: (one) => [["Authorised", moneyText(authorisedOf(one))]],
    warning: "An authorisation is captured once; what is not captured now is released.",
    takesReference: false,
    run: async (ctx, { caller }, id, { amount }) =>
      operationNotice("capture", await captureTransaction(ctx, caller, id, { amount })),
  },
];
