import { OUTCOMES, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { Mode } from "../merchants/index.ts";
import type { PaidPayId, Transaction, TransactionStatus } from "./transaction.ts";
import { totalOf } from "./transaction-rules.ts";
import type { OUTCOME_RESULT, TransactionAnswer } from "./wire.ts";

type Wire = Static<typeof TransactionAnswer>;

/** The bank's answer, in the shape of every `result`. */
export function presentOutcome(
  mode: Mode,
  status: TransactionStatus,
  code: OutcomeName | null,
): Static<typeof OUTCOME_RESULT> {
  return { mode, status, ...(code === null ? {} : { codes: [{ id: OUTCOMES[code], message: code }] }) };
}

export function presentTransaction(one: Transaction, mode: Mode): Wire {
  return {
    id: one.id,
    reference: one.reference,
    ...(one.paymentRequestId === null ? {} : { paymentRequestId: one.paymentRequestId }),
    createdDateTime: toIso(one.createdAt),
    updatedDateTime: toIso(one.updatedAt),
    category: {
      method: one.method,
      source: one.source,
      origin: one.origin,
      frequency: one.frequency,
      captureType: one.captureType,
    },
    payment: {
      amount: one.amount,
      surcharge: one.surcharge,
      totalAmount: totalOf(one),
      // A returned debit has captured nothing.
      capturedAmount: one.status === "approved" ? one.captured : 0,
      refundedAmount: one.refunded,
      currencyCode: one.currency,
      instrument: presentInstrument(one),
    },
    ...(one.captureStatus === null ? {} : { captureStatus: one.captureStatus }),
    ...(one.authentication === null
      ? {}
      : { authentication: { type: "3d_secure", status: one.authentication } }),
    result: presentOutcome(mode, one.status, one.code),
  };
}

function presentInstrument(one: Transaction): Wire["payment"]["instrument"] {
  const { card, bankAccount, payId, customerId, paymentInstrumentId } = one;
  return {
    ...(customerId === null || paymentInstrumentId === null
      ? {}
      : { customer: { id: customerId, paymentInstrumentId } }),
    ...(card === null ? {} : { card }),
    ...(bankAccount === null ? {} : { bankAccount }),
    ...(payId === null ? {} : { payId: presentPayId(payId) }),
  };
}

function presentPayId({ email, payerName }: PaidPayId) {
  return { type: "single", email, ...(payerName === undefined ? {} : { payerName }) } as const;
}

export function transactionPath(id: string): string {
  return `/transactions/${id}`;
}
