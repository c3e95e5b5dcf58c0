import { OUTCOMES, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { toIso } from "../../kernel/time.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { Mode } from "../merchants/index.ts";
import type { OperatedTransaction } from "./operations/operation.ts";
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
  const codes = code === null ? undefined : [{ id: OUTCOMES[code], message: code }];
  return defined({ mode, status, codes });
}

export function presentTransaction(one: Transaction, mode: Mode): Wire {
  return {
    id: one.id,
    reference: one.reference,
    ...defined({ paymentRequestId: one.paymentRequestId ?? undefined }),
    ...defined({ metadata: one.metadata ?? undefined }),
    createdDateTime: toIso(one.createdAt),
    updatedDateTime: toIso(one.updatedAt),
    category: {
      method: one.method,
      source: one.source,
      origin: one.origin,
      frequency: one.frequency,
      captureType: one.captureType,
      ...defined({ partialApproval: one.acceptsPartial ? ("accept" as const) : undefined }),
    },
    payment: {
      amount: one.amount,
      surcharge: one.surcharge,
      totalAmount: totalOf(one),
      ...defined({
        approvedAmount: one.status === "approved" ? (one.approvedAmount ?? undefined) : undefined,
      }),
      // A returned debit has captured nothing.
      capturedAmount: one.status === "approved" ? one.captured : 0,
      refundedAmount: one.refunded,
      currencyCode: one.currency,
      instrument: presentInstrument(one),
    },
    ...defined({ captureStatus: one.captureStatus ?? undefined, authentication: presentAuthentication(one) }),
    result: presentOutcome(mode, one.status, one.code),
  };
}

/**
 * The transaction after a capture or void. Its `result` is the operation's: declined with its code, or pending while the
 * outcome is unknown.
 */
export function presentOperated({ transaction, operation }: OperatedTransaction, mode: Mode): Wire {
  const shown = presentTransaction(transaction, mode);
  if (operation.status === "done") return shown;
  const status = operation.status === "refused" ? "declined" : "pending";
  return { ...shown, result: presentOutcome(mode, status, operation.code) };
}

function presentAuthentication({ authentication }: Transaction): Wire["authentication"] {
  return authentication === null ? undefined : { type: "3d_secure", status: authentication };
}

function presentInstrument(one: Transaction): Wire["payment"]["instrument"] {
  const { card, bankAccount, payId, customerId, paymentInstrumentId } = one;
  return defined({
    customer:
      customerId === null || paymentInstrumentId === null
        ? undefined
        : { id: customerId, paymentInstrumentId },
    card: card ?? undefined,
    bankAccount: bankAccount ?? undefined,
    payId: payId === null ? undefined : presentPayId(payId),
  });
}

function presentPayId({ email, payerName }: PaidPayId) {
  return defined({ type: "single", email, payerName });
}

export function transactionPath(id: string): string {
  return `/transactions/${id}`;
}
