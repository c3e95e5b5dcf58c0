import type { FieldName } from "./field-problems.ts";
import { type Html, html } from "./html.ts";
import { ALERT } from "./icons.ts";

export type CardField = {
  readonly name: FieldName;
  readonly label: string;
  /** Attributes beyond those of every field; never the payer's input. */
  readonly attributes: Html;
  readonly hint?: Html;
  /** Inside the field, at its end. */
  readonly aside?: Html;
  readonly problem: string | undefined;
  /** The word that says so. */
  readonly optional?: string;
};

/** Label, input and problem, linked by ids so that screen readers announce them together. */
export function cardField({ name, label, attributes, hint, aside, problem, optional }: CardField): Html {
  const hintId = hint === undefined ? "" : `${name}-hint `;
  return html`<div class="field field-${name}${problem !== undefined && " field-wrong"}">
<div class="label-row"><label for="${name}">${label}</label>${optional !== undefined && html`<span class="optional" aria-hidden="true">${optional}</span>`}</div>
<div class="box"><input id="${name}" name="${name}" type="text" ${attributes} aria-describedby="${hintId}${name}-problem" aria-invalid="${problem === undefined ? "false" : "true"}" spellcheck="false">${aside}</div>
${hint !== undefined && html`<p class="visually-hidden" id="${name}-hint">${hint}</p>`}
${problemPlace(name, problem)}
</div>`;
}

function problemPlace(name: FieldName, problem: string | undefined): Html {
  return html`<p class="problem" id="${name}-problem"${problem === undefined && html` hidden`}>${ALERT}<span>${problem}</span></p>`;
}
