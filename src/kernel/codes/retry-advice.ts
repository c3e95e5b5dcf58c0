import type { RetryAdvice } from "../acquirer-facts.ts";
import type { DeclineName } from "./outcomes.ts";

/**
 * The advice that a decline carries by its code, for hosts that give none of their own. The schemes charge merchants for
 * repeating what is `never` here: the account is closed, the card is gone, or it cannot do this.
 */
const ADVICE: Partial<Readonly<Record<DeclineName, RetryAdvice>>> = {
  pick_up_card: "never",
  invalid_card_number: "never",
  no_issuer: "never",
  suspected_fraud_retain_card: "never",
  lost_card: "never",
  stolen_card: "never",
  expired_card: "never",
  no_card_record: "never",
  function_not_permitted_to_cardholder: "never",
  suspected_fraud: "never",
  restricted_card: "never",
  capture_card: "never",
  error: "later",
  suspected_malfunction: "later",
  insufficient_funds: "later",
  card_issuer_unavailable: "later",
  unable_to_route_transaction: "later",
  "3d_secure_error": "with_authentication",
};

/** Undefined where the code says nothing about another attempt. */
export function retryAdviceOf(code: DeclineName): RetryAdvice | undefined {
  return ADVICE[code];
}
