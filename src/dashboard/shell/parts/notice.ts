import { type Html, html } from "../../../../browser/ui/html.ts";

/** A message at the top of the page: what was done, or what went wrong. */
export type Notice = { readonly tone: "good" | "bad" | "info"; readonly words: string };

export function notice({ tone, words }: Notice): Html {
  const role = tone === "bad" ? "alert" : "status";
  return html`<p class="notice notice-${tone}" tabindex="-1" role="${role}">${words}</p>`;
}
