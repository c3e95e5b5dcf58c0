import type { BankAnswer } from "../../kernel/codes/outcomes.ts";
import type { Connectors } from "../../platform/world.ts";
import type { Source, Transaction } from "../transactions/index.ts";
import type { Refund } from "./refund.ts";

type GiveBack = (connectors: Connectors, taken: Transaction, refund: Refund) => Promise<BankAnswer>;

const byAcquirer: GiveBack = ({ acquirer }, { id: transaction }, { id: reference, amount }) =>
  acquirer.refund({ reference, transaction, amount });

/** Money goes back the way it came: through the rail of its transaction's source. */
const WAYS_BACK: Readonly<Partial<Record<Source, GiveBack>>> = {
  card: byAcquirer,
  apple_pay: byAcquirer,
  google_pay: byAcquirer,
  payid: ({ payIdRail }, { payId }, { id: reference, amount }) => {
    if (payId === null) throw new Error("a PayID payment does not know its transfer");
    return payIdRail.refund({ reference, transfer: payId.transfer, amount });
  },
};

export const giveBack: GiveBack = async (connectors, taken, refund) => {
  const way = WAYS_BACK[taken.source];
  if (way === undefined) throw new Error(`no rail gives back what came by ${taken.source}`);
  return way(connectors, taken, refund);
};
