import type { Capability } from "../../features/merchants/index.ts";
import type { Flow } from "../../features/payment-requests/index.ts";
import type { RetryAdvice } from "../../kernel/acquirer-facts.ts";
import { cardTypeNamed, schemeName } from "../../kernel/card-type.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import {
  isRail,
  SOURCE_CAPABILITIES,
  SOURCE_NAMES,
  type Source,
  type SourceCapability,
} from "../../kernel/source.ts";

const CAPABILITY_WORDS: Readonly<Record<Exclude<Capability, SourceCapability>, string>> = {
  cardNotPresent: "Cards",
  threeDSecure: "3D Secure",
};

/** Any other capability is that of a source. */
const CAPABILITY_SOURCES = new Map<string, Source>(
  Object.entries(SOURCE_CAPABILITIES).map(([source, capability]) => [capability, source as Source]),
);

/** Any other flow is that of a source. */
const FLOW_WORDS: Readonly<Record<Exclude<Flow, Source>, string>> = {
  checkout: "Embedded checkout",
  hosted_page: "Hosted page",
};

export function sourceWords(source: string): string {
  return (SOURCE_NAMES as Readonly<Record<string, string>>)[source] ?? source;
}

export function capabilityWords(capability: string): string {
  const own = (CAPABILITY_WORDS as Readonly<Record<string, string>>)[capability];
  return own ?? sourceWords(CAPABILITY_SOURCES.get(capability) ?? capability);
}

export function flowWords(flow: string): string {
  return (FLOW_WORDS as Readonly<Record<string, string>>)[flow] ?? sourceWords(flow);
}

/** The link to the payer's page of a request. */
export function openPageWords(flow: string): string {
  return isRail(flow) ? `Open the ${SOURCE_NAMES[flow]}'s page` : "Open the hosted page";
}

export function schemeWords(cardType: string): string {
  const type = cardTypeNamed(cardType);
  return type === undefined ? cardType : schemeName(type);
}

/** A code's message as people read it: `insufficient_funds` is Insufficient funds. */
export function messageWords(message: string): string {
  const words = messagePhrase(message);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The same within a sentence: insufficient funds. */
export function messagePhrase(message: string): string {
  return message
    .replace(/_/g, " ")
    .replace("3d secure", "3D Secure")
    .replace(/\bvip\b/, "VIP");
}

/** The message of an outcome's code in words; empty while there is none. */
export function outcomeWords(code: string | null): string {
  return code === null ? "" : messageWords(findOutcome(code) ?? code);
}

const ADVICE_WORDS: Readonly<Record<RetryAdvice, string>> = {
  never: "not with this card",
  later: "later",
  with_authentication: "with 3D Secure",
};

/** The acquirer's advice after a decline. */
export function adviceWords(advice: string): string {
  return (ADVICE_WORDS as Readonly<Record<string, string>>)[advice] ?? advice;
}

/** What issuers answer about a security code, and about an address; acquirers with words of their own are quoted. */
const CHECK_WORDS: Readonly<Record<"securityCode" | "address", Readonly<Record<string, string>>>> = {
  securityCode: { M: "matches", N: "does not match", P: "not checked", S: "not checked", U: "not checked" },
  address: {
    Y: "matches",
    A: "only the street matches",
    Z: "only the postcode matches",
    N: "does not match",
    U: "not checked",
  },
};

/** The issuer's answer with its letter: matches (M). */
export function checkWords(what: keyof typeof CHECK_WORDS, answer: string): string {
  const words = CHECK_WORDS[what][answer];
  return words === undefined ? answer : `${words} (${answer})`;
}

/** Counting stops here; pages then say “or more”. */
export const COUNTED_AT_MOST = 1_000;

/** 1 payment, 2 payments; “or more” where counting stopped at the limit. */
export function countText(count: number, one: string, many: string, limit?: number): string {
  const more = limit !== undefined && count >= limit;
  return `${count.toLocaleString("en-AU")}${more ? " or more" : ""} ${count === 1 && !more ? one : many}`;
}
