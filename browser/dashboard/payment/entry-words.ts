import { moneyText } from "../../ui/money-text.ts";
import type { EntryModel } from "./model.ts";

const REQUEST: Readonly<Record<string, string>> = {
  created: "Payment request created",
  completed: "Payment request completed",
  expired: "Payment request expired",
  cancelled: "Payment request cancelled",
};

const CAPTURE: Readonly<Record<string, string>> = {
  captured: "Captured",
  uncaptured: "Authorised, not captured yet",
  voided: "Authorisation cancelled",
  expired: "Authorisation expired",
};

const REASONS: Readonly<Record<string, string>> = {
  short: "it was less than the amount",
  over: "it was more than the amount",
  late: "it came too late",
  duplicate: "the request was paid already",
  closed: "the request was closed",
};

const MOVEMENTS: Readonly<Record<string, string>> = {
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
    case "movement":
      return `${MOVEMENTS[title.what] ?? title.what}${title.what === "capture" ? `:${money}` : ""}`;
    case "line":
      return `${LINES[title.what] ?? title.what} ${title.paid ? "paid out" : "waits for the next payout"}:${money}`;
    case "transfer":
      return title.status === "accepted" ? `Transfer received:${money}` : `Transfer of${money} sent back`;
    case "token":
      return "One-time token created";
  }
}

/** What else is known of it, if anything. */
export function moreWords({ title, message, code, authentication, note }: EntryModel): string {
  const parts: string[] = [];
  if (message !== undefined) parts.push(`${message}${code == null ? "" : ` (${code})`}`);
  if (authentication !== undefined) parts.push(`3D Secure: ${authentication}`);
  if (title.kind === "transfer" && title.reason !== null) parts.push(REASONS[title.reason] ?? title.reason);
  if (title.kind === "token" && title.status !== "created") {
    parts.push(title.status === "processed" ? "opened a checkout that paid" : "opened a checkout");
  }
  if (note !== undefined) parts.push(note);
  return parts.join(" · ");
}
