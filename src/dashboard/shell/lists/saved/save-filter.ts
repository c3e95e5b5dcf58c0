import { holdsCardNumber } from "../../../../platform/cards/card-number-in-text.ts";
import type { Context } from "../../../../platform/context.ts";
import { lockUser } from "../../../access/users/queries.ts";
import { type FilterPlace, listFilters, putFilter, type SavedFilter } from "./queries.ts";

const FILTERS_AT_MOST = 20;
export const LONGEST_NAME = 40;
const LONGEST_QUERY = 2_000;

/** Saves a filter under its name, in place of an earlier one. Answers why not, where it can't. */
export async function saveFilter(
  ctx: Context,
  place: FilterPlace,
  filter: SavedFilter,
): Promise<string | undefined> {
  const { length } = filter.name;
  if (length < 1 || length > LONGEST_NAME) return `Type a name of 1 to ${LONGEST_NAME} characters.`;
  if (filter.query === "") return "Nothing is filtered, so there is nothing to save.";
  if (filter.query.length > LONGEST_QUERY) return "This filter is too long to be saved.";
  const texts = [filter.name, ...new URLSearchParams(filter.query).values()];
  if (texts.some(holdsCardNumber)) return "Remove the card number; a saved filter is stored in clear.";
  return ctx.db.transaction(async (tx) => {
    // Two forms at once must not save one filter too many.
    await lockUser(tx, place.userId);
    const known = await listFilters(tx, place);
    if (known.length >= FILTERS_AT_MOST && !known.some(({ name }) => name === filter.name))
      return `A list has at most ${FILTERS_AT_MOST} saved filters. Delete one first.`;
    await putFilter(tx, place, filter, ctx.now());
    return undefined;
  });
}
