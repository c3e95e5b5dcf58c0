import { ID_PREFIXES, type IdNoun, idFloor } from "../../kernel/ids.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { refuse } from "../../kernel/refusal.ts";
import { type Instant, parseBound, toIso } from "../../kernel/time.ts";
import type { Page, UpdatedRange } from "../db/list-rows.ts";
import {
  type CursorPlace,
  cursorOf,
  fitsList,
  isListByUpdate,
  isUnchanging,
  placeOfCursor,
} from "./cursors.ts";
import { answer, CURSOR_OF, formatted, object, optional, type Schema, wholeNumber } from "./schema.ts";

export type { Page } from "../db/list-rows.ts";

/** One more row than is shown is read, to know whether there is a next page. */
const STANDARD_LIMIT = 20;

/** Rows of a page, which every list takes. */
export const limit = optional(
  wholeNumber({
    code: "query_limit_invalid",
    about: "Rows of a page.",
    pattern: "^([1-9][0-9]?|100)$",
    min: 1,
    max: 100,
    standard: STANDARD_LIMIT,
  }),
);

const CURSOR = formatted({
  code: "query_cursor_invalid",
  max: 200,
  format: "cursor",
  about: "`nextCursor` of the page before.",
});

const RANGES = {
  ...createdRange("Included.", "Not included."),
  ...updatedRange("Included. With this or `updatedTo` the latest change comes first.", "Not included."),
};

/** `createdFrom` and `createdTo`, which every list takes. */
export function createdRange(from: string, to: string) {
  return {
    createdFrom: optional(
      formatted({ code: "query_created_from_invalid", format: "date-time", about: from }),
    ),
    createdTo: optional(formatted({ code: "query_created_to_invalid", format: "date-time", about: to })),
  };
}

/** `updatedFrom` and `updatedTo`, which every list takes. */
export function updatedRange(from: string, to: string) {
  return {
    updatedFrom: optional(
      formatted({ code: "query_updated_from_invalid", format: "date-time", about: from }),
    ),
    updatedTo: optional(formatted({ code: "query_updated_to_invalid", format: "date-time", about: to })),
  };
}

/** Query of a list: paging, a range of time, and the resource's own filters. */
export function listQuery<const Filters extends Record<string, Schema>>(noun: IdNoun, filters: Filters) {
  const cursor = optional({ ...CURSOR, [CURSOR_OF]: noun });
  return object({ code: "body_object_invalid" }, { limit, cursor, ...RANGES, ...filters });
}

/** Query of an export: all of a list, so it has no pages. */
export function exportQuery<const Filters extends Record<string, Schema>>(filters: Filters) {
  return object({ code: "body_object_invalid" }, { ...RANGES, ...filters });
}

type PagingInput = { readonly [name in "limit" | "cursor" | keyof typeof RANGES]?: string };

/** Ranges of time that end before they begin: a rule of every query that has one. */
export function rangeProblems(query: PagingInput): readonly Problem[] {
  const { createdFrom, createdTo, updatedFrom, updatedTo } = query;
  return [
    ...(isBackwards(createdFrom, createdTo)
      ? [{ code: "query_created_to_invalid", field: "/createdTo" } as const]
      : []),
    ...(isBackwards(updatedFrom, updatedTo)
      ? [{ code: "query_updated_to_invalid", field: "/updatedTo" } as const]
      : []),
  ];
}

function isBackwards(from: string | undefined, to: string | undefined): boolean {
  const [begin, end] = [momentOf(from), momentOf(to)];
  return begin !== undefined && end !== undefined && end < begin;
}

const momentOf = (text: string | undefined) => (text === undefined ? undefined : parseBound(text));

/**
 * Where the page lies. Ids begin with the moment of creation, so a range of time is a range of ids, and a page is one
 * walk along an index, however many rows there are. A range of changes is a walk along the index of changes.
 */
