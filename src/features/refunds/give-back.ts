import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Source } from "../../kernel/source.ts";
import { type Connectors, type Context, connectorsOf } from "../../platform/context.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import type { Refund } from "./refund.ts";

type GiveBack = (
  connectors: Connectors,
  taken: Transaction,
  refund: Refund,
  ctx: Context,
) => Promise<BankAnswer>;

const byAcquirer: GiveBack = ({ acquirer }, { id: transaction }, { id: reference, amount }) =>
  acquirer.refund({ reference, transaction, amount });

/** The number is erased with the instrument; a bank may find the account by the debit all the same. */
const byDebitBank: GiveBack = async ({ debitBank }, taken, { id, amount }, ctx) => {
  const { merchantId, paymentInstrumentId, bankAccount } = taken;
  if (paymentInstrumentId === null || bankAccount === null) {
    throw new Error("a debit does not know its account");
  }
  const place = { merchantId, instrumentId: paymentInstrumentId, field: "account_number" } as const;
  const input = { reference: id, debit: taken.id, amount };
  const use = { purpose: "refund", subjectId: id } as const;
  const answer = await ctx.vault.use(ctx.db, place, use, (number) =>
    debitBank.credit({ ...input, account: { ...bankAccount, number } }),
  );
  return answer ?? debitBank.credit(input);
};

/** Money goes back the way it came: through the rail of its transaction's source. */
const WAYS_BACK: Readonly<Record<Source, GiveBack>> = {
  card: byAcquirer,
  apple_pay: byAcquirer,
  google_pay: byAcquirer,
  direct_debit: byDebitBank,
  payid: ({ payIdRail }, { payId }, { id: reference, amount }) => {
    if (payId === null) throw new Error("a PayID payment does not know its transfer");
    return payIdRail.refund({ reference, transfer: payId.transfer, amount });
  },
};

export async function giveBack(
  ctx: Context,
  merchant: Merchant,
  taken: Transaction,
  refund: Refund,
): Promise<BankAnswer> {
  return WAYS_BACK[taken.source](connectorsOf(ctx, merchant), taken, refund, ctx);
}
