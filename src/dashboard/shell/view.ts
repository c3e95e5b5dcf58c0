import { type Html, html } from "../../../browser/ui/html.ts";
import type { Merchant } from "../../features/merchants/index.ts";
import { merchantBase } from "./layout.ts";
import { badge } from "./parts/badge.ts";
import { code } from "./parts/facts.ts";
import { field, filters } from "./parts/form.ts";
import { emptyState, table } from "./parts/table.ts";

const SHOWN_AT_MOST = 200;

export function merchantsView(all: readonly Merchant[], text: string): Html {
  const matching = all.filter(
    ({ id, name }) => id === text || name.toLowerCase().includes(text.toLowerCase()),
  );
  const rows = matching
    .slice(0, SHOWN_AT_MOST)
    .map(({ id, name, mode, country }) => [
      html`<a href="${merchantBase(id)}">${name}</a>`,
      badge(mode, mode === "live" ? "live" : "quiet"),
      country,
      code(id),
    ]);
  const columns = ["Name", "Mode", "Country", "Id"].map((head) => ({ head }));
  const list =
    rows.length === 0
      ? emptyState("No merchant has this name or id.")
      : table({ caption: `${matching.length} of ${all.length} merchants`, columns, rows, stacks: true });
  const search = filters({
    action: "/dashboard/merchants",
    fields: [field({ name: "name", label: "Name or id", value: text, type: "search" })],
  });
  return html`${search}${list}`;
}