export function pageOf(noun: IdNoun, query: PagingInput): Page {
  const isByUpdate = isListByUpdate(noun, query);
  const after = query.cursor === undefined ? undefined : readCursor(noun, query.cursor, query);
  const { from, to } = isUnchanging(noun)
    ? rangeOfUnchanging(query)
    : { from: momentOf(query.createdFrom), to: momentOf(query.createdTo) };
  const ends = [isByUpdate ? undefined : after?.id, to === undefined ? undefined : idFloor(noun, to)].filter(
    (end) => end !== undefined,
  );
  return {
    before: ends.sort()[0] ?? `${ID_PREFIXES[noun]}_~`,
    from: from === undefined ? "" : idFloor(noun, from),
    limit: Number(query.limit ?? STANDARD_LIMIT) + 1,
    updated: isByUpdate ? updatedOf(query, after) : undefined,
  };
}

/** The moments that both ranges of a query have in common, where creation and last change are one moment. */
export function rangeOfUnchanging({ createdFrom, createdTo, updatedFrom, updatedTo }: PagingInput): {
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
} {
  return {
    from: edge([createdFrom, updatedFrom], (one, other) => one > other),
    to: edge([createdTo, updatedTo], (one, other) => one < other),
  };
}

function edge(
  texts: readonly (string | undefined)[],
  isBeyond: (one: Instant, other: Instant) => boolean,
): Instant | undefined {
  const moments = texts.map(momentOf).filter((moment) => moment !== undefined);
  return moments.reduce<Instant | undefined>(
    (best, one) => (best === undefined || isBeyond(one, best) ? one : best),
    undefined,
  );
}

function readCursor(noun: IdNoun, cursor: string, query: PagingInput): CursorPlace {
  return fitsList(noun, cursor, query) ? placeOfCursor(cursor) : refuse("query_cursor_invalid", "/cursor");
}

function updatedOf(
  { createdFrom, createdTo, updatedFrom, updatedTo }: PagingInput,
  after: CursorPlace | undefined,
): UpdatedRange {
  const [from, to] = [momentOf(updatedFrom), momentOf(updatedTo)];
  const seen = after?.updatedAt;
  const isSeen = seen !== undefined && (to === undefined || seen < to);
  const before = isSeen ? seen : to;
  return {
    from: from === undefined ? "-infinity" : toIso(from),
    before: before === undefined ? "infinity" : toIso(before),
    beforeId: isSeen ? (after?.id ?? "") : "",
    isCreatedRange: createdFrom !== undefined || createdTo !== undefined,
  };
}

/** Cuts the extra row off and returns where the next page begins. */
export function cutPage<Row extends { readonly id: string; readonly updatedAt?: Instant }>(
  rows: readonly Row[],
  page: Page,
): { readonly shown: readonly Row[]; readonly nextCursor: string | null } {
  const shown = rows.slice(0, page.limit - 1);
  const last = rows.length === page.limit ? shown.at(-1) : undefined;
  if (last === undefined) return { shown, nextCursor: null };
  const updatedAt = page.updated === undefined ? undefined : last.updatedAt;
  return { shown, nextCursor: cursorOf({ id: last.id, updatedAt }) };
}

const EXPORTED_AT_ONCE = 1_000;

/** All rows of a list in portions. No transaction is open between two of them, so that a slow reader holds up nothing. */
export async function* walkPages<Row extends { readonly id: string; readonly updatedAt: Instant }>(
  first: Page,
  read: (page: Page) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let page: Page = { ...first, limit: EXPORTED_AT_ONCE }; ; ) {
    const rows = await read(page);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORTED_AT_ONCE) return;
    page =
      page.updated === undefined
        ? { ...page, before: last.id }
        : { ...page, updated: { ...page.updated, before: toIso(last.updatedAt), beforeId: last.id } };
  }
}

/** Schema of a list's answer. */
export function listAnswer<const Name extends string, Item extends Schema, Result extends Schema>(
  name: Name,
  item: Item,
  result: Result,
) {
  return answer.object({
    count: answer.integer("Rows on this page."),
    ...({ [name]: answer.list(item) } as { [key in Name]: ReturnType<typeof answer.list<Item>> }),
    nextCursor: answer.nullable(answer.text()),
    result,
  });
}
