import { CODES_PAGE } from "../kernel/codes/present-code.ts";
import { ICON_ADDRESS } from "../platform/assets/icon.ts";
import { type Html, html, NOTHING } from "./reference/html.ts";

/** What every page of the docs loads, from this server. */
export type DocsAssets = {
  readonly stylesheet: string;
  readonly script: { readonly address: string; readonly integrity: string };
};

type Area = "guides" | "reference" | "codes" | "search";

type Frame = {
  readonly title: string;
  /** The area that the navigation marks. */
  readonly area?: Area;
  /** The id of the page's main part, and what the link to it says. */
  readonly main: { readonly id: string; readonly skip: string; readonly name?: string };
  readonly menu?: { readonly label: string; readonly list: Html };
  /** For narrow windows: a link from the header to the menu. */
  readonly up?: Html;
  readonly body: Html;
};

/** A page of the docs. All of it can be read and searched without its script. */
export function docsPage({ title, area, main, menu, up, body }: Frame, assets: DocsAssets): string {
  const { stylesheet, script } = assets;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title}</title>
<link rel="icon" href="${ICON_ADDRESS}" />
<link rel="stylesheet" href="${stylesheet}" />
<script src="${script.address}" integrity="${script.integrity}"></script>
</head>
<body>
<a class="skip" href="#${main.id}">${main.skip}</a>
<header class="top"><a class="brand" href="/docs/guides"><img src="${ICON_ADDRESS}" alt="" width="20" height="20" /><span>Tidegate</span></a>${area === "search" ? NOTHING : searchForm("find", "")}${navigation(area)}${up ?? NOTHING}</header>
<div class="columns">
${menu === undefined ? NOTHING : html`<div class="side"><nav aria-label="${menu.label}">${menu.list}</nav></div>`}
<main id="${main.id}" class="${main.name ?? ""}" tabindex="-1" data-state="ready">
${body}</main>
</div>
</body>
</html>
`.html;
}

/** Without a script it leads to the page of results; with one, results appear while the reader types. */
export function searchForm(id: string, value: string): Html {
  return html`<form class="search" role="search" action="/docs/search"><label class="unseen" for="${id}">Search the docs</label><input type="search" id="${id}" name="q" value="${value}" placeholder="Search the docs" maxlength="100" autocomplete="off" spellcheck="false" /></form>`;
}

/** The menu inside the page, for windows without room beside it. */
export function foldedMenu(id: string, summary: string, label: string, list: Html): Html {
  return html`<details class="menu" id="${id}"><summary>${summary}</summary><nav aria-label="${label}">${list}</nav></details>
`;
}

/** Where the header leads. The link to the search is for windows without room for the box. */
function navigation(here: Area | undefined): Html {
  const link = (area: Area, address: string, text: string) => {
    const current = area === here ? html` aria-current="true"` : NOTHING;
    return html`<a class="to-${area}" href="${address}"${current}>${text}</a>`;
  };
  return html`<nav class="ways" aria-label="Docs">${link("guides", "/docs/guides", "Guides")}${link("reference", "/docs", "API reference")}${link("codes", CODES_PAGE, "Codes")}${link("search", "/docs/search", "Search")}</nav>`;
}
