import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cardLabel } from "../../../src/kernel/languages/card-label.ts";
import {
  ENGLISH,
  findLanguage,
  languageFor,
  momentText,
  spoken,
} from "../../../src/kernel/languages/languages.ts";
import { speechIn } from "../../../src/kernel/languages/speech.ts";
import { instant } from "../../../src/kernel/time.ts";

describe("the language that a browser asks for", () => {
  const tagOf = (header: string) => languageFor(undefined, header).tag;

  test("is none that it does not want, even where it names no other", () => {
    assert.equal(tagOf("ar;q=0"), "en");
    assert.equal(tagOf("ar;q=0.001"), "ar");
  });

  test("has the weight 1 without one: of equal weights the first counts", () => {
    assert.equal(tagOf("vi;q=1, ar"), "vi");
    assert.equal(tagOf("ar, vi;q=1"), "ar");
  });

  test("is read from the first thousand characters of the header", () => {
    const header = (length: number) => `${",".repeat(length - 2)}ar`;
    assert.equal(tagOf(header(1_000)), "ar");
    assert.equal(tagOf(header(1_001)), "en");
  });
});

describe("how a language speaks", () => {
  const vietnamese = findLanguage("vi") ?? ENGLISH;

  test("a moment is in the country's time zone; English is written as the country writes it", () => {
    const moment = instant(Date.UTC(2026, 10, 16));
    const text = (language: typeof ENGLISH, country: "AU" | "NZ") =>
      momentText(language, country, moment).replace(/[\u202f\u00a0]/g, " ");
    assert.equal(text(ENGLISH, "AU"), "16 November 2026 at 11:00 am AEDT");
    assert.equal(text(ENGLISH, "NZ"), "16 November 2026 at 1:00 pm NZDT");
    assert.match(text(vietnamese, "NZ"), /16 tháng 11/);
  });

  test("a page's script gets a wallet's words only where it has wallets", () => {
    assert.equal("walletWords" in spoken(vietnamese), false);
    assert.equal(spoken(vietnamese, true).walletWords, vietnamese.wallets);
  });

  test("a percentage has up to four decimals", () => {
    const { percent } = speechIn(spoken(ENGLISH), "AUD");
    assert.deepEqual([1, 1.2345, 1.234_56].map(percent), ["1%", "1.2345%", "1.2346%"]);
  });

  test("a card has its scheme's name, unless the scheme is unknown", () => {
    const label = (cardType: string) => cardLabel(ENGLISH.checkout, { cardType, last4: "1111" });
    assert.equal(label("visa"), "Visa ending in 1111");
    assert.equal(label("unknown"), "Card ending in 1111");
  });
});
