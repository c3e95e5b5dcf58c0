import { type Html, html } from "./html.ts";
import { layout } from "./layout.ts";

const TEXTS = {
  unknown: ["Page not found", "This page does not exist, or it belongs to another customer."],
  foreign: ["Request refused", "The form came from another site. Nothing was changed."],
  unavailable: [
    "One moment, please",
    "We can't reach our payment gateway. Nothing was lost: reload the page.",
  ],
  failed: [
    "Something went wrong",
    "The error is ours and has been logged. Your order is safe: see your account.",
  ],
} as const;

export function errorPage(kind: keyof typeof TEXTS): Html {
  const [title, words] = TEXTS[kind];
  const content = html`<section class="narrow card"><h1>${title}</h1><p>${words}</p><p><a href="/">Back to the shop</a></p></section>`;
  return layout({ title, count: 0, content, state: "error" });
}
