import { type Html, html } from "../../../browser/ui/html.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { merchantBase } from "./layout.ts";
import { badge } from "./parts/badge.ts";
import { code } from "./parts/facts.ts";
import { field, filters } from "./parts/form.ts";
import { emptyState, pager, table } from "./parts/table.ts";

export const MERCHANTS_ON_A_PAGE = 100;

/** `found` has one more than a page, if there is a next one. */
export function merchantsView(
  found: readonly Merchant[],
  { text, isFirst }: { readonly text: string; readonly isFirst: boolean },
): Html {
  const shown = found.slice(0, MERCHANTS_ON_A_PAGE);
  const rows = shown.map(({ id, name, mode, country }) => [
    html`<a href="${merchantBase(id)}">${name}</a>`,
    badge(mode, mode === "live" ? "live" : "quiet"),
    country,
    code(id),
  ]);
  const columns = ["Name", "Mode", "Country", "Id"].map((head) => ({ head }));
  const list =
    rows.length === 0
      ? emptyState("No merchant has this name or id.")
      : table({ caption: "Merchants", captionHidden: true, columns, rows, stacks: true });
  const link = (place: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...(text !== "" && { name: text }), ...place }).toString();
    return query === "" ? PATH : `${PATH}?${query}`;
  };
  const search = filters({
    action: PATH,
    fields: [field({ name: "name", label: "Name or id", value: text, type: "search" })],
    clear: text === "" ? undefined : PATH,
  });
  const pages = pager({
    first: isFirst ? undefined : link({}),
    next: found.length > shown.length ? link({ after: shown.at(-1)?.id ?? "" }) : undefined,
    byAge: false,
  });
  return html`${search}${list}${pages}`;
}

const PATH = "/dashboard/merchants";
