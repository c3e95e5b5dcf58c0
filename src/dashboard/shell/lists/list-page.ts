import { type Html, html } from "../../../../browser/ui/html.ts";
import { type IdNoun, idMoment, parseId } from "../../../kernel/ids.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import { type CsvSpec, csvOf } from "../../../platform/http/csv.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { Section } from "../layout.ts";
import { type MerchantPage, type MerchantVisit, merchantPage } from "../page.ts";
import type { Column } from "../parts/table.ts";
import type { Listing, Row } from "./queries.ts";
import { readList, readWholeList } from "./read-list.ts";
import { dayFields, type Filled, listView, searchField } from "./view.ts";

type ListSpec<Shown extends Row> = {
  readonly section: Section;
  readonly title: string;
  readonly listing: Listing<Shown>;
  /** The label of the search field. */
  readonly search: string;
  /** The filter of a searched text that is no id. Default: the reference. */
  readonly searchFilter?: (text: string) => Readonly<Record<string, string>>;
  readonly fields: (filled: Filled) => readonly Html[];
  readonly filters: (filled: Filled) => Readonly<Record<string, Parameter | undefined>>;
  readonly columns: readonly Column[];
  readonly cells: (row: Shown, visit: MerchantVisit) => readonly (Html | string)[];
  readonly empty: Html;
  /** Above the filters, such as a way to make a new record. */
  readonly above?: (visit: MerchantVisit) => Html | undefined;
  /** The lines of its file. */
  readonly csv: CsvSpec<Shown>;
};

/** The page that shows an id, by its noun. */
const PAGES: readonly (readonly [IdNoun, string])[] = [
  ["paymentRequest", "payment-requests"],
  ["transaction", "transactions"],
  ["customer", "customers"],
  ["payout", "payouts"],
  ["refund", "refunds"],
  ["dispute", "disputes"],
  ["event", "events"],
];

/**
 * A list of one kind of record: filters, rows, neighbouring pages; and a file with all rows that fit. A searched id leads to
 * its own page.
 */
export function listPages<Shown extends Row>(spec: ListSpec<Shown>): readonly MerchantPage[] {
  return [listPage(spec), exportPage(spec)];
}

function listPage<Shown extends Row>(spec: ListSpec<Shown>): MerchantPage {
  const { section, title, listing } = spec;
  return merchantPage({
    method: "GET",
    path: `/${section}`,
    right: "read",
    run: async (ctx, visit) => {
      const { merchant, base, query, zone } = visit;
      const filled = filledFields(query);
      const searched = filled["q"];
      const found = searched === undefined ? undefined : pageOfId(searched.trim());
      if (found !== undefined) return { goTo: `${base}/${found}` };
      const page = await readList(ctx, merchant, listing, {
        before: query["before"],
        after: query["after"],
        ...inputOf(spec, filled),
      });
      const content = listView(visit, {
        section,
        filled,
        fields: [searchField(filled, spec.search), ...spec.fields(filled), ...dayFields(filled)],
        caption: title,
        columns: spec.columns,
        page: { ...page, rows: page.rows.map((row) => spec.cells(row, visit)) },
        cutAt: page.lookedBackTo === undefined ? undefined : { moment: idMoment(page.lookedBackTo), zone },
        empty: spec.empty,
      });
      return { title, section, content: html`${spec.above?.(visit)}${content}` };
    },
  });
}

function exportPage<Shown extends Row>(spec: ListSpec<Shown>): MerchantPage {
  const { section, listing, csv } = spec;
  return merchantPage({
    method: "GET",
    path: `/${section}.csv`,
    right: "read",
    run: async (ctx, { merchant, query }) => ({
      file: csvOf(readWholeList(ctx, merchant, listing, inputOf(spec, filledFields(query))), {
        ...csv,
        withTotals: true,
      }),
      type: "text/csv; charset=utf-8",
      name: `${section}.csv`,
    }),
  });
}

function inputOf<Shown extends Row>(
  { filters, searchFilter = (reference) => ({ reference }) }: ListSpec<Shown>,
  filled: Filled,
) {
  const searched = filled["q"];
  return {
    from: filled["from"],
    to: filled["to"],
    filters: { ...filters(filled), ...(searched === undefined ? {} : searchFilter(searched)) },
  };
}

/** A key of metadata and its value. */
const LONGEST_FILTER = 541;

function filledFields(query: FormFields): Filled {
  const filled = Object.entries(query).filter(
    ([name, value]) => value.trim() !== "" && name !== "before" && name !== "after",
  );
  return Object.fromEntries(filled.map(([name, value]) => [name, value.slice(0, LONGEST_FILTER)]));
}

function pageOfId(text: string): string | undefined {
  const place = PAGES.find(([noun]) => parseId(noun, text) !== undefined);
  return place && `${place[1]}/${text}`;
}
