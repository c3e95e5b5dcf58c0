import type { RetryAdvice } from "../../kernel/acquirer-facts.ts";
import type { DeclineName } from "../../kernel/codes/outcomes.ts";

type Refusal = readonly [code: string, reason: string, decline: DeclineName, advice?: RetryAdvice];

/** Adyen's refusal reasons: code, text, our outcome, and whether the same card may be charged again. */
const REFUSALS: readonly Refusal[] = [
  ["2", "Refused", "do_not_honour"],
  ["3", "Referral", "refer_to_issuer"],
  ["4", "Acquirer Error", "error", "later"],
  ["5", "Blocked Card", "restricted_card", "never"],
  ["6", "Expired Card", "expired_card", "never"],
  ["7", "Invalid Amount", "invalid_amount"],
  ["8", "Invalid Card Number", "invalid_card_number", "never"],
  ["9", "Issuer Unavailable", "card_issuer_unavailable", "later"],
  ["10", "Not supported", "function_not_permitted_to_cardholder"],
  ["11", "3D Not Authenticated", "3d_secure_error", "with_authentication"],
  ["12", "Not enough balance", "insufficient_funds", "later"],
  ["14", "Acquirer Fraud", "suspected_fraud", "never"],
  ["15", "Cancelled", "declined"],
  ["16", "Shopper Cancelled", "declined"],
  ["17", "Invalid Pin", "do_not_honour"],
  ["18", "Pin tries exceeded", "do_not_honour"],
  ["19", "Pin validation not possible", "do_not_honour"],
  ["20", "FRAUD", "suspected_fraud", "never"],
  ["21", "Not Submitted", "unable_to_route_transaction", "later"],
  ["22", "FRAUD-CANCELLED", "suspected_fraud", "never"],
  ["23", "Transaction Not Permitted", "function_not_permitted_to_cardholder"],
  ["24", "CVC Declined", "do_not_honour"],
  ["25", "Restricted Card", "restricted_card", "never"],
  ["26", "Revocation Of Auth", "function_not_permitted_to_cardholder", "never"],
  ["27", "Declined Non Generic", "do_not_honour"],
  ["28", "Withdrawal amount exceeded", "insufficient_funds", "later"],
  ["29", "Withdrawal count exceeded", "do_not_honour", "later"],
  ["31", "Issuer Suspected Fraud", "suspected_fraud", "never"],
  ["32", "AVS Declined", "do_not_honour"],
  ["33", "Card requires online pin", "function_not_permitted_to_terminal"],
  ["34", "No checking account available on Card", "no_universal_account"],
  ["35", "No savings account available on Card", "no_universal_account"],
  ["36", "Mobile pin required", "function_not_permitted_to_terminal"],
  ["37", "Contactless fallback", "function_not_permitted_to_terminal"],
  ["38", "Authentication required", "3d_secure_error", "with_authentication"],
  ["39", "RReq not received from DS", "3d_secure_error", "with_authentication"],
  ["40", "Current AID is in Penalty Box", "function_not_permitted_to_terminal"],
  ["41", "CVM Required Restart Payment", "function_not_permitted_to_terminal"],
  ["42", "3DS Authentication Error", "3d_secure_error", "with_authentication"],
  ["46", "Transaction blocked by Adyen to prevent excessive retry fees", "do_not_honour", "never"],
];

const BY_CODE = new Map(REFUSALS.map((refusal) => [refusal[0], refusal]));
const BY_REASON = new Map(REFUSALS.map((refusal) => [refusal[1].toLowerCase(), refusal]));

/** What Adyen says about a refusal. Answers carry the code, notifications only the text. */
export type RefusalWords = {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  /** Mastercard's advice, with its text or without: `03: Do not try again`. */
  readonly merchantAdvice?: string | undefined;
};

export type ReadRefusal = {
  readonly code: DeclineName;
  readonly advice: RetryAdvice | undefined;
  /** Adyen's own code; undefined where a text that is not in the table came without one. */
  readonly raw: string | undefined;
};

/** A reason that is not in the table is a plain decline. */
export function readRefusal({ code, reason, merchantAdvice }: RefusalWords): ReadRefusal {
  // With raw responses turned on at Adyen, the bank's own text follows the reason after a colon.
  const text = reason?.split(":")[0]?.trim().toLowerCase() ?? "";
  const [known, , decline = "declined", advice] = BY_CODE.get(code ?? "") ?? BY_REASON.get(text) ?? [];
  return { code: decline, advice: adviceOf(merchantAdvice) ?? advice, raw: code ?? known };
}

/** Result codes that would send the payer to a bank. We start none of these, and nothing is authorised before they end. */
export const NEEDS_PAYER: ReadonlySet<string> = new Set([
  "RedirectShopper",
  "IdentifyShopper",
  "ChallengeShopper",
  "PresentToShopper",
]);

const NOT_REFUSED = new Set(["Authorised", "PartiallyAuthorised", "Received", "Pending", ...NEEDS_PAYER]);

/** Whether Adyen's answer was a refusal: nothing is held under such a payment. One without a code is known by its reason. */
export function isRefusalCode(responseCode: string | undefined): boolean {
  return responseCode !== undefined && !NOT_REFUSED.has(responseCode);
}

/** Mastercard's codes: 01, 03 and 21 end the use of this number; 02 and 24 to 30 name a time to wait. */
const ADVICE: Readonly<Record<string, RetryAdvice>> = {
  "01": "never",
  "03": "never",
  "21": "never",
  "02": "later",
  "24": "later",
  "25": "later",
  "26": "later",
  "27": "later",
  "28": "later",
  "29": "later",
  "30": "later",
};

function adviceOf(text: string | undefined): RetryAdvice | undefined {
  const code = text?.trim().slice(0, 2) ?? "";
  return Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}
