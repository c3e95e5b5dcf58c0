import type { Instant } from "../../kernel/time.ts";
import { at, type Cell } from "../../platform/db/database.ts";
import { jsonRow } from "../../platform/db/json-rows.ts";
import { metadataValue } from "../../platform/db/metadata-pairs.ts";
import { type Change, eventValues } from "../../platform/outbox/publish.ts";
import type { FollowUp } from "../transactions/index.ts";
import type { PaymentRequest } from "./payment-request.ts";

/** What is written with a new request. */
export const NEW_REQUEST = {
  merchant_id: "text",
  id: "text",
  reference: "text",
  external_reference: "text",
  flow: "text",
  status: "text",
  amount: "bigint",
  currency: "text",
  details: "json",
  logo: "text",
  page_key: "text",
  payid_value: "text",
  expires_at: "timestamptz",
  created_at: "timestamptz",
  event_merchant_id: "text",
  event_id: "text",
  event: "text",
  event_resource_id: "text",
  event_created_at: "timestamptz",
  event_body: "text",
  expiry_due_at: "timestamptz",
  key: "text",
  request_id: "text",
  location: "text",
  metadata: "json",
} as const;

/** What a new request comes with: its event, the idempotency key, the job that expires it, that of a PayID. */
export type NewRequestRows = {
  readonly request: PaymentRequest;
  readonly change: Change;
  readonly use: { readonly key: string | undefined; readonly requestId: string; readonly location: string };
  readonly expiryDue: Instant;
  readonly registration: FollowUp | undefined;
};

/** For `jsonRows` of `NEW_REQUEST`. */
export function newRequestRow({ request, change, use, expiryDue }: NewRequestRows): object {
  return jsonRow(NEW_REQUEST, [
    request.merchantId,
    request.id,
    request.reference,
    request.externalReference,
    request.flow,
    request.status,
    request.amount,
    request.currency,
    JSON.stringify(request.details),
    request.logo,
    request.pageKey,
    request.payIdValue,
    at(request.expiresAt),
    at(request.createdAt),
    ...eventValues(change),
    at(expiryDue),
    use.key ?? null,
    use.requestId,
    use.location,
    metadataValue(request.metadata),
  ]);
}

/** What a change sets, after the key, in the order of `changedRequestValues`. */
export const REQUEST_CHANGE = {
  merchant_id: "text",
  id: "text",
  status: "text",
  approved_transaction_id: "text",
  failed_transaction_ids: "text[]",
  updated_at: "timestamptz",
  customer_id: "text",
  payment_instrument_id: "text",
  payid_returns: "json",
} as const;

export function changedRequestValues(request: PaymentRequest): readonly (Cell | readonly Cell[])[] {
  return [
    request.merchantId,
    request.id,
    request.status,
    request.approvedTransactionId,
    request.failedTransactionIds,
    at(request.updatedAt),
    request.customerId,
    request.paymentInstrumentId,
    request.payIdReturns.length === 0 ? null : JSON.stringify(request.payIdReturns),
  ];
}
