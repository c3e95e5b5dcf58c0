import { type Instant, later } from "../../kernel/time.ts";
import { createKeyedHash, newKey } from "../../platform/crypto/cipher.ts";
import { FADES_IN } from "./card-testing.ts";

/** More cards than one node takes within the time that a counter needs to fade. */
const CODES_AT_MOST = 50_000;

/**
 * Which security codes this process has seen on which card, as hashes under a key that only this process has. A security
 * code is never stored, so the database counts how many there were; a node that has not seen one counts it again, which only
 * makes the limit stricter.
 */
export function createSeenCodes(): (card: string, code: string, now: Instant) => boolean {
  const hash = createKeyedHash(newKey());
  const seen = new Map<string, Instant>();
  return (card, code, now) => {
    const print = hash(`${card}|${code}`).toString("base64");
    const until = seen.get(print);
    // The oldest come first.
    for (const [old, oldUntil] of seen) {
      if (oldUntil > now && seen.size < CODES_AT_MOST) break;
      seen.delete(old);
    }
    seen.delete(print);
    seen.set(print, later(now, FADES_IN));
    return until === undefined || until <= now;
  };
}
