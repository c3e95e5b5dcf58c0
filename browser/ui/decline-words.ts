/** Why the bank declined and what the payer can do. No text accuses the payer. */
export type DeclineWords = { readonly reason: string; readonly advice: string };

const OTHER_CARD = "Use another card, or contact your bank.";

const DECLINED: DeclineWords = { reason: "Your bank declined this payment.", advice: OTHER_CARD };
const UNKNOWN_CARD: DeclineWords = {
  reason: "Your bank doesn't recognise this card.",
  advice: "Check the card number, or use another card.",
};
const UNREACHABLE: DeclineWords = {
  reason: "Your bank couldn't be reached.",
  advice: "Try again in a few minutes, or use another card.",
};
const NOT_POSSIBLE: DeclineWords = {
  reason: "This payment couldn't be processed.",
  advice: "Use another card, or contact the merchant.",
};

/** Lost, stolen and suspected cards get the neutral text: the payer may not be the cardholder. */
const WORDS: ReadonlyMap<string, DeclineWords> = new Map([
  ["no_merchant", NOT_POSSIBLE],
  ["error", UNREACHABLE],
  ["invalid_transaction", NOT_POSSIBLE],
  ["invalid_amount", NOT_POSSIBLE],
  ["invalid_card_number", UNKNOWN_CARD],
  ["no_issuer", UNKNOWN_CARD],
  [
    "3d_secure_error",
    {
      reason: "Your bank couldn't confirm that it's you.",
      advice: "Try again, or use another card.",
    },
  ],
  ["suspected_malfunction", UNREACHABLE],
  ["format_error", NOT_POSSIBLE],
  ["bank_not_supported_by_switch", UNREACHABLE],
  ["no_universal_account", UNKNOWN_CARD],
  [
    "insufficient_funds",
    {
      reason: "Your card has insufficient funds for this payment.",
      advice: "Use another card, or add funds first.",
    },
  ],
  [
    "partial_approval_refused",
    {
      reason: "Your bank approved only a part of this payment, so it was cancelled.",
      advice: "Use another card, or add funds first.",
    },
  ],
  ["expired_card", { reason: "Your card has expired.", advice: "Use another card." }],
  ["no_card_record", UNKNOWN_CARD],
  [
    "function_not_permitted_to_cardholder",
    { reason: "Your bank doesn't allow this payment with this card.", advice: OTHER_CARD },
  ],
  ["function_not_permitted_to_terminal", NOT_POSSIBLE],
  ["card_issuer_unavailable", UNREACHABLE],
  ["unable_to_route_transaction", UNREACHABLE],
  ["downstream_error", UNREACHABLE],
]);

export function attemptsLeftWords(left: number): string {
  return `You can try ${left === 1 ? "once more" : `${left} more times`}.`;
}

export function declineWords(codes: readonly { readonly message: string }[]): DeclineWords {
  for (const { message } of codes) {
    const words = WORDS.get(message);
    if (words !== undefined) return words;
  }
  return DECLINED;
}
