import type { Operations } from "./generated/api.ts";
import type { Proof } from "./recover.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Proof of a change by the fields that the caller sent, as answers show them. */
export function shown<Of extends keyof Operations>(what: string, fields: Fields): Proof<Of> {
  return { isGiven: (answer) => shows(answer, fields), otherwise: notShown(what) };
}

type Ordered = {
  readonly reference?: string | undefined;
  readonly payment?: { readonly amount?: number | undefined } | undefined;
};

/** Proof of a creation by what never changes. A new request with the key of an old one is not the old one. */
export function created<Of extends keyof Operations>(what: string, body: Ordered = {}): Proof<Of> {
  const { reference, payment } = body;
  return shown(what, { reference, payment: { amount: payment?.amount } });
}

/** What the error says if a resource does not show a change. */
export function notShown(what: string): string {
  return `The gateway does not show this ${what}: you used the key for something else, or it was changed again. Read it, and call again with a new key if you still want it`;
}

/** Undefined leaves a field as it is. Null removes it, or restores a number's default. */
function shows(answer: unknown, sent: unknown): boolean {
  if (sent === undefined || answer === sent) return true;
  if (sent === null) return answer === undefined || typeof answer === "number";
  if (typeof sent !== "object" || typeof answer !== "object" || answer === null) return false;
  if (Array.isArray(sent)) return JSON.stringify(answer) === JSON.stringify(sent);
  return Object.entries(sent).every(([name, value]) => {
    const there = (answer as Fields)[name];
    // Pairs that are sent replace all that there were.
    return name === "metadata" ? isSame(pairsOf(there), pairsOf(value)) : shows(there, value);
  });
}

function isSame(one: Fields, other: Fields): boolean {
  return Object.keys(one).length === Object.keys(other).length && shows(one, other);
}

/** Without the `bankName` that the gateway adds to a bank account's. */
function pairsOf(metadata: unknown): Fields {
  const { bankName, ...pairs } = (metadata ?? {}) as Fields;
  return pairs;
}
