import { ID_PREFIXES, type IdNoun, idFloor, parseId } from "../../kernel/ids.ts";
import type { Problem } from "../../kernel/refusal.ts";
import { refuse } from "../../kernel/refusal.ts";
import { parseDateTime } from "../../kernel/time.ts";
import type { Page } from "../db/list-rows.ts";
import { cursorOf, idOfCursor } from "./formats.ts";
import { answer, formatted, object, optional, type Schema, wholeNumber } from "./schema.ts";

export type { Page } from "../db/list-rows.ts";

/** One more row than is shown is read, to know whether there is a next page. */
const STANDARD_LIMIT = 20;

const PAGING = {
  limit: optional(
    wholeNumber({
      code: "query_limit_invalid",
      pattern: "^([1-9][0-9]?|100)$",
      min: 1,
      max: 100,
      standard: STANDARD_LIMIT,
    }),
  ),
  cursor: optional(
    formatted({
      code: "query_cursor_invalid",
      max: 200,
      format: "cursor",
      about: "`nextCursor` of the page before.",
    }),
  ),
  createdFrom: optional(
    formatted({ code: "query_created_from_invalid", format: "date-time", about: "Included." }),
  ),
  createdTo: optional(
    formatted({ code: "query_created_to_invalid", format: "date-time", about: "Not included." }),
  ),
};

/** Query of a list: paging, a range of time, and the resource's own filters. */
export function listQuery<const Filters extends Record<string, Schema>>(filters: Filters) {
  return object({ code: "body_object_invalid" }, { ...PAGING, ...filters });
}

type PagingInput = { readonly [name in keyof typeof PAGING]?: string };

/** A range of time that ends before it begins: a rule of every query that has one. */
export function rangeProblems({ createdFrom, createdTo }: PagingInput): readonly Problem[] {
  if (createdFrom === undefined || createdTo === undefined) return [];
  const [from, to] = [parseDateTime(createdFrom), parseDateTime(createdTo)];
  const backwards = from !== undefined && to !== undefined && to < from;
  return backwards ? [{ code: "query_created_to_invalid", field: "/createdTo" }] : [];
}

/**
 * Where the page lies. Ids begin with the moment of creation, so a range of time is a range of ids, and a page is one
 * walk along an index, however many rows there are.
 */
export function pageOf(noun: IdNoun, query: PagingInput): Page {
  const after = query.cursor === undefined ? undefined : parseId(noun, idOfCursor(query.cursor));
  const from = query.createdFrom === undefined ? undefined : parseDateTime(query.createdFrom);
  const to = query.createdTo === undefined ? undefined : parseDateTime(query.createdTo);
  if (query.cursor !== undefined && after === undefined) refuse("query_cursor_invalid", "/cursor");
  const ends = [after, to === undefined ? undefined : idFloor(noun, to)].filter((end) => end !== undefined);
  return {
    before: ends.sort()[0] ?? `${ID_PREFIXES[noun]}_~`,
    from: from === undefined ? "" : idFloor(noun, from),
    limit: Number(query.limit ?? STANDARD_LIMIT) + 1,
  };
}

/** Cuts the extra row off and returns where the next page begins. */
export function cutPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  page: Page,
): { readonly shown: readonly Row[]; readonly nextCursor: string | null } {
  const shown = rows.slice(0, page.limit - 1);
  const last = rows.length === page.limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : cursorOf(last.id) };
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
