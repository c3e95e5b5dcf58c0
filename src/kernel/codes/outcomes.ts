/** Outcomes at a bank. A decline is an outcome, not an error: HTTP 200 either way. */
export const APPROVALS = {
  approved: "A02000",
  honor_with_identification: "A02008",
  approved_for_partial_amount: "A02010",
  approved_vip: "A02011",
  approved_update_track_3: "A02016",
} as const;

export const DECLINES = {
  refer_to_issuer: "D04401",
  no_merchant: "D04403",
  pick_up_card: "D04404",
  do_not_honour: "D04405",
  error: "D04406",
  partial_approval_refused: "D04410",
  invalid_transaction: "D04412",
  invalid_amount: "D04413",
  invalid_card_number: "D04414",
  no_issuer: "D04415",
  "3d_secure_error": "D04417",
  suspected_malfunction: "D04422",
  format_error: "D04430",
  bank_not_supported_by_switch: "D04431",
  suspected_fraud_retain_card: "D04434",
  lost_card: "D04441",
  no_universal_account: "D04442",
  stolen_card: "D04443",
  insufficient_funds: "D04451",
  expired_card: "D04454",
  no_card_record: "D04456",
  function_not_permitted_to_cardholder: "D04457",
  function_not_permitted_to_terminal: "D04458",
  suspected_fraud: "D04459",
  restricted_card: "D04462",
  capture_card: "D04467",
  card_issuer_unavailable: "D04491",
  unable_to_route_transaction: "D04492",
  declined: "D10000",
  target_account_invalid: "D10001",
  target_account_blocked: "D10002",
  target_account_name_mismatch: "D10003",
  returned: "D10005",
  target_account_closed: "D10007",
  downstream_error: "D10009",
} as const;

export type ApprovalName = keyof typeof APPROVALS;
export type DeclineName = keyof typeof DECLINES;
export type OutcomeName = ApprovalName | DeclineName;

/** There is no fourth kind. `unknown`: the money may have moved or not; only an inquiry at the bank finds out. */
export type BankAnswer =
  | { readonly kind: "approved"; readonly code: ApprovalName }
  | { readonly kind: "declined"; readonly code: DeclineName }
  | { readonly kind: "unknown" };

/** The number of each outcome, by name. */
export const OUTCOMES = { ...APPROVALS, ...DECLINES } as const;

/** Outcomes that the gateway decides itself; no acquirer answers them. */
export const OWN_OUTCOMES: readonly OutcomeName[] = ["3d_secure_error", "partial_approval_refused"];

const NAMES: ReadonlyMap<string, OutcomeName> = new Map(
  Object.entries(OUTCOMES).map(([name, id]) => [id, name as OutcomeName]),
);

export function approve(code: ApprovalName): { readonly kind: "approved"; readonly code: ApprovalName } {
  return { kind: "approved", code };
}

export function decline(code: DeclineName): { readonly kind: "declined"; readonly code: DeclineName } {
  return { kind: "declined", code };
}

export function isApproval(code: OutcomeName): code is ApprovalName {
  return code in APPROVALS;
}

export function answerWith(code: OutcomeName): Exclude<BankAnswer, { kind: "unknown" }> {
  return isApproval(code) ? approve(code) : decline(code);
}

/** The name of an outcome that was stored or sent by its number. */
export function findOutcome(id: string): OutcomeName | undefined {
  return NAMES.get(id);
}

/** The same for a number that the gateway stored itself: an unknown one is a bug. */
export function outcomeOf(id: string): OutcomeName {
  const name = NAMES.get(id);
  if (name === undefined) throw new Error(`${id} is not an outcome of the catalogue`);
  return name;
}
