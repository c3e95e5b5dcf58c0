import { isApproval, type OutcomeName } from "./outcomes.ts";

/** What merchant and payer can do after each outcome, in one sentence. */
export const OUTCOME_DETAILS: Readonly<Record<OutcomeName, string>> = {
  approved: "Nothing is left to do; the payment is approved.",
  honor_with_identification:
    "Check the payer's identity before you deliver, if you can; the issuer approved the payment on that condition.",
  approved_for_partial_amount:
    "Collect the rest another way, or refund this payment; the issuer approved only a part of the amount.",
  approved_vip: "Nothing is left to do; the payment is approved.",
  approved_update_track_3: "Nothing is left to do; the payment is approved.",
  refer_to_issuer: "Ask the payer to call the card's issuer, or to pay with another card.",
  no_merchant: "Have the acquirer check your merchant account; it does not know it.",
  pick_up_card: "Ask the payer for another card, and do not retry this one; its issuer has withdrawn it.",
  do_not_honour:
    "Ask the payer to contact the card's issuer, which gives no reason, or to pay with another card.",
  error: "Try again later, or ask the payer for another card; an error occurred at the issuer.",
  partial_approval_refused:
    "Ask the payer for another card, or accept partial approvals; the issuer approved only a part of the amount, which was returned.",
  invalid_transaction: "Ask the payer for another card; the issuer does not allow this kind of payment.",
  invalid_amount: "Check the amount; the issuer does not accept it.",
  invalid_card_number: "Ask the payer to check the card number; the issuer has no such card.",
  no_issuer: "Ask the payer to check the card number, or for another card; no issuer was found for this one.",
  "3d_secure_error": "Ask the payer to confirm with the card's bank again, or to pay with another card.",
  suspected_malfunction: "Try again later; the issuer suspects a malfunction in the network.",
  format_error: "Report this to the gateway's operator; the acquirer could not read the message.",
  bank_not_supported_by_switch:
    "Ask the payer for another card; the network does not reach this card's bank.",
  suspected_fraud_retain_card:
    "Do not deliver and do not retry; the issuer suspects fraud and has withdrawn the card.",
  lost_card: "Ask the payer for another card, and do not retry this one; it was reported lost.",
  no_universal_account: "Ask the payer for another card; this one has no such account.",
  stolen_card: "Do not deliver and do not retry; the card was reported stolen.",
  insufficient_funds: "Ask the payer for another card, or to try again once the account has enough funds.",
  expired_card: "Ask the payer to check the expiry date, or for another card; this one has expired.",
  no_card_record:
    "Ask the payer to check the card number, or for another card; the issuer has no record of this one.",
  function_not_permitted_to_cardholder:
    "Ask the payer for another card, or to have the issuer allow this kind of payment; it is not permitted with this card.",
  function_not_permitted_to_terminal:
    "Have the acquirer allow this kind of payment for your merchant account; it is not permitted now.",
  suspected_fraud:
    "Do not deliver before you have checked the order, and ask for another card; the issuer suspects fraud.",
  restricted_card: "Ask the payer for another card; the issuer restricts where this one can be used.",
  capture_card: "Ask the payer for another card, and do not retry this one; its issuer has withdrawn it.",
  card_issuer_unavailable: "Try again later, or ask the payer for another card; the issuer did not respond.",
  unable_to_route_transaction:
    "Try again later, or ask the payer for another card; the network found no way to the issuer.",
  declined: "Ask the payer to contact the bank, or to pay another way; the bank declined and gave no reason.",
  target_account_invalid:
    "Ask the payer for the right account number; the bank has no such account, or the stored account was deleted.",
  target_account_blocked: "Ask the payer to contact the bank, or for another account; this one is blocked.",
  returned:
    "Contact the payer and collect the amount another way; the bank returned the debit after it was approved.",
  target_account_name_mismatch:
    "Ask the payer for the name of the account holder; it has to match the bank's record.",
  target_account_closed: "Ask the payer for another account; this one is closed.",
  downstream_error:
    "Try again later; the acquirer or the bank could not be reached, and the payer is not charged.",
};

/** Where a refund, a capture or a void that is declined needs other advice than most. */
const OPERATION_DETAILS: { readonly [name in OutcomeName]?: string } = {
  no_merchant: OUTCOME_DETAILS.no_merchant,
  partial_approval_refused: "Try again in smaller amounts; the acquirer did only a part, which was reversed.",
  invalid_amount: "Check the amount; the acquirer does not accept it.",
  format_error: OUTCOME_DETAILS.format_error,
  function_not_permitted_to_terminal:
    "Have the acquirer allow this for your merchant account; it is not permitted now.",
  target_account_invalid: "Pay the amount back another way; the bank has no such account.",
  target_account_blocked: "Pay the amount back another way; the payer's account is blocked.",
  returned: "Do not refund the debit again; the payer's bank has returned it, so the payer has the money.",
  target_account_closed: "Pay the amount back another way; the payer's account is closed.",
  downstream_error: "Try again later; the acquirer or the bank could not be reached, and no money has moved.",
};

/** What the merchant can do after a refund, a capture or a void: no payer waits for its outcome. */
export function operationDetail(code: OutcomeName): string {
  if (isApproval(code)) return "Nothing is left to do; it is approved.";
  return (
    OPERATION_DETAILS[code] ??
    "Try again later, or ask your acquirer for the reason; it was declined, and no money has moved."
  );
}
