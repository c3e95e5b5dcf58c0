import { type DocsAssets, docsPage, foldedMenu } from "../frame.ts";
import { type Html, html } from "../reference/html.ts";
import { ADDRESS, type DocsPage, type Group } from "./docs-pages.ts";

/** One guide beside the menu of all guides. */
export function guidePage(page: DocsPage, body: Html, groups: readonly Group[], assets: DocsAssets): string {
  return frame(page.title, body, menuOf(groups, page), assets);
}

/** The page at /docs/guides: every guide with its first paragraph. */
export function indexPage(groups: readonly Group[], assets: DocsAssets): string {
  const lists = groups.map(
    (group) => html`<h2>${group.title}</h2>
<ul class="index">${group.pages.map(
      ({ name, title, lead }) =>
        html`<li><a href="${ADDRESS}/${name}">${title}</a><span>${lead}</span></li>\n`,
    )}</ul>\n`,
  );
  return frame("Guides", html`<h1>Guides</h1>\n${lists}`, menuOf(groups), assets);
}

function frame(title: string, content: Html, list: Html, assets: DocsAssets): string {
  const body = html`${foldedMenu("all", "All guides", "Guides", list)}${content}`;
  const main = { id: "guide", name: "guide", skip: "Skip to the text" };
  const page = {
    title: `${title} · Tidegate`,
    area: "guides",
    main,
    menu: { label: "Guides", list },
    body,
  } as const;
  return docsPage(page, assets);
}

function menuOf(groups: readonly Group[], current?: DocsPage): Html {
  const link = ({ name, title }: DocsPage) =>
    name === current?.name
      ? html`<li><a href="${ADDRESS}/${name}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${ADDRESS}/${name}">${title}</a></li>`;
  return html`<ul class="contents">
${groups.map(({ title, pages }) => html`<li><span class="group">${title}</span><ul>${pages.map(link)}</ul></li>\n`)}</ul>`;
}
