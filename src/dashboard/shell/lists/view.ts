import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import { pairText } from "../../../platform/db/metadata-pairs.ts";
import type { Section } from "../layout.ts";
import type { MerchantVisit } from "../page.ts";
import { choice, type Field, field, filters } from "../parts/form.ts";
import { type Column, emptyState, pager, table } from "../parts/table.ts";
import { shortTime, timeElement } from "../times.ts";
import type { Walked } from "./walk.ts";

/** The filters that the user filled in, by name. */
export type Filled = Readonly<Record<string, string>>;

export type ListView = {
  readonly section: Section;
  readonly filled: Filled;
  readonly fields: readonly Html[];
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly page: Omit<Walked<readonly (Html | string)[]>, "lookedBackTo">;
  /** Where the search was cut, and how far back it looked. */
  readonly cutAt?: { readonly moment: number; readonly zone: string } | undefined;
  readonly empty: Html;
  /** On a phone every row is a card: for lists whose last columns matter most. */
  readonly stacks?: boolean;
};

/** Filters, a page of rows, and links to its neighbours. The URL holds all of it. */
export function listView({ base, query }: MerchantVisit, list: ListView): Html {
  const { filled, cutAt } = list;
  const { rows, newer, older } = list.page;
  const path = `${base}/${list.section}`;
  const deep = query["before"] !== undefined || query["after"] !== undefined;
  const filtered = Object.keys(filled).length > 0;
  const link = (place: Filled) => address(path, { ...filled, ...place });
  const found =
    rows.length === 0
      ? filtered || deep
        ? emptyState(cutAt === undefined ? "Nothing fits." : "Nothing in the searched rows fits.")
        : list.empty
      : table({
          caption: list.caption,
          captionHidden: true,
          columns: list.columns,
          rows,
          stacks: list.stacks === true,
        });
  const file = rows.length === 0 && !deep ? undefined : address(`${path}.csv`, filled);
  return html`${filters(path, list.fields, filtered ? path : undefined)}${found}
${file !== undefined && html`<p class="act"><a class="button button-quiet" href="${file}" download>Export as CSV</a></p>`}
${cutAt !== undefined && html`<p class="muted cut">Searched back to ${shortTime(cutAt.moment, cutAt.zone)}. “Older” continues from there.</p>`}
${pager({
  first: deep ? link({}) : undefined,
  previous: newer === undefined ? undefined : link({ after: newer }),
  next: older === undefined ? undefined : link({ before: older }),
})}`;
}

function address(path: string, query: Filled): string {
  const parts = Object.keys(query).map((name) => `${name}=${encodeURIComponent(query[name] ?? "")}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

export function searchField(filled: Filled, label: string): Html {
  return field({ name: "q", label, type: "search", value: filled["q"] });
}

export function dayFields(filled: Filled): readonly Html[] {
  return [
    field({ name: "from", label: "From", type: "date", value: filled["from"] }),
    field({ name: "to", label: "To", type: "date", value: filled["to"] }),
  ];
}

export function textField(filled: Filled, name: string, label: string, more: Partial<Field> = {}): Html {
  return field({ ...more, name, label, value: filled[name] });
}

export function metadataField(filled: Filled): Html {
  return textField(filled, "metadata", "Metadata", { placeholder: "key=value" });
}

/** A text without an equals sign is no pair and matches no row. */
export function metadataFilter(filled: Filled): string | undefined {
  const text = filled["metadata"];
  if (text === undefined) return undefined;
  const cut = text.indexOf("=");
  return pairText({ key: text.slice(0, Math.max(0, cut)).trim(), value: text.slice(cut + 1) });
}

export function choiceField(
  filled: Filled,
  name: string,
  label: string,
  among: readonly (readonly [value: string, label: string])[],
): Html {
  return choice({
    name,
    label,
    value: filled[name] ?? "",
    among: [{ value: "", label: "Any" }, ...among.map(([value, text]) => ({ value, label: text }))],
  });
}

/** For choices whose values are their own labels. */
export function sameWords(words: readonly string[]): readonly (readonly [string, string])[] {
  return words.map((word) => [word, word]);
}

export function timeCell(moment: number, { zone }: MerchantVisit): Html {
  return timeElement(moment, zone, shortTime(moment, zone));
}

export function moneyCell(amount: number, currency: string): Html {
  return html`${moneyText(amount)} <span class="muted">${currency}</span>`;
}

/** The merchant's reference, or the end of the id where there is none. */
export function nameCell(href: string, reference: string, id: string): Html {
  return html`<a href="${href}">${reference === id ? shortId(id) : reference}</a>`;
}

/** Enough to distinguish two records; the record's page has the full id. */
export function shortId(id: string): string {
  return `${id.slice(0, id.indexOf("_") + 1)}…${id.slice(-6)}`;
}
