import { CODES_BY_ID } from "../../kernel/codes/catalogue.ts";
import { OUTCOME_DETAILS } from "../../kernel/codes/outcome-details.ts";
import { APPROVALS, DECLINES, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { ICON_ADDRESS } from "../../platform/assets/icon.ts";
import { codeTable, type ListedCode } from "./codes.ts";
import { html, prose } from "./html.ts";
import { docsNavigation } from "./page.ts";

/** By prefix of the code. */
const KINDS = [
  { id: "approvals", title: "Approved", lead: "What a bank answers when it approves.", letter: "A" },
  {
    id: "declines",
    title: "Declined",
    lead: "What a bank answers when it declines. A decline is an answer, not an error: it comes with HTTP 200.",
    letter: "D",
  },
  {
    id: "refusals",
    title: "Refused",
    lead: "The gateway did not accept the request, and nothing has changed. `field` names the place in the request.",
    letter: "V",
  },
  { id: "system-errors", title: "System errors", lead: "The gateway could not do it.", letter: "S" },
] as const;

/** The page of every code that `result.codes` can carry. The `docs` of each code leads to its row. */
export function codesPage(stylesheet: string): string {
  const codes: Readonly<Record<string, ListedCode>> = {
    ...outcomes(APPROVALS),
    ...outcomes(DECLINES),
    ...CODES_BY_ID,
  };
  const menu = html`<ul class="contents">${KINDS.map(({ id, title }) => html`<li><a class="group" href="#${id}">${title}</a></li>`)}</ul>`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>Codes · Tidegate</title>
<link rel="icon" href="${ICON_ADDRESS}" />
<link rel="stylesheet" href="${stylesheet}" />
</head>
<body>
<a class="skip" href="#codes">Skip to the codes</a>
<header class="top"><a class="brand" href="/docs/guides"><img src="${ICON_ADDRESS}" alt="" width="20" height="20" />Tidegate</a>${docsNavigation("codes")}</header>
<div class="columns">
<div class="side"><nav aria-label="Contents">${menu}</nav></div>
<main id="codes" tabindex="-1" data-state="ready">
<div class="intro">
<h1>Codes</h1>
<p class="lead">${prose("Every code that an answer can carry in `result.codes`: a letter and five digits. A code never changes its meaning. `detail` is the sentence of this page, `docs` the link to it.")}</p>
</div>
${KINDS.map(
  ({ id, title, lead, letter }) => html`<h2 id="${id}">${title}</h2>
<p>${prose(lead)}</p>
${codeTable(
  Object.keys(codes).filter((code) => code.startsWith(letter)),
  codes,
  { caption: title, anchors: true },
)}
`,
)}</main>
</div>
</body>
</html>
`.html;
}

function outcomes(ids: Readonly<Partial<Record<OutcomeName, string>>>): Readonly<Record<string, ListedCode>> {
  return Object.fromEntries(
    Object.entries(ids).map(([message, id]) => [
      id,
      { message, status: 200, meaning: OUTCOME_DETAILS[message as OutcomeName] },
    ]),
  );
}
