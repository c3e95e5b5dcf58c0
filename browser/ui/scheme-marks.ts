import { type CardType, schemeName } from "../../src/kernel/card-type.ts";
import { type Html, html } from "./html.ts";

/**
 * Our own drawings that resemble each scheme's mark, 32 by 20; not the schemes' artwork. They load nothing and need no
 * style attribute, which the Content-Security-Policy would refuse.
 */
const DRAWINGS: Readonly<Record<CardType, Html>> = {
  visa: html`<path fill="#fff" d="M0 0h32v20H0z"/><g fill="none" stroke="#1a3f8f" stroke-width="1.9"><path d="m6.4 7 1.9 6L12 7"/><path d="m14.4 6.7-1.5 6.6"/><path d="M19.4 7.8c-1.5-.9-3.3-.6-3.4.7-.1 1.6 2.7 1.2 2.6 2.9-.1 1.4-2.2 1.6-3.7.6"/><path d="m19.6 13.3 3.8-6 1.5 6m-3.6-2h3.2"/></g><path fill="#e9a31a" d="M0 17.5h32V20H0z"/>`,
  mastercard: html`<path fill="#23262d" d="M0 0h32v20H0z"/><circle cx="12.8" cy="10" r="5.8" fill="#e3342a"/><circle cx="19.2" cy="10" r="5.8" fill="#f6a41c"/><path fill="#f0651f" d="M16 5.16a5.8 5.8 0 0 1 0 9.68 5.8 5.8 0 0 1 0-9.68z"/>`,
  amex: html`<path fill="#1f6fc6" d="M0 0h32v20H0z"/><g fill="none" stroke="#fff" stroke-width="1.5"><path d="m4.2 13 2.4-5.2L9 13m-3.9-1.8h3"/><path d="M11.2 13V8.2l2.4 3.1L16 8.2V13"/><path d="M22 7.7h-3.4v4.6H22m-3.2-2.3h2.7"/><path d="m23.8 7.2 4.2 5.6m0-5.6-4.2 5.6"/></g>`,
  diners: html`<path fill="#fff" d="M0 0h32v20H0z"/><circle cx="16" cy="10" r="6.9" fill="#17589b"/><circle cx="16" cy="10" r="5" fill="#fff"/><path fill="#17589b" d="M14.8 6.3v7.4a3.9 3.9 0 0 1 0-7.4zm2.4 0a3.9 3.9 0 0 1 0 7.4z"/>`,
  discover: html`<path fill="#fff" d="M0 0h32v20H0z"/><path fill="#ee7b22" d="M32 10v10H12c9-1.6 15.6-4.8 20-10z"/><circle cx="12" cy="8.4" r="4.2" fill="#ee7b22"/><path fill="#23262d" d="M4 5.6h1.4v5.6H4zm14.6 0H20v5.6h-1.4zm3 0H23v5.6h-1.4z"/>`,
  jcb: html`<path fill="#fff" d="M0 0h32v20H0z"/><g><path fill="#1c63b7" d="M7.2 6.2A2.7 2.7 0 0 1 9.9 3.5h2.3v10.3a2.7 2.7 0 0 1-2.7 2.7H7.2z"/><path fill="#d2273a" d="M13.5 6.2a2.7 2.7 0 0 1 2.7-2.7h2.3v10.3a2.7 2.7 0 0 1-2.7 2.7h-2.3z"/><path fill="#2c9a43" d="M19.8 6.2a2.7 2.7 0 0 1 2.7-2.7h2.3v10.3a2.7 2.7 0 0 1-2.7 2.7h-2.3z"/></g><path stroke="#fff" stroke-width="1.2" d="M7.2 10h5m1.3-1.5h5m-5 3h5m1.3-1.5h5"/>`,
  unionpay: html`<path fill="#fff" d="M0 0h32v20H0z"/><path fill="#d4273e" d="M8.6 3.5h6.2l-2.8 13H5.8a1.3 1.3 0 0 1-1.3-1.6L7 4.8a1.7 1.7 0 0 1 1.6-1.3z"/><path fill="#15497f" d="M14.8 3.5h6.4l-2.8 13H12z"/><path fill="#0f7f83" d="M21.2 3.5h5a1.3 1.3 0 0 1 1.3 1.6L25 15.2a1.7 1.7 0 0 1-1.6 1.3h-5z"/>`,
  eftpos: html`<path fill="#1d2356" d="M0 0h32v20H0z"/><path fill="none" stroke="#fff" stroke-width="1.7" d="M4.5 10.4h4.6a2.4 2.4 0 1 0-.8 1.9m6-6.2c-1.7-.5-2.4.3-2.4 1.7v5.5M10.2 8.9h3.8m2.6-2.6v5.2c0 1.4.8 1.9 2.2 1.5m-3.9-4.1h3.8"/><path fill="#f5b51f" d="m21.8 6.5 3.6 3.5-3.6 3.5zm3.4 0 3.6 3.5-3.6 3.5z"/>`,
};

/** The scheme's mark, with its name for screen readers; a plain card if the scheme is unknown. */
export function schemeMark(type: CardType | undefined): Html {
  if (type === undefined) return plainMark();
  return html`<svg class="mark" viewBox="0 0 32 20" width="32" height="20" role="img" aria-label="${schemeName(type)}">${DRAWINGS[type]}</svg>`;
}

/** Shows where the security code is: on the back, or, with four digits, on the front. */
export function codeMark(onFront: boolean): Html {
  const place = onFront
    ? html`<path class="chip" d="M4 6h6v4H4z"/><path class="code" d="M19 4.5h9v5h-9z"/>`
    : html`<path class="stripe" d="M0 3.5h32v4H0z"/><path class="code" d="M19 11h9v5h-9z"/>`;
  return html`<svg class="mark mark-plain" viewBox="0 0 32 20" width="32" height="20" aria-hidden="true"><path d="M0 0h32v20H0z"/>${place}</svg>`;
}

/** Decoration, so it has no name for screen readers. */
export function plainMark(): Html {
  return html`<svg class="mark mark-plain" viewBox="0 0 32 20" width="32" height="20" aria-hidden="true"><path d="M0 0h32v20H0z"/><path class="stripe" d="M0 4.5h32v3.6H0z"/><path class="chip" d="M4 12.5h8v1.8H4z"/></svg>`;
}
