import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Tx } from "../../platform/db/database.ts";
import { cursorOfAttempt, placeOfAttempt } from "../../platform/http/cursors.ts";
import { rangeOfUnchanging } from "../../platform/http/lists.ts";
import type { Attempt } from "./delivery.ts";
import { type AttemptPage, listAttempts } from "./queries.ts";

const STANDARD_LIMIT = 20;
/** Sorts before every attempt. */
const NEWEST = { attemptedAt: null, webhookId: "~", attempt: 0 };

/** The attempts of an event, newest first; the first of each subscription has its delivery's status. */
export async function attemptsOf(
  tx: Tx,
  merchantId: Id<"merchant">,
  eventId: Id<"event">,
): Promise<readonly Attempt[]> {
  return listAttempts(tx, merchantId, eventId, { before: NEWEST, limit: 100 });
}

type AttemptQuery = {
  readonly limit?: string;
  readonly cursor?: string;
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
};

export async function pageOfAttempts(
  tx: Tx,
  merchantId: Id<"merchant">,
  eventId: Id<"event">,
  query: AttemptQuery,
): Promise<{ readonly shown: readonly Attempt[]; readonly nextCursor: string | null }> {
  const limit = Number(query.limit ?? STANDARD_LIMIT);
  const before =
    query.cursor === undefined
      ? NEWEST
      : (placeOfAttempt(query.cursor) ?? refuse("query_cursor_invalid", "/cursor"));
  const rows = await listAttempts(tx, merchantId, eventId, {
    before,
    limit: limit + 1,
    range: rangeOf(query),
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : cursorOfAttempt(last) };
}

/** A row's one moment is its attempt, so both ranges of the query mean that. */
function rangeOf(query: AttemptQuery): AttemptPage["range"] {
  const { from, to } = rangeOfUnchanging(query);
  return from === undefined && to === undefined ? undefined : { from, to };
}
