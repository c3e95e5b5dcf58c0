import { type Html, html } from "../../../../browser/ui/html.ts";
import { filters } from "../parts/filters.ts";
import { choice, type Field, field } from "../parts/form.ts";
import { type Column, emptyState, pager, table } from "../parts/table.ts";
import { shortTime } from "../times.ts";

export type ListPage = {
  /** The address without what was asked for. */
  readonly path: string;
  /** What was asked for, by name, without the place of the page. */
  readonly asked: Readonly<Record<string, string>>;
  readonly fields: readonly Html[];
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Html | string)[])[];
  readonly newer: string | undefined;
  readonly older: string | undefined;
  /** The page does not begin with the newest. */
  readonly deep: boolean;
  /** Where the search was cut, and how far back it looked. */
  readonly cutAt?: { readonly moment: number; readonly zone: string } | undefined;
  readonly empty: Html;
  /** On a phone every row is a card: for lists whose last columns matter most. */
  readonly stacks?: boolean;
};

/** Filters, a page of rows, and links to its neighbours; all of it in the address. */
export function listPage(list: ListPage): Html {
  const { path, asked, rows, newer, older, deep, cutAt } = list;
  const filtered = Object.keys(asked).length > 0;
  const link = (place: Readonly<Record<string, string>>) => address(path, { ...asked, ...place });
  const found =
    rows.length === 0
      ? filtered || deep
        ? emptyState(cutAt === undefined ? "Nothing fits." : "Nothing that was looked at fits.")
        : list.empty
      : table({
          caption: list.caption,
          captionHidden: true,
          columns: list.columns,
          rows,
          stacks: list.stacks === true,
        });
  return html`${filters(path, list.fields, filtered ? path : undefined)}${found}
${cutAt !== undefined && html`<p class="muted cut">Looked back to ${shortTime(cutAt.moment, cutAt.zone)}. “Older” goes on from there.</p>`}
${pager({
  first: deep ? link({}) : undefined,
  previous: newer === undefined ? undefined : link({ after: newer }),
  next: older === undefined ? undefined : link({ before: older }),
})}`;
}

export function address(path: string, query: Readonly<Record<string, string>>): string {
  const parts = Object.keys(query).map((name) => `${name}=${encodeURIComponent(query[name] ?? "")}`);
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

type Asked = Readonly<Record<string, string>>;

export function searchField(asked: Asked, hint: string): Html {
  return field({ name: "q", label: hint, type: "search", value: asked["q"] });
}

export function dayFields(asked: Asked): readonly Html[] {
  return [
    field({ name: "from", label: "From", type: "date", value: asked["from"] }),
    field({ name: "to", label: "To", type: "date", value: asked["to"] }),
  ];
}

export function textField(asked: Asked, name: string, label: string, more: Partial<Field> = {}): Html {
  return field({ ...more, name, label, value: asked[name] });
}

export function choiceField(
  asked: Asked,
  name: string,
  label: string,
  among: readonly (readonly [value: string, label: string])[],
): Html {
  return choice({
    name,
    label,
    value: asked[name] ?? "",
    among: [{ value: "", label: "Any" }, ...among.map(([value, text]) => ({ value, label: text }))],
  });
}
