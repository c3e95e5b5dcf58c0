import { type Html, html } from "../../../../browser/ui/html.ts";
import { type IdNoun, idMoment, parseId } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";
import type { Parameter } from "../../../platform/db/database.ts";
import { type CsvCell, type CsvSpec, csvOf } from "../../../platform/http/csv.ts";
import type { FormFields } from "../../../platform/http/form-posts.ts";
import type { Section } from "../layout.ts";
import { type MerchantPage, type MerchantVisit, merchantPage } from "../page.ts";
import type { Column } from "../parts/table.ts";
import type { Listing, Row } from "./listing.ts";
import { type ListInput, readList, readTotals, readWholeList } from "./read-list.ts";
import { filterPages, filterPlace } from "./saved/pages.ts";
import { listFilters } from "./saved/queries.ts";
import { savedFilters } from "./saved/view.ts";
import { searchedFor } from "./search.ts";
import { totalsView } from "./totals-view.ts";
import { dayFields, type Filled, listView, queryOf, searchField } from "./view.ts";

type ListSpec<Shown extends Row> = {
  readonly section: Section;
  readonly title: string;
  /** What a row is called: one and many. */
  readonly rows: readonly [one: string, many: string];
  readonly listing: Listing<Shown>;
  /** What the search field finds, in words. */
  readonly search: string;
  readonly fields: (filled: Filled) => readonly Html[];
  /** By the name of their field; undefined where it is not filled in. */
  readonly filters: (filled: Filled) => Readonly<Record<string, Parameter | undefined>>;
  readonly columns: readonly Column[];
  readonly cells: (row: Shown, visit: MerchantVisit) => readonly (Html | string)[];
  readonly empty: Html;
  /** On a phone every row is a card. */
  readonly stacks?: true;
  /** Above the filters, such as a way to make a new record. */
  readonly above?: (visit: MerchantVisit) => Html | undefined;
  /** The lines of its file. */
  readonly csv: Omit<CsvSpec<Shown>, "cells" | "zone"> & {
    readonly cells: (row: Shown, now: Instant) => readonly CsvCell[];
  };
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
 * A list of one kind of record: filters that can be saved, their totals, rows, neighbouring pages; and a file with all rows
 * that fit. A searched id leads to its own page.
 */
export function listPages<Shown extends Row>(spec: ListSpec<Shown>): readonly MerchantPage[] {
  const clean = (query: string) =>
    queryOf(filledFields(spec, Object.fromEntries(new URLSearchParams(query))));
  return [listPage(spec), exportPage(spec), ...filterPages(spec.section, clean)];
}

function listPage<Shown extends Row>(spec: ListSpec<Shown>): MerchantPage {
  const { section, title, listing } = spec;
  return merchantPage({
    method: "GET",
    path: `/${section}`,
    right: "read",
    run: async (ctx, visit) => {
      const { merchant, base, query } = visit;
      const filled = filledFields(spec, query);
      const searched = filled["q"];
      const found = searched === undefined ? undefined : pageOfId(searched.trim());
      if (found !== undefined) return { goTo: `${base}/${found}` };
      const { before, after } = query;
      const input = { ...inputOf(spec, filled, visit), before, after, sort: filled["sort"] };
      const [page, totals, saved] = await Promise.all([
        readList(ctx, merchant, listing, input),
        isFiltered(filled) ? readTotals(ctx, merchant, listing, input) : undefined,
        listFilters(ctx.db, filterPlace(visit, section)),
      ]);
      const content = listView(visit, {
        section,
        filled,
        fields: [searchField(filled, spec.search), ...spec.fields(filled), ...dayFields(filled)],
        caption: title,
        columns: spec.columns,
        page: { ...page, rows: page.rows.map((row) => spec.cells(row, visit)) },
        cutAt: page.lookedBackTo === undefined ? undefined : idMoment(page.lookedBackTo),
        sortedTo: page.sortedTo === undefined ? undefined : idMoment(page.sortedTo),
        empty: spec.empty,
        stacks: spec.stacks === true,
        saved: savedFilters(visit, { path: `${base}/${section}`, saved, current: queryOf(filled) }),
        totals:
          totals === undefined || page.rows.length === 0
            ? undefined
            : totalsView(totals, { rows: spec.rows, heads: Object.keys(listing.sums ?? {}) }),
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
    run: async (ctx, visit) => ({
      file: csvOf(
        readWholeList(ctx, visit.merchant, listing, inputOf(spec, filledFields(spec, visit.query), visit)),
        {
          ...csv,
          cells: (row) => csv.cells(row, visit.now),
          totals: csv.totals ?? [],
          zone: visit.zone,
        },
      ),
      type: "text/csv; charset=utf-8",
      name: `${[section, ...daysIn(visit.query)].join("-")}.csv`,
    }),
  });
}

/** The first and the last day of an export stand in the name of its file. */
export function daysIn(query: Readonly<Record<string, string>>): readonly string[] {
  const days = [query["from"], query["to"]].flatMap((day) => day ?? []);
  return days.filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day));
}

function inputOf<Shown extends Row>(
  { filters }: ListSpec<Shown>,
  filled: Filled,
  visit: MerchantVisit,
): ListInput {
  const searched = filled["q"];
  return {
    from: filled["from"],
    to: filled["to"],
    filters: filters(filled),
    search: searched === undefined ? undefined : searchedFor(searched),
    now: visit.now,
  };
}

/** The order alone is no filter. */
function isFiltered({ sort: _sort, ...filters }: Filled): boolean {
  return Object.keys(filters).length > 0;
}

/** A key of metadata and its value. */
const LONGEST_FILTER = 541;

/** What every list takes beside its own filters. */
const COMMON_FIELDS = ["q", "from", "to", "sort"];

function filledFields<Shown extends Row>({ filters }: ListSpec<Shown>, query: FormFields): Filled {
  const known = [...COMMON_FIELDS, ...Object.keys(filters({}))];
  const filled = Object.entries(query).filter(([name, value]) => value.trim() !== "" && known.includes(name));
  return Object.fromEntries(filled.map(([name, value]) => [name, value.slice(0, LONGEST_FILTER)]));
}

function pageOfId(text: string): string | undefined {
  const place = PAGES.find(([noun]) => parseId(noun, text) !== undefined);
  return place && `${place[1]}/${text}`;
}
