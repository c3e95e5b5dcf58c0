import type { Html } from "../../../../browser/ui/html.ts";
import { zoneOf } from "../../../features/merchants/index.ts";
import { type IdNoun, idMoment, parseId } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import { clockOf } from "../../../platform/context.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { Section } from "../layout.ts";
import type { Column } from "../parts/table.ts";
import type { MerchantPage } from "../visit.ts";
import type { ListName, RowOf } from "./listing.ts";
import { readList } from "./read-list.ts";
import type { RowContext } from "./rows.ts";
import { dayFields, listPage, searchField } from "./view.ts";

/** What was asked for, without what was left empty. */
export type Asked = Readonly<Record<string, string>>;

type ListSpec<Row> = {
  readonly section: Section;
  readonly title: string;
  /** What the search field takes. */
  readonly search: string;
  readonly fields: (asked: Asked) => readonly Html[];
  readonly filters: (asked: Asked) => Readonly<Record<string, Parameter | undefined>>;
  readonly columns: readonly Column[];
  readonly row: (row: Row, at: RowContext, now: Instant) => readonly (Html | string)[];
  readonly empty: Html;
};

/** Where an id that was searched for is shown. */
const PAGES: readonly (readonly [IdNoun, string])[] = [
  ["paymentRequest", "payment-requests"],
  ["transaction", "transactions"],
  ["customer", "customers"],
  ["payout", "payouts"],
  ["refund", "refunds"],
  ["event", "events"],
];

export function listOf<Name extends ListName>(name: Name, spec: ListSpec<RowOf[Name]>): MerchantPage {
  return {
    method: "GET",
    path: `/${spec.section}`,
    may: "read",
    run: async (ctx, { merchant, base, query }) => {
      const asked = askedFor(query);
      const searched = asked["q"];
      const found = searched === undefined ? undefined : pageOfId(searched.trim());
      if (found !== undefined) return { goTo: `${base}/${found}` };
      const { before, after } = query;
      const page = await readList(ctx, merchant, name, {
        before,
        after,
        from: asked["from"],
        to: asked["to"],
        filters: { ...spec.filters(asked), ...searchFilter(name, searched) },
      });
      const zone = zoneOf(merchant);
      const now = clockOf(ctx, merchant);
      const content = listPage({
        path: `${base}/${spec.section}`,
        asked,
        fields: [searchField(asked, spec.search), ...spec.fields(asked), ...dayFields(asked)],
        caption: spec.title,
        columns: spec.columns,
        rows: page.rows.map((row) => spec.row(row, { base, zone }, now)),
        newer: page.newer,
        older: page.older,
        deep: before !== undefined || after !== undefined,
        cutAt: page.lookedBackTo === undefined ? undefined : { moment: idMoment(page.lookedBackTo), zone },
        empty: spec.empty,
      });
      return { title: spec.title, section: spec.section, content };
    },
  };
}

function askedFor(query: FormFields): Asked {
  const given = Object.entries(query).filter(
    ([name, value]) => value.trim() !== "" && name !== "before" && name !== "after",
  );
  return Object.fromEntries(given.map(([name, value]) => [name, value.slice(0, 254)]));
}

function pageOfId(text: string): string | undefined {
  const place = PAGES.find(([noun]) => parseId(noun, text) !== undefined);
  return place && `${place[1]}/${text}`;
}

function searchFilter(name: ListName, text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  if (name === "customers" && text.includes("@")) return { email: text.trim() };
  return { reference: text };
}
