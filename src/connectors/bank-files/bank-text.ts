import { BankFileProblem } from "../ports/debit-files.ts";

/** Letters without an accent that could be removed. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ı: "i",
};

/**
 * A text in the characters that banks accept: accents and macrons removed, typographic quotes and dashes made plain. What
 * is still not in `allowed` (a class of characters, as in a pattern) is refused: a name must not be guessed.
 */
export function bankText(field: string, text: string, allowed: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’ʻʼ‛]/g, "'")
    .replaceAll(/[‐‑‒–—―]/g, "-")
    .replaceAll(/\s/g, " ")
    .replaceAll(/[^ -~]/gu, (letter) => LETTERS[letter] ?? letter)
    .trim();
  if (!new RegExp(`^[${allowed}]*$`).test(plain)) {
    throw new BankFileProblem(`${field} has characters that no bank's file can hold`);
  }
  return plain;
}
