import { ICON_ADDRESS } from "../../platform/assets/icon.ts";
import { type Html, html } from "../reference/html.ts";
import { docsNavigation } from "../reference/page.ts";
import { ADDRESS, type DocsPage, type Group } from "./docs-pages.ts";

/** One guide beside the menu of all guides. It needs no script. */
export function guidePage(page: DocsPage, body: Html, groups: readonly Group[], stylesheet: string): string {
  return frame(page.title, body, menuOf(groups, page), stylesheet);
}

/** The page at /docs/guides: every guide with its first paragraph. */
export function indexPage(groups: readonly Group[], stylesheet: string): string {
  const lists = groups.map(
    (group) => html`<h2>${group.title}</h2>
<ul class="index">${group.pages.map(
      ({ name, title, lead }) =>
        html`<li><a href="${ADDRESS}/${name}">${title}</a><span>${lead}</span></li>\n`,
    )}</ul>\n`,
  );
  return frame("Guides", html`<h1>Guides</h1>\n${lists}`, menuOf(groups), stylesheet);
}

function frame(title: string, body: Html, menu: Html, stylesheet: string): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title} · Tidegate</title>
<link rel="icon" href="${ICON_ADDRESS}" />
<link rel="stylesheet" href="${stylesheet}" />
</head>
<body>
<a class="skip" href="#guide">Skip to the text</a>
<header class="top"><a class="brand" href="${ADDRESS}/guides"><img src="${ICON_ADDRESS}" alt="" width="20" height="20" />Tidegate</a>${docsNavigation("guides")}</header>
<div class="columns">
<div class="side"><nav aria-label="Guides">${menu}</nav></div>
<main id="guide" class="guide" tabindex="-1" data-state="ready">
<details class="menu"><summary>All guides</summary><nav aria-label="Guides">${menu}</nav></details>
${body}</main>
</div>
</body>
</html>
`.html;
}

function menuOf(groups: readonly Group[], current?: DocsPage): Html {
  const link = ({ name, title }: DocsPage) =>
    name === current?.name
      ? html`<li><a href="${ADDRESS}/${name}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${ADDRESS}/${name}">${title}</a></li>`;
  return html`<ul class="contents">
${groups.map(({ title, pages }) => html`<li><span class="group">${title}</span><ul>${pages.map(link)}</ul></li>\n`)}</ul>`;
}
