import { moneyText } from "../../../browser/ui/money-text.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { EntryModel } from "./model.ts";

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

const REASONS: Readonly<Record<string, string>> = {
  short: "It was less than the amount",
  over: "It was more than the amount",
  late: "It came too late",
  duplicate: "The request was paid already",
  closed: "The request was closed",
};

const OPERATIONS: Readonly<Record<string, string>> = {
  capture: "Capture under way",
  void: "Cancellation under way",
  expire: "Authorisation is being given up",
};

const LINES: Readonly<Record<string, string>> = {
  payment: "Payment",
  refund: "Refund",
  return: "Return",
  fee: "Fee",
};

/** What happened, in a line. */
export function titleWords({ title, amount }: EntryModel): string {
  const money = amount === undefined ? "" : ` ${moneyText(amount)}`;
  switch (title.kind) {
    case "request":
      if (title.status === "completed" && title.paid === false)
        return "Payment request ended without a payment";
      return `${REQUEST[title.status] ?? title.status}${amount === undefined ? "" : `:${money}`}`;
    case "requestChanged":
      return "Payment request changed";
    case "attempt":
      return `Payment attempt:${money}`;
    case "outcome":
      return title.status === "approved" ? `Approved${money}` : "Declined";
    case "capture":
      return `${CAPTURE[title.status] ?? title.status}${money}`;
    case "refund":
      return title.status === "pending" ? `Refund requested:${money}` : `Refund ${title.status}:${money}`;
    case "operation":
      return `${OPERATIONS[title.what] ?? title.what}${title.what === "capture" ? `:${money}` : ""}`;
    case "line":
      return `${LINES[title.what] ?? title.what} booked:${money}`;
    case "transfer":
      return title.status === "accepted" ? `Transfer received:${money}` : `Transfer of${money} sent back`;
    case "token":
      return "One-time token created";
  }
}

/** What else is known of it, if anything. */
export function moreWords({ title, message, code, authentication, note }: EntryModel): string {
  const parts: string[] = [];
  // That it was approved is in the title already.
  if (message !== undefined && code !== OUTCOMES.approved)
    parts.push(`${message}${code == null ? "" : ` (${code})`}`);
  if (authentication !== undefined) parts.push(`3D Secure: ${authentication}`);
  if (title.kind === "transfer" && title.reason !== null) parts.push(REASONS[title.reason] ?? title.reason);
  if (title.kind === "token" && title.status !== "created") {
    parts.push(title.status === "processed" ? "Opened a checkout, which was paid" : "Opened a checkout");
  }
  if (title.kind === "line") parts.push(title.paid ? "Paid out" : "Waits for the next payout");
  if (note !== undefined) parts.push(note);
  return parts.join(" · ");
}
