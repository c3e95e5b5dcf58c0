import { refuse } from "./refusal.ts";
import type { Instant } from "./time.ts";

/** The nouns that have ids, and the readable prefix of each. */
export const ID_PREFIXES = {
  merchant: "mer",
  apiKey: "key",
  paymentRequest: "pr",
  incomingTransfer: "itr",
  transaction: "txn",
  operation: "mov",
  refund: "rfd",
  dispute: "dsp",
  debitBatch: "bat",
  payout: "po",
  customer: "cus",
  paymentInstrument: "pi",
  event: "evt",
  webhook: "whk",
  acquirerAccount: "acq",
  oneTimeToken: "ott",
  user: "usr",
  userSession: "ses",
} as const;

export type IdNoun = keyof typeof ID_PREFIXES;
export type Id<Noun extends IdNoun> = string & { readonly __noun: Noun };

/** Crockford's alphabet in lower case: its order is the order of the bytes, so that ids sort as text. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const COUNT_CHARS = 3;
const RANDOM_CHARS = 16;
const BODY = new RegExp(`^[${ALPHABET}]{${TIME_CHARS + COUNT_CHARS + RANDOM_CHARS}}$`);

let lastMoment: Instant | undefined;
let momentText = "";
let count = 0;

/**
 * A new id: prefix, the moment (48 bits), a count within the millisecond (so that ids created one after another in one
 * process sort in that order), and 80 random bits, so that ids can't be guessed.
 */
export function newId<Noun extends IdNoun>(noun: Noun, moment: Instant): Id<Noun> {
  if (moment === lastMoment) {
    count += 1;
  } else {
    count = 0;
    lastMoment = moment;
    momentText = base32(moment, TIME_CHARS);
  }
  return `${ID_PREFIXES[noun]}_${momentText}${base32(count, COUNT_CHARS)}${randomChars()}` as Id<Noun>;
}

/** The id of the one resource of that noun that is created together with another, known before either exists. */
export function companionId<Noun extends IdNoun>(noun: Noun, of: Id<IdNoun>): Id<Noun> {
  return `${ID_PREFIXES[noun]}${of.slice(of.indexOf("_"))}` as Id<Noun>;
}

/** Parses an id from outside; undefined if the text can't be an id of that noun. */
export function parseId<Noun extends IdNoun>(noun: Noun, text: string): Id<Noun> | undefined {
  const prefix = `${ID_PREFIXES[noun]}_`;
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length)) ? (text as Id<Noun>) : undefined;
}

/** Parses an id that a caller sent: a text that can't be an id names no resource. */
export function requireId<Noun extends IdNoun>(noun: Noun, text: string): Id<Noun> {
  return parseId(noun, text) ?? refuse("resource_not_found");
}

/** Every id of that noun created at the moment or later sorts at or after this text. */
export function idFloor(noun: IdNoun, moment: Instant): string {
  return `${ID_PREFIXES[noun]}_${base32(Math.max(0, moment), TIME_CHARS)}`;
}

/** When an id was created. */
export function idMoment(id: string): Instant {
  const digits = id.slice(id.indexOf("_") + 1, id.indexOf("_") + 1 + TIME_CHARS);
  return Array.from(digits).reduce((value, digit) => value * 32 + ALPHABET.indexOf(digit), 0) as Instant;
}

/** The lowest digits: a count that has no room begins again. */
function base32(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let position = 0; position < length; position += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Random bytes are fetched for many ids at once; each byte is used once. */
const random = new Uint8Array(256 * RANDOM_CHARS);
let unused = random.length;

function randomChars(): string {
  if (unused === random.length) {
    crypto.getRandomValues(random);
    unused = 0;
  }
  let text = "";
  for (const end = unused + RANDOM_CHARS; unused < end; unused += 1) {
    text += ALPHABET.charAt((random[unused] ?? 0) & 31);
    random[unused] = 0;
  }
  return text;
}
