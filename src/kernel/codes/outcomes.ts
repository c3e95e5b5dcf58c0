/** What a bank can answer. An approval or a decline is an answer, not an error: HTTP 200 either way. */
export const APPROVALS = {
  A02000: "approved",
  A02008: "honor_with_identification",
  A02010: "approved_for_partial_amount",
  A02011: "approved_vip",
  A02016: "approved_update_track_3",
} as const;

export const DECLINES = {
  D04401: "refer_to_issuer",
  D04403: "no_merchant",
  D04404: "pick_up_card",
  D04405: "do_not_honour",
  D04406: "error",
  D04412: "invalid_transaction",
  D04413: "invalid_amount",
  D04414: "invalid_card_number",
  D04415: "no_issuer",
  D04417: "3d_secure_error",
  D04422: "suspected_malfunction",
  D04430: "format_error",
  D04431: "bank_not_supported_by_switch",
  D04434: "suspected_fraud_retain_card",
  D04441: "lost_card",
  D04442: "no_universal_account",
  D04443: "stolen_card",
  D04451: "insufficient_funds",
  D04454: "expired_card",
  D04456: "no_card_record",
  D04457: "function_not_permitted_to_cardholder",
  D04458: "function_not_permitted_to_terminal",
  D04459: "suspected_fraud",
  D04462: "restricted_card",
  D04467: "capture_card",
  D04491: "card_issuer_unavailable",
  D04492: "unable_to_route_transaction",
  D10000: "declined",
  D10001: "target_account_invalid",
  D10002: "target_account_blocked",
  D10005: "returned",
  D10007: "target_account_closed",
  D10009: "downstream_error",
} as const;

export type ApprovalCode = keyof typeof APPROVALS;
export type DeclineCode = keyof typeof DECLINES;
export type OutcomeCode = ApprovalCode | DeclineCode;

/** There is no fourth answer. `unknown` is honest: the money may have moved or not; only asking again can tell. */
export type BankAnswer =
  | { readonly kind: "approved"; readonly code: ApprovalCode }
  | { readonly kind: "declined"; readonly code: DeclineCode }
  | { readonly kind: "unknown" };

export const OUTCOMES: Readonly<Record<OutcomeCode, string>> = { ...APPROVALS, ...DECLINES };
