import { html } from "../../../browser/ui/html.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { ENGLISH, spoken } from "../../kernel/languages/languages.ts";
import { type Asset, makeAsset } from "../../platform/assets/asset.ts";

/** The frame's page in another language, with the texts for its script. English is in page and script as they are built. */
export function frameInLanguage(frame: Asset, language: Catalogue, withWallets: boolean): Asset {
  if (language === ENGLISH) return frame;
  const { tag, direction, checkout, page } = language;
  const data = JSON.stringify(spoken(language, withWallets));
  const changes: readonly (readonly [english: string, own: string])[] = [
    [`<html lang="en">`, html`<html lang="${tag}" dir="${direction}">`.html],
    [ENGLISH.checkout.frameTitle, html`${checkout.frameTitle}`.html],
    [ENGLISH.page.loading, html`${page.loading}`.html],
    [ENGLISH.page.frameNeedsScript, html`${page.frameNeedsScript}`.html],
    ["<main ", html`<main data-language="${data}" `.html],
  ];
  const text = changes.reduce(
    (before, [english, own]) => before.replace(english, () => own),
    frame.bytes.toString("utf8"),
  );
  return makeAsset(text, frame.contentType);
}
