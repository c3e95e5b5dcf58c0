import { DISPUTED } from "../../support/disputes.ts";
import { CAPABILITIES } from "./claims.ts";
import type { Body } from "./fuzz-request.ts";
import { between, breaksIf, type Judged, type Rules, type Verdict } from "./verdict.ts";

const MOST_BYTES = 256 * 1_024;
const DAY = 24 * 60 * 60 * 1_000;
const AUTHORISATION_LIFE = 7 * DAY;
const CLOCK_AHEAD = 20 * 365 * DAY;

/** Refusals for what the gateway has stored, which other requests and the clock change. */
export const STATE_RULES: Rules = {
  resource_not_found: pathVerdict,
  path_not_found: pathVerdict,
  body_size_too_large: ({ request }) =>
    breaksIf(Buffer.byteLength(JSON.stringify(request.body) ?? "") > MOST_BYTES),
  header_idempotency_key_is_used: ({ request, contested }) =>
    between(false, contested.has(request.headers["x-idempotency-key"] ?? "")),

  payment_request_state_conflict: ofRequest({
    isFine: ({ paymentRequestStatus, expiryDateTime, payment }, { moments }) =>
      // A transfer names the PayID, not the request that it completes.
      paymentRequestStatus === "created" &&
      payment.instrument === undefined &&
      moments.latest < Date.parse(expiryDateTime),
    isFinal: ({ paymentRequestStatus, expiryDateTime }, { moments }) =>
      paymentRequestStatus !== "created" || moments.earliest > Date.parse(expiryDateTime),
    refuses: ["cancelPaymentRequest", "createToken"],
  }),
  token_payment_request_flow_conflict: ofRequest({
    isFine: isCheckout,
    isFinal: (request) => !isCheckout(request),
    refuses: ["createToken"],
  }),
  // An open request may have the same PayID; they are few, and end with the clock.
  payment_request_payid_value_taken: ({ body }) =>
    between(false, body["payment"]?.instrument?.payId?.value !== undefined),
  payment_request_payment_methods_capability_missing: capabilityVerdict,
  payment_request_three_d_secure_capability_missing: capabilityVerdict,
  payment_request_payid_capability_missing: capabilityVerdict,
  charge_card_capability_missing: capabilityVerdict,
  charge_direct_debit_capability_missing: capabilityVerdict,

  transaction_capture_state_conflict: ofTransaction({
    isFine: ({ captureStatus, result, createdDateTime }, { moments }) =>
      captureStatus === "uncaptured" &&
      result.status === "approved" &&
      moments.latest < Date.parse(createdDateTime) + AUTHORISATION_LIFE,
    isFinal: ({ captureStatus, result }) => captureStatus !== "uncaptured" || result.status === "declined",
    refuses: ["captureTransaction", "cancelTransaction"],
  }),
  transaction_capture_amount_conflict: ofTransaction({
    isFine: (transaction, { body }) => amountOf(body) <= authorised(transaction),
    isFinal: (transaction, { body }) => amountOf(body) > authorised(transaction),
    refuses: ["captureTransaction"],
  }),
  transaction_operation_in_progress: ofTransaction({ isFine: () => true }),
  refund_transaction_state_conflict: ofTransaction({
    // A debit may be returned at any time.
    isFine: ({ payment, result }) =>
      result.status === "approved" &&
      payment.capturedAmount > 0 &&
      payment.instrument.bankAccount === undefined,
    isFinal: ({ captureStatus, result }) =>
      ["voided", "expired"].includes(captureStatus) || result.status === "declined",
    refuses: ["createRefund"],
  }),
  refund_amount_conflict: ofTransaction({
    // A dispute holds its amount.
    isFine: ({ payment }, { body }) =>
      payment.amount !== DISPUTED && amountOf(body) <= payment.capturedAmount,
    isFinal: ({ captureStatus, payment }, { body }) =>
      captureStatus === "captured" && amountOf(body) > payment.capturedAmount,
    refuses: ["createRefund"],
  }),
  dispute_state_conflict: ofStored(({ params }) => params["disputeId"], {
    isFine: ({ status, evidenceDueDateTime }, { moments }) =>
      status === "needs_response" && moments.latest < Date.parse(evidenceDueDateTime),
    isFinal: ({ status, evidenceDueDateTime }, { moments }) =>
      status !== "needs_response" || moments.earliest > Date.parse(evidenceDueDateTime),
    refuses: ["sendDisputeEvidence", "acceptDispute"],
  }),

  webhook_event_conflict: ({ body, contested }) => between(false, contested.has(body["event"])),
  // Pings go on after their answer.
  webhook_test_in_progress: ({ request, contested }) =>
    between(false, contested.has(request.params["webhookId"] ?? "")),
  // Which subscriptions were active at that moment, and how many events there were, no answer says.
  event_redelivery_subscription_conflict: () => "open",
  event_redelivery_range_conflict: () => "open",

  sandbox_clock_limit_conflict: ({ moments }) => between(false, moments.latest - Date.now() > CLOCK_AHEAD),
  // Only the last PayIDs are kept.
  transfer_payid_unknown: ({ body, facts }) => between(false, !facts.payIds.includes(body["payId"])),
  // None is registered: that would call the merchant's own domain.
  wallet_domain_unknown: ({ request }) => breaksIf(request.operationId === "removeApplePayDomains"),
};

/** Ids of the path come from answers, or are none. */
function pathVerdict({ request: { params }, facts }: Judged): Verdict {
  const names = Object.keys(params);
  const together = facts.pairs.get(names.at(-1) ?? "") ?? [];
  return between(
    Object.values(params).some((id) => !facts.isKnown(id)),
    Object.values(params).some(facts.isDeleting) ||
      (names.length > 1 && !together.some((pair) => names.every((name) => pair[name] === params[name]))),
  );
}

function capabilityVerdict({ contested }: Judged): Verdict {
  return between(false, contested.has(CAPABILITIES));
}

type Judge = (stored: Body, judged: Judged) => boolean;

type Rule = {
  readonly isFine: Judge;
  /** Whether a state is shown that is never left, or an amount that never changes. */
  readonly isFinal?: Judge;
  /** The operations that are refused then. */
  readonly refuses?: readonly string[];
};

function ofRequest(rule: Rule) {
  return ofStored(
    ({ params, body }) => params["paymentRequestId"] ?? String((Object(body) as Body)["paymentRequestId"]),
    rule,
  );
}

function ofTransaction(rule: Rule) {
  return ofStored(({ params }) => params["transactionId"], rule);
}

/**
 * The rule is broken if an answer before the request showed what it breaks for good; it is kept if what was last read of the
 * resource is fine and no other request may have changed it.
 */
function ofStored(
  idOf: (request: Judged["request"]) => string | undefined,
  { isFine, isFinal, refuses }: Rule,
) {
  return (judged: Judged): Verdict => {
    const id = idOf(judged.request) ?? "";
    const stored = judged.facts.storedAs(id);
    const before = refuses?.includes(judged.request.operationId) ? judged.before.get(id) : undefined;
    return between(
      before !== undefined && isFinal?.(before, judged) === true,
      stored === undefined || judged.contested.has(id) || !isFine(stored, judged),
    );
  };
}

function isCheckout({ hostedPaymentPage, payment }: Body): boolean {
  return hostedPaymentPage === undefined && payment.instrument === undefined;
}

function amountOf(body: Body): number {
  return body["payment"]?.amount ?? 0;
}

function authorised({ payment }: Body): number {
  return payment.approvedAmount ?? payment.totalAmount;
}
