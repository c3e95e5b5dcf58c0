import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Source } from "../../kernel/source.ts";
import { type Connectors, connectorsOf, type World } from "../../platform/world.ts";
import type { Merchant } from "../merchants/index.ts";
import type { Transaction } from "../transactions/index.ts";
import type { Refund } from "./refund.ts";

type GiveBack = (
  connectors: Connectors,
  taken: Transaction,
  refund: Refund,
  world: World,
) => Promise<BankAnswer>;

const byAcquirer: GiveBack = ({ acquirer }, { id: transaction }, { id: reference, amount }) =>
  acquirer.refund({ reference, transaction, amount });

/** The number is erased with the instrument; a bank may find the account by the debit all the same. */
const byDebitBank: GiveBack = async ({ debitBank }, taken, { id, amount }, world) => {
  const { merchantId, paymentInstrumentId, bankAccount } = taken;
  if (paymentInstrumentId === null || bankAccount === null) {
    throw new Error("a debit does not know its account");
  }
  const place = { merchantId, instrumentId: paymentInstrumentId, field: "account_number" } as const;
  const ask = { reference: id, debit: taken.id, amount };
  const use = { purpose: "refund", subjectId: id } as const;
  const answer = await world.vault.use(world.db, place, use, (number) =>
    debitBank.credit({ ...ask, account: { ...bankAccount, number } }),
  );
  return answer ?? debitBank.credit(ask);
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
  world: World,
  merchant: Merchant,
  taken: Transaction,
  refund: Refund,
): Promise<BankAnswer> {
  return WAYS_BACK[taken.source](connectorsOf(world, merchant), taken, refund, world);
}
