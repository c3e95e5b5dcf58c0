import { type Html, html } from "./html.ts";

export type Layout = {
  readonly title: string;
  /** The number of items in the basket. */
  readonly count: number;
  readonly content: Html;
  readonly scripts?: readonly string[];
  /** The state that the page shows, for tests. */
  readonly state?: string;
};

export function layout({ title, count, content, scripts = [], state = "ready" }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Driftwood Coffee</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/logo.svg">
<link rel="stylesheet" href="/shop.css">
${scripts.map((source) => html`<script src="${source}" defer></script>\n`)}</head>
<body>
<header class="top">
<a class="brand" href="/"><img src="/logo.svg" alt="" width="36" height="36"><span>Driftwood Coffee</span></a>
<nav aria-label="Shop"><a href="/account">Account</a><a class="basket-link" href="/basket">Basket${count > 0 && html` <span class="count">${count}</span>`}</a></nav>
</header>
<main data-state="${state}">
${content}
</main>
<footer class="bottom"><p>An example shop on Tidegate's sandbox: no real coffee, no real money. <a href="/tour">All ways to pay</a></p></footer>
</body>
</html>
`;
}
