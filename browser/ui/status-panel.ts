import { type Html, html } from "./html.ts";
import { CHECK_MARK, CLOCK, CROSS, EXCLAMATION } from "./icons.ts";
import { plainWords } from "./merchant-text.ts";

const PICTURES = { good: CHECK_MARK, bad: CROSS, waiting: CLOCK, careful: EXCLAMATION } as const;

export type StatusPanel = {
  readonly picture: keyof typeof PICTURES;
  readonly heading: string;
  readonly words: readonly string[];
  /** An amount that was paid. */
  readonly amount?: string;
  /** A button below the words; `id` is how a script finds it. */
  readonly action?: { readonly id: string; readonly label: string };
  /** Something is going on: a calm line moves below. */
  readonly busy?: boolean;
};

/** How a payment stands, when there is no form to show. The heading takes the focus, so that it is read first. */
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
