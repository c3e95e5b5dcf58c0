import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Source } from "../../kernel/source.ts";
import { WALLETS, type Wallet } from "../../kernel/wallets.ts";
import type { Context } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import type { Refund } from "./refund.ts";

type SendRefund = (transaction: Transaction, refund: Refund) => Promise<BankAnswer>;
type Rail = (ctx: Context, merchant: Merchant) => SendRefund;

const byAcquirer: Rail = ({ connectors }, merchant) => {
  const acquirer = connectors.getCardAcquirer(merchant);
  return ({ id: transaction }, { id: reference, amount }) =>
    acquirer.refund({ reference, transaction, amount });
};

/** A deleted instrument has no number any more; the bank may still find the account by the debit. */
const byDebitBank: Rail = (ctx, merchant) => {
  const bank = ctx.connectors.findDebitBank(merchant) ?? refuse("checkout_acquirer_missing");
  return async (transaction, { id, amount }) => {
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
  };
};

const byPayIdRail: Rail = ({ connectors }, merchant) => {
  const rail = connectors.findPayIdRail(merchant) ?? refuse("checkout_acquirer_missing");
  return ({ payId }, { id: reference, amount }) => {
    if (payId === null) throw new Error("a PayID transaction has no transfer");
    return rail.refund({ reference, transfer: payId.transfer, amount });
  };
};

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
