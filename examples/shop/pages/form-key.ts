import { randomUUID } from "node:crypto";
import { type Html, html } from "./html.ts";

/** The name of the hidden field. */
export const FORM_KEY = "formKey";

/** A hidden field, new with each view of a page: the order that its form opens is opened once. */
export function formKeyField(): Html {
  return html`<input type="hidden" name="${FORM_KEY}" value="${randomUUID()}">`;
}
