import { ICON_ADDRESS } from "../../platform/assets/icon.ts";
import { describedIn, type OpenApiDocument, type Operation } from "../../platform/http/openapi-shape.ts";
import { codeTable } from "./codes.ts";
import { CONVENTIONS, conventionSection } from "./conventions.ts";
import { endpointSection, methodBadge, type Surroundings } from "./endpoint.ts";
import { answerOf, type Endpoint, endpointsOf } from "./endpoints.ts";
import { type Html, html, prose } from "./html.ts";
import { webhookSection } from "./webhooks.ts";

export type PageLinks = { readonly stylesheet: string; readonly description: string };

/** The complete reference page. It needs no script and loads nothing from other servers. */
export function referencePage(document: OpenApiDocument, links: PageLinks): string {
  const groups = groupsOf(document);
  const around: Surroundings = { document, homes: homesOf(document) };
  const { title, version, description } = document.info;
  const menu = contents(groups);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title} reference</title>
<link rel="icon" href="${ICON_ADDRESS}" />
<link rel="stylesheet" href="${links.stylesheet}" />
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<header class="top"><a class="brand" href="#reference"><img src="${ICON_ADDRESS}" alt="" width="20" height="20" />${title}</a>${waysOn("reference")}<a class="up" href="#contents">Contents</a></header>
<div class="columns">
<div class="side"><nav aria-label="Contents">${menu}</nav></div>
<main id="reference" tabindex="-1" data-state="ready">
<div class="intro">
<h1>${title}</h1>
<p class="lead">${prose(description)}</p>
<dl class="address"><div><dt>Address</dt><dd><code>${document.servers[0]?.url}</code></dd></div><div><dt>Version</dt><dd>${version}</dd></div><div><dt>For machines</dt><dd><a href="${links.description}">OpenAPI 3.1</a></dd></div></dl>
<details class="menu" id="contents"><summary>Contents</summary><nav aria-label="Contents">${menu}</nav></details>
</div>
<h2 id="conventions">Conventions</h2>
${CONVENTIONS.map(conventionSection)}
${groups.map(
  ([group, endpoints]) => html`<h2 id="${anchorOf(group)}">${group}</h2>
${endpoints.map((endpoint) => endpointSection(endpoint, around))}`,
)}
<h2 id="webhook-events">Webhook events</h2>
${webhookSection(document, around.homes)}
<h2 id="codes">Codes</h2>
<p>Letter and five digits: <code>A</code> approved, <code>D</code> declined, <code>V</code> refused, <code>S</code> trouble on our side. A code never changes its meaning.</p>
${codeTable(Object.keys(document["x-codes"]), document["x-codes"], { caption: "All codes", anchors: true })}
</main>
</div>
</body>
</html>
`.html;
}

/** The two halves of the docs. */
export function waysOn(here: "guides" | "reference"): Html {
  const way = (name: typeof here, address: string, words: string) =>
    name === here
      ? html`<a href="${address}" aria-current="true">${words}</a>`
      : html`<a href="${address}">${words}</a>`;
  return html`<nav class="ways" aria-label="Docs">${way("guides", "/docs/guides", "Guides")}${way("reference", "/docs", "API reference")}</nav>`;
}

type Group = readonly [name: string, endpoints: readonly Endpoint[]];

function groupsOf(document: OpenApiDocument): readonly Group[] {
  const all = endpointsOf(document);
  return document.tags.map(
    ({ name }) => [name, all.filter((one) => one.operation.tags[0] === name)] as const,
  );
}

/** The first endpoint that answers with a schema of some name is where that schema is written out. */
function homesOf(document: OpenApiDocument): ReadonlyMap<string, Operation> {
  const homes = new Map<string, Operation>();
  for (const { operation } of endpointsOf(document)) {
    const reference = describedIn(answerOf(operation).content).schema.$ref;
    if (reference !== undefined && !homes.has(reference)) homes.set(reference, operation);
  }
  return homes;
}

function contents(groups: readonly Group[]): Html {
  const conventions = CONVENTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<ul class="contents">
<li><a class="group" href="#conventions">Conventions</a><ul>${conventions}</ul></li>
${groups.map(
  ([
    group,
    endpoints,
  ]) => html`<li><a class="group" href="#${anchorOf(group)}">${group}</a><ul>${endpoints.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span>${operation.summary}</span>${methodBadge(method)}</a></li>`,
  )}</ul></li>
`,
)}<li><a class="group" href="#webhook-events">Webhook events</a></li>
<li><a class="group" href="#codes">Codes</a></li>
</ul>`;
}

/** Operations and codes have no hyphen in their ids, so these meet none of them. */
function anchorOf(group: string): string {
  return `group-${group.toLowerCase().replace(/\W+/g, "-")}`;
}
