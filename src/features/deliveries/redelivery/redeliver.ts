import { type Id, idFloor } from "../../../kernel/ids.ts";
import { type Problem, refuse, refuseAll } from "../../../kernel/refusal.ts";
import { type Instant, parseBound } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Loose } from "../../../platform/http/validate.ts";
import { claimKey } from "../../../platform/idempotency/claim-key.ts";
import { findEvent } from "../../events/index.ts";
import type { RequestCaller } from "../../merchants/index.ts";
import type { Attempt } from "../delivery.ts";
import { attemptsOf } from "../list-deliveries.ts";
import {
  countRange,
  type EventRange,
  findEndOfPortion,
  type RangeCount,
  requeueEvent,
  requeueRange,
} from "./queries.ts";

/** The limit of one API call; the command line has none. */
const RANGE_AT_MOST = 10_000;

/** Starts the deliveries of an event again, for every subscription that is active for it now. */
export async function redeliverEvent(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"event">,
): Promise<{ readonly id: Id<"event">; readonly attempts: readonly Attempt[] }> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: `/events/${id}` });
    if ((await findEvent(tx, caller.merchantId, id)) === undefined) refuse("resource_not_found");
    if ((await requeueEvent(tx, caller.merchantId, id)) === 0)
      refuse("event_redelivery_subscription_conflict");
    return {
      id,
      attempts: (await attemptsOf(tx, caller.merchantId, id)).filter(({ nextAt }) => nextAt !== null),
    };
  });
}

/** Events from `from` on, before `to`; `event` null: of every value. */
export type Period = { readonly from: Instant; readonly to: Instant; readonly event: string | null };

export type RangeInput = {
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly event?: string;
};

/** Starts the deliveries of all events of a period again. */
export async function redeliverRange(
  ctx: Context,
  caller: RequestCaller,
  input: RangeInput,
): Promise<number> {
  const range = parseRange(input);
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null });
    const { events } = await countRange(tx, caller.merchantId, range, RANGE_AT_MOST + 1);
    if (events > RANGE_AT_MOST) refuse("event_redelivery_range_conflict");
    return requeueRange(tx, caller.merchantId, range);
  });
}

/** Counts what `redeliverRange` would start, with the same refusals. */
export async function previewRange(
  ctx: Context,
  caller: RequestCaller,
  input: RangeInput,
): Promise<RangeCount> {
  const counted = await countRange(ctx.db, caller.merchantId, parseRange(input), RANGE_AT_MOST + 1);
  return counted.events > RANGE_AT_MOST ? refuse("event_redelivery_range_conflict") : counted;
}

function parseRange(input: RangeInput): EventRange {
  refuseAll(periodProblems(input));
  const from = parseBound(input.createdFrom) ?? refuse("event_redelivery_from_invalid", "/createdFrom");
  const to = parseBound(input.createdTo) ?? refuse("event_redelivery_to_invalid", "/createdTo");
  return rangeOf({ from, to, event: input.event ?? null });
}

/** A period that ends before it begins. */
export function periodProblems({ createdFrom = "", createdTo = "" }: Loose<RangeInput>): readonly Problem[] {
  const [from, to] = [parseBound(createdFrom), parseBound(createdTo)];
  const isForward = from === undefined || to === undefined || from < to;
  return isForward ? [] : [{ code: "event_redelivery_to_invalid", field: "/createdTo" }];
}

/** The senders of all merchants wait for deliveries while they are changed: no statement changes those of more events. */
const EVENTS_AT_ONCE = 1_000;

/** Starts the deliveries of all events of a period again, for the operator and without a limit. */
export async function redeliverBetween(
  db: Database,
  merchantId: Id<"merchant">,
  period: Period,
): Promise<number> {
  const { before, event, ...start } = rangeOf(period);
  let [from, count] = [start.from, 0];
  while (from < before) {
    const end = await findEndOfPortion(db, merchantId, { from, before, event }, EVENTS_AT_ONCE);
    const portion = { from, before: end, event };
    count += await db.transaction((tx) => requeueRange(tx, merchantId, portion));
    from = end;
  }
  return count;
}

function rangeOf({ from, to, event }: Period): EventRange {
  return { from: idFloor("event", from), before: idFloor("event", to), event };
}
