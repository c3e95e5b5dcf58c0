/** Whether some text of a value, or a name in it, could hold a card number: 13 digits or more that pass the Luhn check. */
export function holdsCardNumber(value: unknown): boolean {
  if (typeof value === "string") return windowsOf(value.replace(/\D/g, "")).some(passesLuhn);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) => (!Array.isArray(value) && holdsCardNumber(name)) || holdsCardNumber(inner),
  );
}

function windowsOf(digits: string): readonly string[] {
  const lengths = [13, 14, 15, 16, 17, 18, 19].filter((length) => length <= digits.length);
  return lengths.flatMap((length) =>
    Array.from({ length: digits.length - length + 1 }, (_, at) => digits.slice(at, at + length)),
  );
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((all, digit, at) => {
      const twice = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return all + (twice > 9 ? twice - 9 : twice);
    }, 0);
  return sum % 10 === 0;
}
