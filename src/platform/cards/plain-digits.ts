/** The text with the digits of every script, full-width ones too, as 0 to 9: a card number is one in any of them. */
export function plainDigits(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, (digit) => (digit < ":" ? digit : String(numberOf(digit))));
}

/** Unicode lists the digits of a script one after the other, from zero. */
function numberOf(digit: string): number {
  const place = digit.codePointAt(0) ?? 0;
  let first = place;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (place - first) % 10;
}
