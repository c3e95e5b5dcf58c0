import { type Instant, later } from "../../kernel/time.ts";
import { createKeyedHash, newKey } from "../../platform/crypto/cipher.ts";
import { FADES_IN } from "./card-testing.ts";

/** More cards than one node takes within the time that a counter needs to fade. */
const CODES_AT_MOST = 50_000;

/** Which security codes a bank has judged on which card, within the time that a counter needs to fade. */
type SeenCodes = {
  readonly isNew: (card: string, code: string, now: Instant) => boolean;
  readonly remember: (card: string, code: string, now: Instant) => void;
};

/**
 * What this process has seen, as hashes under a key that only this process has. A security code is never stored, so the
 * database counts how many there were; a node that has not seen one counts it again, which only makes the limit stricter.
 */
export function createSeenCodes(): SeenCodes {
  const hash = createKeyedHash(newKey());
  const seen = new Map<string, Instant>();
  const printOf = (card: string, code: string) => hash(`${card}|${code}`).toString("base64");
  return {
    isNew: (card, code, now) => (seen.get(printOf(card, code)) ?? now) <= now,
    remember: (card, code, now) => {
      // The oldest come first.
      for (const [old, until] of seen) {
        if (until > now && seen.size < CODES_AT_MOST) break;
        seen.delete(old);
      }
      const print = printOf(card, code);
      seen.delete(print);
      seen.set(print, later(now, FADES_IN));
    },
  };
}
