import type { OutcomeName } from "../../kernel/codes/outcomes.ts";
import { type OutcomeOf, presentOutcomeCode } from "../../kernel/codes/present-code.ts";
import { defined } from "../../kernel/defined.ts";
import { type LateApproval, lateApprovalStatus } from "../../kernel/late-approval.ts";
import type { MaskedCard } from "../../kernel/masked-card.ts";
import type { Mode } from "../../kernel/mode.ts";
import { toIso } from "../../kernel/time.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { OperatedTransaction } from "./operations/operation.ts";
import type { PaidPayId, Transaction, TransactionStatus } from "./transaction.ts";
import { totalOf } from "./transaction-rules.ts";
import type { OUTCOME_RESULT, TransactionAnswer } from "./wire.ts";

type Wire = Static<typeof TransactionAnswer>;

/** Answers link to the docs of this gateway. */
export type Links = Pick<Settings, "baseUrl">;

type Outcome = { readonly status: TransactionStatus; readonly code: OutcomeName | null };

/** The bank's answer, in the shape of every `result`. */
export function presentOutcome(
  { status, code }: Outcome,
  mode: Mode,
  { baseUrl }: Links,
  of?: OutcomeOf,
): Static<typeof OUTCOME_RESULT> {
  const codes = code === null ? undefined : [presentOutcomeCode(code, baseUrl, of)];
  return defined({ mode, status, codes });
}

export function presentTransaction(one: Transaction, mode: Mode, links: Links): Wire {
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
    ...defined({
      captureStatus: one.captureStatus ?? undefined,
      captureReference: one.captureReference ?? undefined,
      authentication: presentAuthentication(one),
      acquirer: presentAcquirer(one),
      lateApproval: presentLateApproval(one.lateApproval),
    }),
    result: presentOutcome(one, mode, links),
  };
}

/**
 * The transaction after a capture or void. Its `result` is the operation's: declined with its code, or pending while the
 * outcome is unknown.
 */
export function presentOperated(
  { transaction, operation }: OperatedTransaction,
  mode: Mode,
  links: Links,
): Wire {
  const shown = presentTransaction(transaction, mode, links);
  if (operation.status === "done") return shown;
  const status = operation.status === "refused" ? "declined" : "pending";
  return { ...shown, result: presentOutcome({ status, code: operation.code }, mode, links, "operation") };
}

function presentAuthentication({
  authentication: status,
  authenticationFacts,
}: Transaction): Wire["authentication"] {
  if (status === null) return undefined;
  const { version, eci } = authenticationFacts ?? {};
  return defined({ type: "3d_secure", status, version, eci });
}

/** Of a payment or a refund. */
export function presentLateApproval(one: LateApproval | null): Wire["lateApproval"] {
  if (one === null) return undefined;
  const { amount, approvedAt, reversedAt } = one;
  return {
    amount,
    status: lateApprovalStatus(one),
    approvedDateTime: toIso(approvedAt),
    ...defined({ reversedDateTime: reversedAt === undefined ? undefined : toIso(reversedAt) }),
  };
}

/**
 * Of card payments, as far as the acquirer has answered. A pending payment may have an answer that does not count, because a
 * part is being reversed: it is shown, with an event, once the payment has ended.
 */
function presentAcquirer({ acquirer, status }: Transaction): Wire["acquirer"] {
  if (acquirer === null) return undefined;
  const { connector, authorisationCode, retrievalReference, responseCode } = acquirer;
  if (status === "pending") return { connector };
  const { networkTransactionId, securityCodeResult, addressResult, retryAdvice } = acquirer;
  return defined({
    connector,
    authorisationCode,
    retrievalReference,
    responseCode,
    networkTransactionId,
    securityCodeResult,
    addressResult,
    retryAdvice,
  });
}

function presentInstrument(one: Transaction): Wire["payment"]["instrument"] {
  const { card, bankAccount, payId, customerId, paymentInstrumentId } = one;
  return defined({
    customer:
      customerId === null || paymentInstrumentId === null
        ? undefined
        : { id: customerId, paymentInstrumentId },
    card: card === null ? undefined : presentCard(card),
    bankAccount: bankAccount ?? undefined,
    payId: payId === null ? undefined : presentPayId(payId),
  });
}

function presentCard({ isNetworkToken: _, ...shown }: MaskedCard) {
  return shown;
}

function presentPayId({ email, payerName }: PaidPayId) {
  return defined({ type: "single", email, payerName });
}

export function transactionPath(id: string): string {
  return `/transactions/${id}`;
}
