import { defined } from "../../kernel/defined.ts";
import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import { type Links, presentLateApproval, presentOutcome, transactionPath } from "../transactions/index.ts";
import type { Refund } from "./refund.ts";
import type { RefundAnswer } from "./wire.ts";

export function presentRefund(refund: Refund, mode: Mode, links: Links): Static<typeof RefundAnswer> {
  return {
    id: refund.id,
    location: links.baseUrl + refundPath(refund),
    transactionId: refund.transactionId,
    reference: refund.reference,
    ...(refund.metadata === null ? {} : { metadata: refund.metadata }),
    createdDateTime: toIso(refund.createdAt),
    updatedDateTime: toIso(refund.updatedAt),
    category: { method: "refund" },
    payment: { amount: refund.amount, currencyCode: refund.currency },
    ...defined({ lateApproval: presentLateApproval(refund.lateApproval) }),
    result: presentOutcome(refund, mode, links, "operation"),
  };
}

export function refundPath({ transactionId, id }: Pick<Refund, "transactionId" | "id">): string {
  return `${transactionPath(transactionId)}/refunds/${id}`;
}
