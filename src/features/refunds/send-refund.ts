import { soundAnswer } from "../../connectors/ports/sound-answer.ts";
import { type BankAnswer, decline } from "../../kernel/codes/outcomes.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Source } from "../../kernel/source.ts";
import { WALLETS, type Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import { SecretUnreadable } from "../../platform/vault/errors.ts";
import type { Merchant } from "../merchants/index.ts";
import { aboutPayment, answerOrUnknown, reverseAtAcquirer, type Transaction } from "../transactions/index.ts";
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
 * declined, once the host has confirmed the reversal.
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
  if (answer.kind === "approved" || answer.kind === "declined" || answer.kind === "unreadable") return answer;
  const open = { kind: "unknown", withinMs: host.repeatsWithinMs } as const;
  if (answer.kind !== "unknown" || host.can.repeatRefund) return open;
  const reversed = await reverseAtAcquirer(ctx, merchant, transaction, reference);
  return reversed.kind === "approved" ? { ...decline("downstream_error"), isReversed: true } : open;
};

/** A deleted instrument has no number any more; the bank may still find the account by the debit. */
const byDebitBank: Rail = (ctx, merchant) => {
  const bank = ctx.connectors.findDebitBank(merchant) ?? refuse("checkout_acquirer_missing");
  return inTime(ctx, async (transaction, { id, amount }) => {
    const { merchantId, paymentInstrumentId, bankAccount } = transaction;
    if (paymentInstrumentId === null || bankAccount === null) {
      throw new Error("a direct debit has no account");
    }
    const place = { merchantId, instrumentId: paymentInstrumentId, field: "account_number" } as const;
    const input = { reference: id, debit: transaction.id, amount };
    const use = { purpose: "refund", subjectId: id } as const;
    const answer = await ctx.vault.use(ctx.db, place, use, (number) =>
      bank.credit({ ...input, account: { ...bankAccount, number } }),
    );
    return answer ?? bank.credit(input);
  });
};

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
  return (transaction, refund) => answerOrUnknown(ctx, () => send(transaction, refund).catch(orUnreadable));
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
