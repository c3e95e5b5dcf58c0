import { type Html, html } from "../../../../browser/ui/html.ts";
import { postForm } from "./form.ts";

export type ConfirmModel = {
  readonly action: string;
  readonly formToken: string;
  /** What will happen, and whether it can be undone. */
  readonly words: readonly string[];
  readonly button: string;
  readonly backTo: string;
  /** Hidden fields with the input of the first step. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A field that the user may fill in. */
  readonly asked?: Html | false;
};

/** The confirmation of an action that can't be undone. A page, so that it works without scripts. */
export function confirmStep(model: ConfirmModel): Html {
  const { action, formToken, words, button, backTo, fields = {}, asked = false } = model;
  const hidden = Object.keys(fields).map(
    (name) => html`<input type="hidden" name="${name}" value="${fields[name]}">`,
  );
  return html`<div class="panel confirm">${postForm({
    action,
    formToken,
    button,
    tone: "danger",
    content: html`${words.map((line) => html`<p>${line}</p>`)}${hidden}${asked}`,
    beside: html`<a href="${backTo}">Go back</a>`,
  })}</div>`;
}
