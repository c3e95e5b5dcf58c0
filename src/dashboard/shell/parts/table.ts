import { type Html, html } from "../../../../browser/ui/html.ts";

export type Column = {
  readonly head: string;
  /** Numbers are right-aligned. Words give way: in a list they are cut where the other columns need the room. */
  readonly kind?: "number" | "words" | "actions";
  /** The name by which the list is sorted; the largest come first, unless it is a text. */
  readonly sort?: string;
  readonly isText?: boolean;
};

export type TableModel = {
  readonly caption: string;
  /** For screen readers only, where a heading above says the same. */
  readonly captionHidden?: boolean;
  readonly columns: readonly Column[];
  /** For few rows: in a narrow window each becomes a card, with the heads beside the values. */
  readonly stacks?: boolean;
  /** The first cell of a row is its heading. */
  readonly rows: readonly (readonly (Html | string)[])[];
  /** The last row, such as totals. */
  readonly foot?: readonly string[];
  readonly sorting?: { readonly current: string; readonly href: (sort: string) => string };
};

/** A table that scrolls in a narrow window. */
export function table({ caption, captionHidden, columns, rows, foot, stacks, sorting }: TableModel): Html {
  // Browsers drop the semantics of a table that is laid out as cards; the roles restore them.
  const as = (role: string) => stacks === true && html` role="${role}"`;
  const name = `t-${caption.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const kindOf = (at: number) => columns[at]?.kind;
  const kinds = [stacks === true ? "stack" : "", sorting === undefined ? "" : "listed"].filter(Boolean);
  const heads = columns.map(
    (column) =>
      html`<th scope="col"${as("columnheader")}${column.kind !== undefined && html` class="${column.kind}"`}${sortState(column, sorting)}>${headOf(column, sorting)}</th>`,
  );
  const lines = rows.map((cells) => {
    const inner = cells.map((cell, at) => {
      const kind = kindOf(at);
      const style = kind === undefined ? html`` : html` class="${kind}"`;
      const head = stacks === true && kind !== "actions" && html` data-head="${columns[at]?.head ?? ""}"`;
      // One element, so that a card is a grid of two: head and value.
      const value = stacks === true && kind !== "actions" ? html`<div>${cell}</div>` : cell;
      return at === 0
        ? html`<th scope="row"${as("rowheader")}${style}${head}>${value}</th>`
        : html`<td${as("cell")}${style}${head}>${value}</td>`;
    });
    return html`<tr${as("row")}>${inner}</tr>`;
  });
  return html`<div class="scroll" role="region" aria-labelledby="${name}" tabindex="0"><table${stacks === true && html` role="table"`}${kinds.length > 0 && html` class="${kinds.join(" ")}"`}>
<caption id="${name}"${captionHidden === true && html` class="visually-hidden"`}>${caption}</caption>
<thead${as("rowgroup")}><tr${as("row")}>${heads}</tr></thead>
<tbody${as("rowgroup")}>${lines}</tbody>${foot !== undefined && html`<tfoot><tr>${foot.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td${kindOf(at) !== undefined && html` class="${kindOf(at)}"`}>${cell}</td>`))}</tr></tfoot>`}
</table></div>`;
}

function sortState({ sort }: Column, sorting: TableModel["sorting"]): Html {
  if (sort === undefined || sorting?.current.replace(/^-/, "") !== sort) return html``;
  return html` aria-sort="${sorting.current === sort ? "ascending" : "descending"}"`;
}

function headOf({ head, kind, sort, isText }: Column, sorting: TableModel["sorting"]): Html {
  if (kind === "actions") return html`<span class="visually-hidden">${head}</span>`;
  if (sort === undefined || sorting === undefined) return html`${head}`;
  const { current, href } = sorting;
  const first = isText === true ? sort : `-${sort}`;
  const other = isText === true ? `-${sort}` : sort;
  return html`<a href="${href(current === first ? other : first)}">${head}</a>`;
}

/** In place of an empty list: why, and the next step. */
export function emptyState(words: string, next?: Html): Html {
  return html`<div class="empty"><p>${words}</p>${next}</div>`;
}

/** Links to the neighbouring pages of a list and to its beginning; each page has a URL of its own. */
export function pager(links: {
  readonly first?: string | undefined;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** The newest come first. */
  readonly byAge?: boolean;
}): Html {
  const { first, previous, next, byAge = true } = links;
  const [start, back, on] = byAge ? ["Newest", "Newer", "Older"] : ["First", "Previous", "Next"];
  if (first === undefined && previous === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">${first !== undefined && html`<a href="${first}">${start}</a>`}${previous !== undefined && html`<a rel="prev" href="${previous}">${back}</a>`}${next !== undefined && html`<a rel="next" href="${next}">${on}</a>`}</nav>`;
}
