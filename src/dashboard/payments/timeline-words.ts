import { moneyText } from "../../../browser/ui/money-text.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import { adviceWords, messageWords, outcomeWords } from "../shell/words.ts";
import type { Change } from "./changed-fields.ts";
import type { EntryFacts, Title } from "./entry-of-event.ts";

const REQUEST: Readonly<Record<string, string>> = {
  created: "Payment request created",
  completed: "Payment request completed",
  expired: "Payment request expired",
  cancelled: "Payment request cancelled",
};

const CAPTURE: Readonly<Record<string, string>> = {
  captured: "Captured",
  uncaptured: "Authorised, to be captured:",
  voided: "Authorisation cancelled",
  expired: "Authorisation expired",
};

const OUTCOME: Readonly<Record<string, string>> = {
  declined: "Declined",
  returned: "Returned by the payer's bank",
  verified: "Card verified",
};

const REASONS: Readonly<Record<string, string>> = {
  short: "It was less than the amount",
  over: "It was more than the amount",
  late: "It came too late",
  duplicate: "The request was paid already",
  closed: "The request was closed",
};

const OPERATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pending: {
    capture: "Capture under way",
    void: "Cancellation under way",
    expire: "Authorisation is expiring",
    reverse: "Approved too late, being reversed",
    reverse_refund: "Refund approved too late, being reversed",
  },
  done: {
    capture: "Capture done",
    void: "Cancellation done",
    expire: "Authorisation released",
    reverse: "Approved too late, reversed",
    reverse_refund: "Refund approved too late, reversed",
  },
  refused: {
    capture: "Capture declined",
    void: "Cancellation declined",
    expire: "Release of the expired authorisation declined",
    reverse: "Approved too late, reversal declined",
  },
};

const DISPUTES: Readonly<Record<string, string>> = {
  needs_response: "Payment disputed",
  under_review: "Evidence is with the payer's bank",
  won: "Dispute won",
  lost: "Dispute lost",
  accepted: "Dispute accepted",
};

const LINES: Readonly<Record<string, string>> = {
  payment: "Payment",
  refund: "Refund",
  return: "Return",
  fee: "Fee",
  dispute: "Dispute",
  dispute_won: "Won dispute",
};

const TRANSFERS: Readonly<Record<string, (money: string) => string>> = {
  accepted: (money) => `Transfer received:${money}`,
  returning: (money) => `Transfer of${money} is on its way back`,
  returned: (money) => `Transfer of${money} sent back`,
  return_refused: (money) => `Transfer of${money} could not be sent back`,
};

/** What became of the checkout that a token opened, by the bank's answer to its last attempt. */
const CHECKOUTS: Readonly<Record<string, string>> = {
  approved: "Opened a checkout; the payment was approved",
  declined: "Opened a checkout; the payment was declined",
  pending: "Opened a checkout; the payment is processing",
};

/** The same where only a card was checked. */
const CARD_CHECKS: Readonly<Record<string, string>> = {
  approved: "Opened a checkout; the card was verified",
  declined: "Opened a checkout; the card was declined",
  pending: "Opened a checkout; the card is being checked",
};

/** What a change of these fields means. Others are named by their own name. */
const CHANGES: Readonly<Record<string, string>> = {
  transactionAttempts: "an attempt was declined",
  transactionResult: "a payment was approved",
  customerResult: "the payer's card or account was saved",
  payIdReturns: "a transfer was sent back",
  expiryDateTime: "expiry",
  "payment.instrument": "card or account",
};

type Worded = Pick<
  EntryFacts,
  "title" | "amount" | "ofAmount" | "code" | "authentication" | "advice" | "note"
>;

/** The heading of an entry. */
export function titleWords({ title, amount, ofAmount }: Worded): string {
  const money = amount === undefined ? "" : ` ${moneyText(amount)}`;
  switch (title.kind) {
    case "request":
      if (title.verifies === true) return verificationWords(title);
      if (title.status === "completed" && title.paid === false)
        return "Payment request ended without a payment";
      return `${REQUEST[title.status] ?? title.status}${amount === undefined ? "" : `:${money}`}`;
    case "requestChanged":
      return `Payment request changed${changeWords(title.changes)}`;
    case "transactionChanged":
      return `Transaction changed${changeWords(title.changes)}`;
    case "attempt":
      return title.verifies === true ? "Card sent to be verified" : `Payment attempt:${money}`;
    case "outcome":
      if (title.status !== "approved") return OUTCOME[title.status] ?? "Answered";
      return `Approved${money}${ofAmount === undefined ? "" : ` of ${moneyText(ofAmount)}`}`;
    case "capture":
      return `${CAPTURE[title.status] ?? title.status}${title.status === "voided" || title.status === "expired" ? "" : money}`;
    case "refund":
      return title.status === "pending" ? `Refund requested:${money}` : `Refund ${title.status}:${money}`;
    case "dispute":
      return `${DISPUTES[title.status] ?? title.status}:${money}`;
    case "operation":
      return `${OPERATIONS[title.status]?.[title.what] ?? title.what}${title.what === "capture" ? `:${money}` : ""}`;
    case "line":
      return `${LINES[title.what] ?? title.what} booked:${money}`;
    case "transfer":
      return TRANSFERS[title.status]?.(money) ?? title.status;
    case "token":
      return "One-time token created";
  }
}

function verificationWords({ status, paid }: Extract<Title, { kind: "request" }>): string {
  if (status === "completed" && paid === false) return "Request to verify a card ended without one";
  return `Request to verify a card ${status}`;
}

function changeWords(changes: readonly Change[]): string {
  return changes.length === 0 ? "" : `: ${changes.map(oneChange).join(", ")}`;
}

function oneChange({ field, from, to }: Change): string {
  const known = CHANGES[field];
  if (known !== undefined) return known;
  const name = field.replace("payment.", "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const isMoney = field.startsWith("payment.") && typeof from === "number" && typeof to === "number";
  return isMoney ? `${name} from ${moneyText(from)} to ${moneyText(to)}` : name;
}

/** The line below the heading; empty where there is nothing to add. */
export function detailWords({ title, code, authentication, advice, note }: Worded): string {
  const parts: string[] = [];
  // The title of an approval says it already.
  if (code != null && code !== OUTCOMES.approved) parts.push(`${outcomeWords(code)} (${code})`);
  if (authentication !== undefined) parts.push(`3D Secure: ${authentication}`);
  if (advice !== undefined) parts.push(`Try again: ${adviceWords(advice)}`);
  if (title.kind === "transfer" && title.reason !== null) parts.push(REASONS[title.reason] ?? title.reason);
  if (title.kind === "dispute") parts.push(messageWords(title.reason));
  if (title.kind === "token") parts.push(...checkoutWords(title));
  if (title.kind === "line") parts.push(title.paid ? "Paid out" : "Waits for the next payout");
  if (note !== undefined) parts.push(note);
  return parts.join(" · ");
}

function checkoutWords({ status, result, verifies }: Extract<Title, { kind: "token" }>): readonly string[] {
  if (status === "created") return [];
  const words = verifies === true ? CARD_CHECKS : CHECKOUTS;
  return [(result === undefined ? undefined : words[result]) ?? "Opened a checkout"];
}
