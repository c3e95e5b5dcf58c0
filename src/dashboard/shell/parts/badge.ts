import { type Html, html } from "../../../../browser/ui/html.ts";

export type Tone = "good" | "bad" | "waiting" | "moving" | "quiet" | "live";

/** The tone of each status. */
const TONES: Readonly<Record<string, Tone>> = {
  approved: "good",
  completed: "good",
  delivered: "good",
  active: "good",
  captured: "good",
  paid: "good",
  declined: "bad",
  failed: "bad",
  disabled: "bad",
  revoked: "bad",
  pending: "waiting",
  created: "waiting",
  uncaptured: "waiting",
  processing: "waiting",
};

/** A status in a word. Its colour only repeats the word. */
export function badge(word: string, tone: Tone = TONES[word] ?? "quiet"): Html {
  return html`<span class="badge badge-${tone}">${word}</span>`;
}
