import { cardTypeNamed, schemeName } from "../../kernel/card-type.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import type { Source } from "../../kernel/source.ts";

const SOURCES: Readonly<Record<Source, string>> = {
  card: "Card",
  apple_pay: "Apple Pay",
  google_pay: "Google Pay",
  direct_debit: "Direct debit",
  payid: "PayID",
};

const FLOWS: Readonly<Record<string, string>> = {
  checkout: "Embedded checkout",
  hosted_page: "Hosted page",
  payid: "PayID",
};

export function sourceWords(source: string): string {
  return (SOURCES as Readonly<Record<string, string>>)[source] ?? source;
}

export function flowWords(flow: string): string {
  return FLOWS[flow] ?? flow;
}

export function schemeWords(cardType: string): string {
  const type = cardTypeNamed(cardType);
  return type === undefined ? cardType : schemeName(type);
}

/** A code's message as people read it: `insufficient_funds` is Insufficient funds. */
export function messageWords(message: string): string {
  const words = message.replace(/_/g, " ").replace(/^3d /, "3D ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The message of an outcome's code in words; empty while there is none. */
export function outcomeWords(code: string | null): string {
  return code === null ? "" : messageWords(findOutcome(code) ?? code);
}

/** Counting stops here; pages then say “or more”. */
export const COUNTED_AT_MOST = 10_000;

/** 1 payment, 2 payments; “or more” where counting stopped at the limit. */
export function countText(count: number, one: string, many: string, limit?: number): string {
  const more = limit !== undefined && count >= limit;
  return `${count.toLocaleString("en-AU")}${more ? " or more" : ""} ${count === 1 && !more ? one : many}`;
}
