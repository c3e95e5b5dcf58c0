import { type Html, html } from "./html.ts";
import { CHECK_MARK, CLOCK, CROSS, EXCLAMATION } from "./icons.ts";
import { plainWords } from "./merchant-text.ts";

const PICTURES = { good: CHECK_MARK, bad: CROSS, waiting: CLOCK, careful: EXCLAMATION } as const;

export type StatusPanel = {
  readonly picture: keyof typeof PICTURES;
  readonly heading: string;
  readonly words: readonly string[];
  /** The amount paid. */
  readonly amount?: string;
  /** A button below the text; scripts find it by `id`. */
  readonly action?: { readonly id: string; readonly label: string };
  /** Shows a progress line. */
  readonly busy?: boolean;
};

/** The payment's status instead of the form. The heading can take the focus, so that screen readers read it first. */
export function statusPanel({ picture, heading, words, amount, action, busy }: StatusPanel): string {
  return html`<div class="status status-${picture}">
${PICTURES[picture]}
<h1 id="heading" tabindex="-1">${heading}</h1>
${amount !== undefined && html`<p class="status-amount">${amount}</p>`}
${words.map((sentence): Html => html`<p>${plainWords(sentence)}</p>`)}
${busy === true && html`<div class="progress" aria-hidden="true"><span></span></div>`}
${action !== undefined && html`<button class="quiet" type="button" id="${action.id}">${action.label}</button>`}
</div>`.html;
}
