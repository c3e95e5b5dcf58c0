import { ENGLISH_CHECKOUT } from "../../src/kernel/languages/english.ts";
import type { SpokenLanguage } from "../../src/kernel/languages/speech.ts";
import { isObject } from "../protocol/is-object.ts";

const ENGLISH: SpokenLanguage = { tag: "en", direction: "ltr", numbers: "en", words: ENGLISH_CHECKOUT };

/** The language that the server wrote the page in. English is part of the script and not sent. */
export function languageOfPage(main: Element): SpokenLanguage {
  return readLanguage(JSON.parse(main.getAttribute("data-language") ?? "null")) ?? ENGLISH;
}

/** A language from our own server. A text that it lacks, because it is of another release, is English. */
export function readLanguage(sent: unknown): SpokenLanguage | undefined {
  if (!isObject(sent) || !isObject(sent["words"])) return undefined;
  return { ...(sent as SpokenLanguage), words: { ...ENGLISH_CHECKOUT, ...sent["words"] } };
}
