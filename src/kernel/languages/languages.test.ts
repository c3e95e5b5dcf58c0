import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Catalogue } from "./catalogue.ts";
import { ENGLISH, findLanguage, LANGUAGES, languageFor, spoken } from "./languages.ts";
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
