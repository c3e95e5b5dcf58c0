import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

const WORDS = {
  unknown: ["Nothing here", "This page is not there, or it belongs to another shopper."],
  foreign: ["That was not from here", "The form came from another site. Nothing was done."],
  away: ["One moment, please", "We can't reach our payment gateway. Nothing was lost: load the page again."],
  broken: [
    "Something broke",
    "It is our fault, and it was written down. Your order is safe: see your account.",
  ],
} as const;

export function troublePage(kind: keyof typeof WORDS): Html {
  const [title, words] = WORDS[kind];
  const content = html`<section class="narrow card"><h1>${title}</h1><p>${words}</p><p><a href="/">Back to the shop</a></p></section>`;
  return layout({ title, count: 0, content, state: "error" });
}
