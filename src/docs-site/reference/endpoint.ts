import { codeId } from "../../kernel/codes/catalogue.ts";
import {
  describedIn,
  isReference,
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "../../platform/http/openapi-shape.ts";
import type { Method } from "../../platform/http/route.ts";
import { sharedCodesOf } from "../../platform/http/route-codes.ts";
import { codeTabs } from "../examples/code-tabs.ts";
import { callOf } from "../examples/example-call.ts";
import { jsonText } from "../examples/literal.ts";
import { codeTable } from "./codes.ts";
import { answerOf, type Endpoint } from "./endpoints.ts";
import type { LinkTo } from "./field-text.ts";
import { fieldTable } from "./fields.ts";
import { breakable, type Html, html, joined, NOTHING, prose } from "./html.ts";

/** What an endpoint's section needs from the rest of the page. */
export type PageContext = {
  readonly document: OpenApiDocument;
  /** By reference: the endpoint whose section shows the schema. */
  readonly homes: ReadonlyMap<string, Operation>;
};

export function endpointSection(endpoint: Endpoint, { document, homes }: PageContext): Html {
  const { method, path, operation } = endpoint;
  const { operationId: id, description, requestBody } = operation;
  const linkTo: LinkTo = (reference) => {
    const home = homes.get(reference)?.operationId;
    const name = nameOf(reference);
    return home === undefined ? html`${name}` : html`<a href="#${home}-answer">${name}</a>`;
  };
  const body = requestBody?.content["application/json"];
  const answer = describedIn(answerOf(operation).content);
  const server = document.servers[0].variables.baseUrl.default;
  return html`<section class="endpoint" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
<p class="call">${methodBadge(method)} <code>${breakable(path, "/")}</code></p>
${description === undefined || description === `${operation.summary}.` ? NOTHING : html`<p>${prose(description)}</p>`}
${facts(endpoint)}
<div class="examples">
<div><h4>Example request</h4>
${codeTabs(callOf(endpoint, server))}</div>
<div><h4>Example answer</h4>
<pre tabindex="0"><code>${jsonText(answer.example)}</code></pre></div>
</div>
${parameterTables(operation)}
${
  body === undefined || isEmpty(resolved(body.schema, document))
    ? NOTHING
    : html`<h4>Body</h4>
${formList(resolved(body.schema, document))}${fieldTable(allForms(resolved(body.schema, document)), { caption: "Fields of the body", sent: true, linkTo })}`
}
${answerSection(id, answer.schema, { document, homes }, linkTo)}
${codesSection(endpoint, document)}
</section>
`;
}

/** An endpoint without fields of a body takes none, or `{}`. */
function isEmpty({ properties = {}, oneOf }: JsonSchema): boolean {
  return oneOf === undefined && Object.keys(properties).length === 0;
}

/** The forms of a body: one line each, before the table of all their fields. */
function formList({ oneOf }: JsonSchema): Html {
  if (oneOf === undefined) return NOTHING;
  const common = allForms({ oneOf }).required ?? [];
  const forms = oneOf.map(({ title = "", description = "", required = [] }) => {
    const needs = required.filter((name) => !common.includes(name)).map((name) => html`<code>${name}</code>`);
    return html`<li>${title}: ${prose(description)}${needs.length === 0 ? NOTHING : html` Needs ${joined(needs, " and ")}.`}</li>`;
  });
  return html`<p>Exactly one of:</p>
<ul>${forms}</ul>
`;
}

/** One object with the fields of all forms; those that every form needs are required. */
function allForms(schema: JsonSchema): JsonSchema {
  const [first, ...others] = schema.oneOf ?? [];
  if (first === undefined) return schema;
  const merged = (one: JsonSchema, other: JsonSchema): JsonSchema => {
    const [mine, theirs] = [one.properties ?? {}, other.properties ?? {}];
    const properties = Object.fromEntries(
      [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) => {
        const [a, b] = [mine[name], theirs[name]];
        const both = a?.properties !== undefined && b?.properties !== undefined ? merged(a, b) : (a ?? b);
        return both === undefined ? [] : [[name, both] as const];
      }),
    );
    const required = (one.required ?? []).filter((name) => other.required?.includes(name) === true);
    return { ...one, properties, required };
  };
  return others.reduce(merged, first);
}

export function methodBadge(method: Method): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function facts({ method, operation }: Endpoint): Html {
  const scope = operation["x-scope"];
  return html`<ul class="facts"><li>Needs a key with scope <code>${scope}</code></li>${
    method === "GET" ? NOTHING : html`<li>Takes an <a href="#idempotency">idempotency key</a></li>`
  }${operation["x-sandbox-only"] === true ? html`<li>Only in the sandbox; 404 in live mode</li>` : NOTHING}</ul>`;
}

function parameterTables(operation: Operation): Html {
  const own = operation.parameters.filter((one): one is Parameter => !isReference(one));
  const places = [
    ["path", "Path", "Parts of the path"],
    ["query", "Query", "Query parameters"],
  ] as const;
  return html`${places.map(([place, title, caption]) => {
    const here = own.filter((one) => one.in === place);
    if (here.length === 0) return NOTHING;
    const schema: JsonSchema = {
      type: "object",
      properties: Object.fromEntries(
        here.map(({ name, description, schema: inner }) => [name, describedBy(inner, description)]),
      ),
      required: here.filter((one) => one.required).map((one) => one.name),
    };
    return html`<h4>${title}</h4>
${fieldTable(schema, { caption, sent: true, linkTo: () => NOTHING })}`;
  })}`;
}

function describedBy(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

function answerSection(
  id: string,
  schema: JsonSchema,
  { document, homes }: PageContext,
  linkTo: LinkTo,
): Html {
  const home = schema.$ref === undefined ? undefined : homes.get(schema.$ref);
  if (schema.$ref !== undefined && home !== undefined && home.operationId !== id) {
    return html`<h4 id="${id}-answer">Answer</h4>
<p>The ${linkTo(schema.$ref)}, with the fields that <a href="#${home.operationId}-answer">${home.summary}</a> returns.</p>`;
  }
  return html`<h4 id="${id}-answer">Answer</h4>
<details><summary>Fields of the answer</summary>
${fieldTable(resolved(schema, document), { caption: "Fields of the answer", sent: false, linkTo })}
</details>`;
}

function codesSection({ method, operation }: Endpoint, document: OpenApiDocument): Html {
  const shared: ReadonlySet<string> = new Set(sharedCodesOf({ method }).map(codeId));
  const own = operation["x-codes"].filter((code) => !shared.has(code));
  const everyCall = html`<a href="#every-call">codes of every call</a>`;
  if (own.length === 0)
    return html`<h4>Codes</h4>
<p>Only the ${everyCall}.</p>`;
  return html`<h4>Codes</h4>
<details><summary>${own.length} ${own.length === 1 ? "code" : "codes"} of its own</summary>
${codeTable(own, document["x-codes"], { caption: "Codes of this call", anchors: false })}
</details>
<p>And the ${everyCall}.</p>`;
}

function resolved(schema: JsonSchema, document: OpenApiDocument): JsonSchema {
  return schema.$ref === undefined ? schema : (document.components.schemas[nameIn(schema.$ref)] ?? schema);
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** `PaymentRequest` becomes `payment request`. */
function nameOf(reference: string): string {
  return nameIn(reference)
    .replace(/(?<!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
