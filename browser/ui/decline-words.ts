/** What a payer is told when the bank says no, and what can be done. Nothing here accuses anybody of anything. */
export type DeclineWords = { readonly reason: string; readonly advice: string };

const OTHER_CARD = "Use another card, or contact your bank.";

const BANK_SAID_NO: DeclineWords = { reason: "Your bank declined this payment.", advice: OTHER_CARD };
const UNKNOWN_CARD: DeclineWords = {
  reason: "Your bank doesn't recognise this card.",
  advice: "Check the card number, or use another card.",
};
const OUT_OF_REACH: DeclineWords = {
  reason: "Your bank couldn't be reached.",
  advice: "Try again in a few minutes, or use another card.",
};
const NOT_POSSIBLE: DeclineWords = {
  reason: "This payment couldn't be processed.",
  advice: "Use another card, or contact the merchant.",
};

/** Lost, stolen and suspected cards get the neutral words: the person at the screen may not be the card's owner. */
const WORDS: ReadonlyMap<string, DeclineWords> = new Map([
  ["D04403", NOT_POSSIBLE],
  ["D04406", OUT_OF_REACH],
  ["D04412", NOT_POSSIBLE],
  ["D04413", NOT_POSSIBLE],
  ["D04414", UNKNOWN_CARD],
  ["D04415", UNKNOWN_CARD],
  [
    "D04417",
    {
      reason: "Your bank couldn't confirm that it's you.",
      advice: "Try again, or use another card.",
    },
  ],
  ["D04422", OUT_OF_REACH],
  ["D04430", NOT_POSSIBLE],
  ["D04431", OUT_OF_REACH],
  ["D04442", UNKNOWN_CARD],
  [
    "D04451",
    {
      reason: "Your card has insufficient funds for this payment.",
      advice: "Use another card, or add funds first.",
    },
  ],
  ["D04454", { reason: "Your card has expired.", advice: "Use another card." }],
  ["D04456", UNKNOWN_CARD],
  ["D04457", { reason: "Your bank doesn't allow this payment with this card.", advice: OTHER_CARD }],
  ["D04458", NOT_POSSIBLE],
  ["D04491", OUT_OF_REACH],
  ["D04492", OUT_OF_REACH],
  ["D10009", OUT_OF_REACH],
]);

export function declineWords(codes: readonly { readonly id: string }[]): DeclineWords {
  for (const { id } of codes) {
    const words = WORDS.get(id);
    if (words !== undefined) return words;
  }
  return BANK_SAID_NO;
}
