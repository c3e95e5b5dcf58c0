import { CODES_BY_ID } from "../../kernel/codes/catalogue.ts";
import { OUTCOME_DETAILS } from "../../kernel/codes/outcome-details.ts";
import { APPROVALS, DECLINES, type OutcomeName } from "../../kernel/codes/outcomes.ts";
import { type DocsAssets, docsPage } from "../frame.ts";
import { codeTable, type ListedCode } from "./codes.ts";
import { html, prose } from "./html.ts";

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
export function codesPage(assets: DocsAssets): string {
  const codes: Readonly<Record<string, ListedCode>> = {
    ...outcomes(APPROVALS),
    ...outcomes(DECLINES),
    ...CODES_BY_ID,
  };
  const list = html`<ul class="contents">${KINDS.map(({ id, title }) => html`<li><a class="group" href="#${id}">${title}</a></li>`)}</ul>`;
  const body = html`<div class="intro">
<h1>Codes</h1>
<p class="lead">${prose("Every code that an answer can carry in `result.codes`: a letter and five digits. A code never changes its meaning. `detail` is the sentence of this page, `docs` the link to it; a refund, a capture or a cancellation has a sentence of its own.")}</p>
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
)}`;
  const main = { id: "codes", skip: "Skip to the codes" };
  return docsPage(
    { title: "Codes · Tidegate", area: "codes", main, menu: { label: "Contents", list }, body },
    assets,
  );
}

function outcomes(ids: Readonly<Partial<Record<OutcomeName, string>>>): Readonly<Record<string, ListedCode>> {
  return Object.fromEntries(
    Object.entries(ids).map(([message, id]) => [
      id,
      { message, status: 200, meaning: OUTCOME_DETAILS[message as OutcomeName] },
    ]),
  );
}
