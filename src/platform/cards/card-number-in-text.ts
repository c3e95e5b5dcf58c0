import { hasSchemePrefix, schemeOf } from "./card-scheme.ts";
import { isCardNumber } from "./check-card.ts";
import { plainDigits } from "./plain-digits.ts";

/** Spaces, line breaks, dashes and signs of no width, as people and programs put them between digits. */
const GAP = "[\\p{Zs}\\r\\n\\p{Pd}\\p{Cf}]*";

/** As many digits as the shortest card number has; one that is longer than the longest can end in a shorter one. */
const RUN = new RegExp(`\\+?\\d(?:${GAP}\\d){12,}`, "gu");
const GAPS = /[\p{Zs}\r\n\p{Pd}\p{Cf}]+/u;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/giu;
/**
 * Random bytes as programs write them: of keys and traces. They hold very many digits in a row by chance. The second track of
 * a card is written like them, with a `d` after the number.
 */
const HEX = /(?<![0-9a-z])(?![0-9]{13,19}d[0-9]{7})(?=[0-9]*[a-f])[0-9a-f]{24,}(?![0-9a-z])/giu;

/** Ids of the gateway, which merchants store with their own records. */
const OWN_ID = /\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{29}\b/gu;

const SHORTEST = 13;
const LONGEST = 19;
/** E.164: a telephone number with its country code. */
const LONGEST_TELEPHONE_NUMBER = 15;

/**
 * Whether a text holds a card number: 13 to 19 digits that pass the Luhn check and begin as a scheme's numbers do, with or
 * without gaps. Such a text is stored and shown in clear. Digits count as a number in whole groups only, so that an order
 * number is not searched for a card number inside it. A UUID, bytes in hexadecimal and an id of ours are none, nor is a telephone
 * number that begins with `+`, unless it has exactly the digits of a scheme's cards.
 */
export function holdsCardNumber(text: string): boolean {
  if (!hasManyDigits(text)) return false;
  const runs =
    plainDigits(text).replace(UUID, " x ").replace(HEX, " x ").replace(OWN_ID, " x ").match(RUN) ?? [];
  return runs.some(groupsHoldNumber);
}

/** Most texts end here, so this is cheap. Digits of other scripts count as well. */
function hasManyDigits(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if ((sign >= 0x30 && sign <= 0x39) || sign > 0x7f) digits += 1;
  }
  return digits >= SHORTEST;
}

function mayBeTelephoneNumber(run: string): boolean {
  return run.startsWith("+") && run.replace(/\D/g, "").length <= LONGEST_TELEPHONE_NUMBER;
}

function groupsHoldNumber(run: string): boolean {
  // Telephone numbers begin as cards do, too. They rarely have as many digits as that scheme's cards have today.
  const isExact = mayBeTelephoneNumber(run);
  const groups = run.replace("+", "").split(GAPS);
  return groups.some((_, first) => {
    let digits = "";
    for (let last = first; last < groups.length; last += 1) {
      digits += groups[last];
      if (digits.length > LONGEST) return false;
      if (digits.length < SHORTEST || !isCardNumber(digits) || !hasSchemePrefix(digits)) continue;
      if (!isExact || schemeOf(digits)?.lengths.includes(digits.length) === true) return true;
    }
    return false;
  });
}
