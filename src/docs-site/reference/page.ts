import { CODES_PAGE } from "../../kernel/codes/present-code.ts";
import { describedIn, type OpenApiDocument, type Operation } from "../../platform/http/openapi-shape.ts";
import { type DocsAssets, docsPage, foldedMenu } from "../frame.ts";
import { CONVENTIONS, conventionSection } from "./conventions.ts";
import { endpointSection, methodBadge, type PageContext } from "./endpoint.ts";
import { answerOf, type Endpoint, endpointsOf } from "./endpoints.ts";
import { type Html, html, prose } from "./html.ts";
import { webhookSection } from "./webhooks.ts";

/** The reference page, generated from the description that is served at `description`. */
export function referencePage(document: OpenApiDocument, assets: DocsAssets, description: string): string {
  const groups = groupsOf(document);
  const context: PageContext = { document, homes: homesOf(document) };
  const { title, version, description: about } = document.info;
  const list = contents(groups);
  const body = html`<div class="intro">
<h1>${title}</h1>
<p class="lead">${prose(about)}</p>
<dl class="address"><div><dt>Address</dt><dd><code>${document.servers[0].variables.baseUrl.default}</code></dd></div><div><dt>Version</dt><dd>${version}</dd></div><div><dt>For machines</dt><dd><a href="${description}">OpenAPI 3.1</a></dd></div></dl>
${foldedMenu("contents", "Contents", "Contents", list)}</div>
<h2 id="conventions">Conventions</h2>
${CONVENTIONS.map(conventionSection)}
${groups.map(
  ([group, endpoints]) => html`<h2 id="${anchorOf(group)}">${group}</h2>
${endpoints.map((endpoint) => endpointSection(endpoint, context))}`,
)}
<h2 id="webhook-events">Webhook events</h2>
${webhookSection(document, context.homes)}
`;
  return docsPage(
    {
      title: `${title} reference`,
      area: "reference",
      main: { id: "reference", skip: "Skip to the reference" },
      menu: { label: "Contents", list },
      up: html`<a class="up" href="#contents">Contents</a>`,
      body,
    },
    assets,
  );
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
