import { html } from "../../../browser/ui/html.ts";
import { languageFacts } from "../../features/checkout/index.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { type Asset, makeAsset } from "../../platform/assets/asset.ts";
import type { PayIdFiles } from "../../platform/assets/asset-table.ts";

/** The page of the panel's frame. Its script gets the PayID once the page around the frame has sent the token. */
export function payIdFramePage(
  language: Catalogue,
  { script, integrity, frameStyle, style }: PayIdFiles,
): Asset {
  const { tag, direction, payid, page } = language;
  const text = html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${payid.frameTitle}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${frameStyle}">
<link rel="stylesheet" href="${style}">
<script src="${script}" integrity="${integrity}" defer></script>
</head>
<body>
<main class="surface" data-state="processing" tabindex="-1" aria-busy="true" data-language="${JSON.stringify(languageFacts(language))}">
<div id="form-place" hidden></div>
<div id="panel-place">
<h1 class="visually-hidden">${page.loading}</h1>
<div class="skeleton" aria-hidden="true"><i></i><b></b><b></b><i></i></div>
<noscript><p>${page.frameNeedsScript}</p></noscript>
</div>
<p class="visually-hidden" id="announcer" role="status"></p>
</main>
</body>
</html>
`.html;
  return makeAsset(text, "text/html; charset=utf-8");
}
