import type { JsonSchema } from "../../platform/http/openapi-shape.ts";
import { type LinkTo, limitsOf, typeOf } from "./field-text.ts";
import { codeLink, type Html, html, joined, NOTHING, prose } from "./html.ts";

/** One line of a table of fields. Siblings with the same schema share a line. */
type Field = {
  readonly parents: readonly string[];
  readonly names: readonly string[];
  readonly schema: JsonSchema;
  readonly required: boolean;
};

export type FieldTable = { readonly caption: string; readonly sent: boolean; readonly linkTo: LinkTo };

/** A table of all fields of an object, nested ones below their parent. */
export function fieldTable(schema: JsonSchema, table: FieldTable): Html {
  const fields = fieldsOf(schema, []);
  if (fields.length === 0) return html`<p>An empty object.</p>`;
  const heads = ["Field", "Type", "About", ...(table.sent ? ["Code"] : [])];
  return html`<table class="fields" role="table"><caption>${table.caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${fields.map((field) => fieldRow(field, table))}</tbody></table>`;
}

function fieldRow({ parents, names, schema, required }: Field, { sent, linkTo }: FieldTable): Html {
  const inner = innerOf(schema);
  const about = schema.description ?? inner.description;
  const limits = limitsOf(inner);
  const code = schema["x-code"];
  const path = parents.map((parent) => `${parent}.`).join("");
  const named = names.map((name) => html`<code><span class="unseen">${path}</span>${name}</code>`);
  return html`<tr role="row"><th class="in-${parents.length}" role="rowheader" scope="row">${joined(named, " ")}</th><td class="type" role="cell">${typeOf(
    schema,
    linkTo,
  )}${presence(required, sent)}</td><td role="cell">${
    about === undefined ? NOTHING : html`<p>${prose(about)}</p>`
  }${limits.length === 0 ? NOTHING : html`<p class="limits">${joined(limits.map(prose), "; ")}</p>`}</td>${
    sent ? html`<td role="cell">${code === undefined ? NOTHING : codeLink(code)}</td>` : NOTHING
  }</tr>
`;
}

/** Marks required fields of a request and optional fields of an answer. */
function presence(required: boolean, sent: boolean): Html {
  if (sent) return required ? html` <strong>required</strong>` : NOTHING;
  return required ? NOTHING : html` <em>optional</em>`;
}

function fieldsOf(schema: JsonSchema, parents: readonly string[]): readonly Field[] {
  const inner = innerOf(schema);
  if (inner.items !== undefined)
    return fieldsOf(inner.items, [...parents.slice(0, -1), `${parents.at(-1)}[]`]);
  return siblings(inner).flatMap(({ names, schema: child }) => {
    const required = inner.required?.includes(names[0] ?? "") === true;
    const under = names.length === 1 ? (names[0] ?? "") : "…";
    return [{ parents, names, schema: child, required }, ...fieldsOf(child, [...parents, under])];
  });
}

type Siblings = { readonly names: readonly string[]; readonly schema: JsonSchema };

/** Groups properties with the same schema: the rate of each card type is shown once. */
function siblings({ properties = {}, required = [] }: JsonSchema): readonly Siblings[] {
  const alike = Map.groupBy(Object.entries(properties), ([name, schema]) =>
    isPlain(schema) ? name : `${JSON.stringify(schema)}${required.includes(name)}`,
  );
  return [...alike.values()].flatMap((group): readonly Siblings[] => {
    const [first] = group;
    if (first === undefined || group.length < SHARED_LINE)
      return group.map(([name, schema]) => ({ names: [name], schema }));
    return [{ names: group.map(([name]) => name), schema: first[1] }];
  });
}

/** This many siblings with the same schema share a line. */
const SHARED_LINE = 3;

/** Texts and numbers with the same schema are still different fields. */
function isPlain(schema: JsonSchema): boolean {
  return schema.type === "string" || schema.type === "integer" || schema.type === "number";
}

/** The schema without null. */
function innerOf(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find((one) => one.type !== "null") ?? schema;
}
