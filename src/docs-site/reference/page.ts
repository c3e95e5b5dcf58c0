import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import { ICON_ADDRESS } from "../../platform/assets/icon.ts";
import { describedIn, type OpenApiDocument, type Operation } from "../../platform/http/openapi-shape.ts";
import { CONVENTIONS, conventionSection } from "./conventions.ts";
import { endpointSection, methodBadge, type PageContext } from "./endpoint.ts";
import { answerOf, type Endpoint, endpointsOf } from "./endpoints.ts";
import { type Html, html, prose } from "./html.ts";
import { webhookSection } from "./webhooks.ts";

export type PageLinks = { readonly stylesheet: string; readonly description: string };

/** The reference page. It needs no script and loads everything from this server. */
export function referencePage(document: OpenApiDocument, links: PageLinks): string {
  const groups = groupsOf(document);
  const context: PageContext = { document, homes: homesOf(document) };
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
<header class="top"><a class="brand" href="#reference"><img src="${ICON_ADDRESS}" alt="" width="20" height="20" />${title}</a>${docsNavigation("reference")}<a class="up" href="#contents">Contents</a></header>
<div class="columns">
<div class="side"><nav aria-label="Contents">${menu}</nav></div>
<main id="reference" tabindex="-1" data-state="ready">
<div class="intro">
<h1>${title}</h1>
<p class="lead">${prose(description)}</p>
<dl class="address"><div><dt>Address</dt><dd><code>${document.servers[0].variables.baseUrl.default}</code></dd></div><div><dt>Version</dt><dd>${version}</dd></div><div><dt>For machines</dt><dd><a href="${links.description}">OpenAPI 3.1</a></dd></div></dl>
<details class="menu" id="contents"><summary>Contents</summary><nav aria-label="Contents">${menu}</nav></details>
</div>
<h2 id="conventions">Conventions</h2>
${CONVENTIONS.map(conventionSection)}
${groups.map(
  ([group, endpoints]) => html`<h2 id="${anchorOf(group)}">${group}</h2>
${endpoints.map((endpoint) => endpointSection(endpoint, context))}`,
)}
<h2 id="webhook-events">Webhook events</h2>
${webhookSection(document, context.homes)}
</main>
</div>
</body>
</html>
`.html;
}

/** Links to the guides, the reference and the codes. */
export function docsNavigation(here: "guides" | "reference" | "codes"): Html {
  const link = (name: typeof here, address: string, text: string) =>
    name === here
      ? html`<a href="${address}" aria-current="true">${text}</a>`
      : html`<a href="${address}">${text}</a>`;
  return html`<nav class="ways" aria-label="Docs">${link("guides", "/docs/guides", "Guides")}${link("reference", "/docs", "API reference")}${link("codes", CODES_PAGE, "Codes")}</nav>`;
}

type Group = readonly [name: string, endpoints: readonly Endpoint[]];

function groupsOf(document: OpenApiDocument): readonly Group[] {
  const all = endpointsOf(document);
  return document.tags.map(
    ({ name }) => [name, all.filter((one) => one.operation.tags[0] === name)] as const,
  );
}

/** The first endpoint that returns a named schema shows it. */
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
<li><a class="group" href="${CODES_PAGE}">Codes</a></li>
</ul>`;
}

/** The ids of operations and codes have no hyphen, so these anchors can't collide with them. */
function anchorOf(group: string): string {
  return `group-${group.toLowerCase().replace(/\W+/g, "-")}`;
}
