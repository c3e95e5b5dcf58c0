import { type Html, html } from "../../../../browser/ui/html.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import type { Section } from "../layout.ts";
import type { MerchantVisit } from "../page.ts";
import { choice, type Field, field, filters } from "../parts/form.ts";
import { type Column, emptyState, pager, table } from "../parts/table.ts";
import { shortTime, timeElement } from "../times.ts";
import { pairOf } from "./search.ts";
import { ROWS_LOOKED_AT, type Walked } from "./walk.ts";

/** The filters that the user filled in, by name. */
export type Filled = Readonly<Record<string, string>>;

export type ListView = {
  readonly section: Section;
  readonly filled: Filled;
  readonly fields: readonly Html[];
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly page: Pick<Walked<readonly (Html | string)[]>, "rows" | "newer" | "older">;
  /** Where the search was cut: how far back it looked. */
  readonly cutAt?: number | undefined;
  /** The age of the oldest row that was sorted, where there are more. */
  readonly sortedTo?: number | undefined;
  readonly empty: Html;
  /** On a phone every row is a card: for lists whose last columns matter most. */
  readonly stacks?: boolean;
  readonly saved?: Html;
  readonly totals?: Html | undefined;
};

/** Filters, a page of rows, and links to its neighbours. The URL holds all of it. */
export function listView({ base, query, zone, now }: MerchantVisit, list: ListView): Html {
  const { filled, cutAt, sortedTo } = list;
  const { sort, ...only } = filled;
  const { rows, newer, older } = list.page;
  const path = `${base}/${list.section}`;
  const deep = query["before"] !== undefined || query["after"] !== undefined;
  const filtered = Object.keys(only).length > 0;
  const link = (place: Filled) => address(path, { ...filled, ...place });
  const found =
    rows.length === 0
      ? filtered || deep
        ? emptyState(
            cutAt === undefined ? "No results" : "No results in the records that were searched",
            filled["q"] === undefined ? undefined : otherLists(base, list.section, filled["q"]),
          )
        : list.empty
      : table({
          caption: list.caption,
          captionHidden: true,
          columns: list.columns,
          rows,
          stacks: list.stacks === true,
          sorting: { current: sort ?? "-created", href: (next) => link({ sort: next }) },
        });
  const file = rows.length > 0 || filtered || deep ? `${path}.csv` : undefined;
  const order = sort === undefined ? html`` : html`<input type="hidden" name="sort" value="${sort}">`;
  return html`${list.saved}${filters({ action: path, fields: [...list.fields, order], clear: filtered ? path : undefined, file })}${list.totals}${found}
${cutAt !== undefined && html`<p class="muted cut">Searched back to ${shortTime(cutAt, zone, now)}. “${sort === undefined ? "Older" : "Next"}” continues from there.</p>`}
${sortedTo !== undefined && html`<p class="muted cut">Sorted are the newest ${ROWS_LOOKED_AT.toLocaleString("en-AU")} that were found, back to ${shortTime(sortedTo, zone, now)}. Choose fewer days to sort all.</p>`}
${pager({
  first: deep ? link({}) : undefined,
  previous: newer === undefined ? undefined : link({ after: newer }),
  next: older === undefined ? undefined : link({ before: older }),
  byAge: sort === undefined,
})}`;
}

const SEARCHED = [
  ["payment-requests", "payment requests"],
  ["transactions", "transactions"],
  ["refunds", "refunds"],
  ["disputes", "disputes"],
  ["customers", "customers"],
  ["payouts", "payouts"],
] as const;

/** What this list does not know, such as the last four digits of a card, another one may. */
function otherLists(base: string, section: Section, searched: string): Html {
  const links = SEARCHED.filter(([path]) => path !== section).map(
    ([path, words], at) =>
      html`${at > 0 && ", "}<a href="${address(`${base}/${path}`, { q: searched })}">${words}</a>`,
  );
  return html`<p>Search for “${searched}” in ${links}</p>`;
}

export function exportLink(file: string): Html {
  return html`<p class="act"><a class="button button-quiet" href="${file}" download>Export as CSV</a></p>`;
}

/** Filters as the query of a URL, in one order, so that two can be compared. */
export function queryOf(filled: Filled): string {
  const names = Object.keys(filled).sort();
  return names
    .map((name) => `${encodeURIComponent(name)}=${encodeURIComponent(filled[name] ?? "")}`)
    .join("&");
}

function address(path: string, query: Filled): string {
  const text = queryOf(query);
  return text === "" ? path : `${path}?${text}`;
}

/** One field over everything that has an index; `finds` says what. */
export function searchField(filled: Filled, finds: string): Html {
  return field({ name: "q", label: "Search", type: "search", placeholder: finds, value: filled["q"] });
}

/** Both on one line: a range is read as one. */
export function dayFields(filled: Filled): readonly Html[] {
  const from = field({ name: "from", label: "From", type: "date", value: filled["from"] });
  const to = field({ name: "to", label: "To", type: "date", value: filled["to"] });
  return [html`<div class="days">${from}${to}</div>`];
}

export function textField(filled: Filled, name: string, label: string, more: Partial<Field> = {}): Html {
  return field({ ...more, name, label, value: filled[name] });
}

export function metadataField(filled: Filled): Html {
  return textField(filled, "metadata", "Metadata", { placeholder: "key=value" });
}

export function metadataFilter(filled: Filled): string | undefined {
  return filled["metadata"] === undefined ? undefined : pairOf(filled["metadata"]);
}

/** Fields that the search field makes rare: shown where a link or a saved filter fills them in. */
export function whereFilled(filled: Filled, fields: Readonly<Record<string, () => Html>>): readonly Html[] {
  return Object.entries(fields).flatMap(([name, show]) => (filled[name] === undefined ? [] : [show()]));
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

export function timeCell(moment: number, { zone, now }: MerchantVisit): Html {
  return timeElement(moment, zone, shortTime(moment, zone, now));
}

export function moneyCell(amount: number, currency: string): Html {
  return html`${moneyText(amount)} <span class="muted">${currency}</span>`;
}

/** Of a column of words, which the style may cut; the pointer shows the whole. Room is saved at the `detail` first. */
export function wordsCell(words: string, detail?: string | null): Html | string {
  if (words === "") return "";
  const whole = detail == null ? words : `${words} ${detail}`;
  return html`<span title="${whole}">${words}${detail != null && html` <span class="muted wide">${detail}</span>`}</span>`;
}

/** The merchant's reference, or the end of the id where there is none; a button that the script adds copies the id. */
export function nameCell(href: string, reference: string, id: string): Html {
  const name = reference === id ? shortId(id) : reference;
  const whole = name.length > SHOWN_OF_NAME && html` title="${name}"`;
  return html`<span class="name"><a href="${href}"${whole}>${name}</a><span data-copy="id of ${name}" data-copy-text="${id}"></span></span>`;
}

/** The style cuts a longer one; the pointer shows the whole. */
const SHOWN_OF_NAME = 24;

/** Enough to distinguish two records; the record's page has the full id. */
export function shortId(id: string): string {
  return `${id.slice(0, id.indexOf("_") + 1)}…${id.slice(-6)}`;
}
