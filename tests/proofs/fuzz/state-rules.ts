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

  payment_request_state_conflict: ofRequest(
    ({ paymentRequestStatus, expiryDateTime, payment }, { moments }) =>
      // A transfer names the PayID, not the request that it completes.
      paymentRequestStatus === "created" &&
      payment.instrument === undefined &&
      moments.latest < Date.parse(expiryDateTime),
  ),
  token_payment_request_flow_conflict: ofRequest(
    ({ hostedPaymentPage, payment }) => hostedPaymentPage === undefined && payment.instrument === undefined,
  ),
  // An open request may have the same PayID; they are few, and end with the clock.
  payment_request_payid_value_taken: ({ body }) =>
    between(false, body["payment"]?.instrument?.payId?.value !== undefined),
  payment_request_payment_methods_capability_missing: capabilityVerdict,
  payment_request_three_d_secure_capability_missing: capabilityVerdict,
  payment_request_payid_capability_missing: capabilityVerdict,
  charge_card_capability_missing: capabilityVerdict,
  charge_direct_debit_capability_missing: capabilityVerdict,

  transaction_capture_state_conflict: ofTransaction(
    ({ captureStatus, result, createdDateTime }, { moments }) =>
      captureStatus === "uncaptured" &&
      result.status === "approved" &&
      moments.latest < Date.parse(createdDateTime) + AUTHORISATION_LIFE,
  ),
  transaction_capture_amount_conflict: ofTransaction(
    ({ payment }, { body }) =>
      (body["payment"]?.amount ?? 0) <= (payment.approvedAmount ?? payment.totalAmount),
  ),
  transaction_operation_in_progress: ofTransaction(() => true),
  // A debit may be returned at any time.
  refund_transaction_state_conflict: ofTransaction(
    ({ payment, result }) =>
      result.status === "approved" &&
      payment.capturedAmount > 0 &&
      payment.instrument.bankAccount === undefined,
  ),
  // A dispute holds its amount.
  refund_amount_conflict: ofTransaction(
    ({ payment }, { body }) =>
      payment.amount !== DISPUTED && (body["payment"]?.amount ?? 0) <= payment.capturedAmount,
  ),
  dispute_state_conflict: ofStored(
    ({ params }) => params["disputeId"],
    ({ status, evidenceDueDateTime }, { moments }) =>
      status === "needs_response" && moments.latest < Date.parse(evidenceDueDateTime),
  ),

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

type IsFine = (stored: Body, judged: Judged) => boolean;

function ofRequest(isFine: IsFine) {
  return ofStored(
    ({ params, body }) => params["paymentRequestId"] ?? String((Object(body) as Body)["paymentRequestId"]),
    isFine,
  );
}

function ofTransaction(isFine: IsFine) {
  return ofStored(({ params }) => params["transactionId"], isFine);
}

/** The rule is kept if what was last read of the resource is fine and no other request may have changed it. */
function ofStored(idOf: (request: Judged["request"]) => string | undefined, isFine: IsFine) {
  return (judged: Judged): Verdict => {
    const id = idOf(judged.request) ?? "";
    const stored = judged.facts.storedAs(id);
    return between(false, stored === undefined || judged.contested.has(id) || !isFine(stored, judged));
  };
}
