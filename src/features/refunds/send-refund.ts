import type { CreditRequest } from "../../connectors/ports/direct-debit-bank.ts";
import { soundAnswer, soundBankAnswer } from "../../connectors/ports/sound-answer.ts";
import { type BankAnswer, type DeclineName, decline } from "../../kernel/codes/outcomes.ts";
import type { Cents } from "../../kernel/money.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Source } from "../../kernel/source.ts";
import { WALLETS, type Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import { SecretUnreadable } from "../../platform/vault/errors.ts";
import type { Merchant } from "../merchants/index.ts";
import {
  aboutPayment,
  answerOrUnknown,
  lockTransaction,
  reverseAtAcquirer,
  type Transaction,
} from "../transactions/index.ts";
import { markSent, wasSent } from "./queries.ts";
import type { Refund } from "./refund.ts";

const UNREADABLE = { kind: "unreadable" } as const;

/**
 * `isReversed`: the acquirer confirmed that the refund does not stand. `withinMs`: the longest pause before an unsettled
 * refund is looked at again.
 */
type RefundAnswer =
  | (Exclude<BankAnswer, { kind: "unknown" }> & { readonly isReversed?: boolean })
  | { readonly kind: "unknown"; readonly withinMs?: number | undefined }
  | typeof UNREADABLE;
type SendRefund = (transaction: Transaction, refund: Refund) => Promise<RefundAnswer>;
type Rail = (ctx: Context, merchant: Merchant) => SendRefund;

/**
 * A refund that the host may or may not have made is sent again where the host recognises it. Elsewhere it is reversed and
 * declined, once the host has confirmed the reversal. So is one that the host made only in part.
 */
const byAcquirer: Rail = (ctx, merchant) => async (transaction, refund) => {
  const { id: reference, amount } = refund;
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  const waiting = { deadlineMs: host.answersWithinMs };
  const use = { host, purpose: "refund", subjectId: reference } as const;
  const answer = await answerOrUnknown(
    ctx,
    (signal) =>
      aboutPayment(ctx, transaction, use, (payment) =>
        soundAnswer(host.refund({ reference, payment, amount }, signal)),
      ).catch(orUnreadable),
    waiting,
  );
  const sent = { transaction, reference };
  if (isPartOf(refund, answer)) return reverseRefund(ctx, merchant, sent, "partial_approval_refused");
  if (answer.kind === "approved" || answer.kind === "declined" || answer.kind === "unreadable") return answer;
  if (answer.kind !== "unknown" || host.can.repeatRefund)
    return { kind: "unknown", withinMs: host.repeatsWithinMs };
  return reverseRefund(ctx, merchant, sent, "downstream_error");
};

/** The host made only a part of the refund. The merchant asked for all of it, so the part goes back. */
export function isPartOf(
  { amount }: Pick<Refund, "amount">,
  answer: { readonly kind: string; readonly approvedAmount?: Cents },
): boolean {
  return answer.kind === "approved" && (answer.approvedAmount ?? amount) < amount;
}

/** Declines the refund once the host has confirmed that nothing of it stands. */
export async function reverseRefund(
  ctx: Context,
  merchant: Merchant,
  { transaction, reference }: { readonly transaction: Transaction; readonly reference: Refund["id"] },
  code: DeclineName,
): Promise<RefundAnswer> {
  const options = { reference, endsWithAnyAnswer: true } as const;
  const { kind } = await reverseAtAcquirer(ctx, merchant, transaction, options);
  if (kind === "approved") return { ...decline(code), isReversed: true };
  const { host } = await ctx.acquirers.get(merchant, transaction.acquirerAccountId);
  return { kind: "unknown", withinMs: host.repeatsWithinMs };
}

/** A deleted instrument has no number any more; the bank may still find the account by the debit. */
const byDebitBank: Rail = (ctx, merchant) => {
  const bank = ctx.connectors.findDebitBank(merchant) ?? refuse("checkout_acquirer_missing");
  return inTime(ctx, async (transaction, refund) => {
    const { merchantId, paymentInstrumentId, bankAccount } = transaction;
    if (paymentInstrumentId === null || bankAccount === null) {
      throw new Error("a direct debit has no account");
    }
    const { id, amount } = refund;
    const place = { merchantId, instrumentId: paymentInstrumentId, field: "account_number" } as const;
    const input = { reference: id, debit: transaction.id, amount };
    const use = { purpose: "refund", subjectId: id } as const;
    const credit = async (request: CreditRequest) =>
      (await maySend(ctx, refund)) ? bank.credit(request) : decline("returned");
    const answer = await ctx.vault.use(ctx.db, place, use, (number) =>
      credit({ ...input, account: { ...bankAccount, number } }),
    );
    return answer ?? credit(input);
  });
};

/**
 * Records that the refund of a debit is sent, right before it is. If the payer's bank has returned the debit, the payer has
 * the money: then a refund that was never sent is not sent any more.
 */
async function maySend(ctx: Context, refund: Refund): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const debit = await lockTransaction(tx, refund.merchantId, refund.transactionId);
    if (debit?.status === "declined" && !(await wasSent(tx, refund))) return false;
    await markSent(tx, refund, ctx.now());
    return true;
  });
}

const byPayIdRail: Rail = (ctx, merchant) => {
  const rail = ctx.connectors.findPayIdRail(merchant) ?? refuse("checkout_acquirer_missing");
  return inTime(ctx, async ({ payId }, { id: reference, amount }) => {
    if (payId === null) throw new Error("a PayID transaction has no transfer");
    return rail.refund({ reference, transfer: payId.transfer, amount });
  });
};

/** With the deadline of every bank. */
function inTime(
  ctx: Context,
  send: (transaction: Transaction, refund: Refund) => Promise<BankAnswer>,
): SendRefund {
  return (transaction, refund) =>
    answerOrUnknown(ctx, () => soundBankAnswer(send(transaction, refund)).catch(orUnreadable));
}

/** The number never reached the bank, so there is no outcome to inquire about: an operator has to restore the key. */
function orUnreadable(error: unknown): typeof UNREADABLE {
  if (error instanceof SecretUnreadable) return UNREADABLE;
  throw error;
}

/** A wallet pays with a card, so its refunds go to the acquirer too. */
const RAILS: Readonly<Record<Source, Rail>> = {
  card: byAcquirer,
  ...(Object.fromEntries(WALLETS.map((wallet) => [wallet, byAcquirer])) as Record<Wallet, Rail>),
  direct_debit: byDebitBank,
  payid: byPayIdRail,
};

/** A refund goes through the rail of its transaction's source. Refuses where the merchant has no connector for it. */
export function getRefundRail(ctx: Context, merchant: Merchant, source: Source): SendRefund {
  return RAILS[source](ctx, merchant);
}
