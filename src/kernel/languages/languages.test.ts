import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { instant } from "../time.ts";
import { cardLabel } from "./card-label.ts";
import type { Catalogue } from "./catalogue.ts";
import { ENGLISH, findLanguage, LANGUAGES, languageFor, momentText, spoken } from "./languages.ts";
import { fill, speechIn } from "./speech.ts";

const SECTIONS = ["checkout", "address", "wallets", "payid", "page", "mail"] as const;

/** Counted things may leave the number out: Arabic has a word for two of them. */
const MAY_OMIT_COUNT = ["itemsOne", "itemsTwo"];

describe("languages: catalogues", () => {
  const textsOf = (language: Catalogue) =>
    SECTIONS.flatMap((section) =>
      Object.entries(language[section]).map(([key, text]) => [`${section}.${key}`, text] as const),
    );
  const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place).toSorted();

  for (const language of LANGUAGES) {
    test(`${language.tag}: has every text, each with the places of the English one`, () => {
      const texts = new Map(textsOf(language));
      for (const [key, english] of textsOf(ENGLISH)) {
        const text = texts.get(key) ?? "";
        assert.notEqual(text.trim(), "", key);
        if (MAY_OMIT_COUNT.some((name) => key.endsWith(name)) && !text.includes("{")) continue;
        assert.deepEqual(placesOf(text), placesOf(english), key);
      }
      assert.equal(texts.size, textsOf(ENGLISH).length);
    });
  }

  test("only what is the same everywhere is left in English", () => {
    const same = ["mail.row"];
    for (const language of LANGUAGES.filter((one) => one !== ENGLISH)) {
      const english = new Map(textsOf(ENGLISH));
      const left = textsOf(language).filter(([key, text]) => english.get(key) === text);
      assert.deepEqual(
        left.map(([key]) => key).filter((key) => !same.includes(key)),
        [],
      );
    }
  });
});

describe("languages: which one a payer gets", () => {
  test("a tag means its language, in any spelling, region and script", () => {
    const meanings: readonly (readonly [string, string | undefined])[] = [
      ["zh", "zh-Hans"],
      ["zh-CN", "zh-Hans"],
      ["zh-SG", "zh-Hans"],
      ["zh-hans-au", "zh-Hans"],
      ["zh-TW", undefined],
      ["zh-Hant", undefined],
      ["vi-VN", "vi"],
      ["AR-eg", "ar"],
      ["mi-NZ", "mi"],
      ["en-GB", "en"],
      ["en-x-own", "en"],
      ["de", undefined],
      ["x-private", undefined],
    ];
    for (const [tag, language] of meanings) assert.equal(findLanguage(tag)?.tag, language, tag);
  });

  test("the merchant's locale decides, an unknown one means English", () => {
    assert.equal(languageFor("ar", "zh").tag, "ar");
    assert.equal(languageFor("de", "zh").tag, "en");
  });

  test("without one the browser's first language that there is", () => {
    const headers: readonly (readonly [string | undefined, string])[] = [
      [undefined, "en"],
      ["", "en"],
      ["*", "en"],
      ["de-DE, de;q=0.9, vi;q=0.8, en;q=0.7", "vi"],
      ["en-AU,zh;q=0.9", "en"],
      ["en;q=0.1, ar;q=0.9", "ar"],
      ["ar;q=0, mi", "mi"],
      ["zh-TW,zh;q=0.9", "zh-Hans"],
      ["ar;q=x, mi;q=0.1", "mi"],
      ["<script>, _, ;;;", "en"],
      [`${"de,".repeat(400)}ar`, "en"],
    ];
    for (const [header, tag] of headers) assert.equal(languageFor(undefined, header).tag, tag, header);
  });
});

describe("languages: the one that a browser asks for", () => {
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

describe("languages: amounts", () => {
  test("each language writes them its own way, with the digits of the card", () => {
    const shown = LANGUAGES.map((language) => {
      const { tag, money, percent } = speechIn(spoken(language), "AUD");
      return [tag, money(123_450), percent(1.25)].map((text) =>
        text.replace(/[\u200e\u200f]/g, "").replace(/\u00a0/g, " "),
      );
    });
    assert.deepEqual(shown, [
      ["en", "$1,234.50", "1.25%"],
      ["zh-Hans", "$1,234.50", "1.25%"],
      ["vi", "1.234,50 $", "1,25%"],
      ["ar", "1,234.50 $", "1.25%"],
      ["mi", "$1,234.50", "1.25%"],
    ]);
  });

  test("a filled place is not filled again", () => {
    assert.equal(fill("{one} {other}", { one: "{other}", other: "$&" }), "{other} $&");
  });
});

describe("languages: how one speaks", () => {
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
