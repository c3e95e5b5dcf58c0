import { type Id, idFloor } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/refusal.ts";
import { type Instant, parseDateTime } from "../../../kernel/time.ts";
import type { Context } from "../../../platform/context.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { claimKey } from "../../../platform/idempotency/claim-key.ts";
import { findEvent } from "../../events/index.ts";
import type { RequestCaller } from "../../merchants/index.ts";
import type { Attempt } from "../delivery.ts";
import { attemptsOf } from "../list-deliveries.ts";
import { askAgain, askRange, countRange, type EventRange, type RangeCount } from "./queries.ts";

/** So many at once by API; the command line goes on in portions. */
const RANGE_AT_MOST = 10_000;

/** Begins the deliveries of an event anew, at every subscription that is active for it now. */
export async function redeliverEvent(
  ctx: Context,
  caller: RequestCaller,
  id: Id<"event">,
): Promise<{ readonly id: Id<"event">; readonly attempts: readonly Attempt[] }> {
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id, path: `/events/${id}` });
    if ((await findEvent(tx, caller.merchantId, id)) === undefined) refuse("resource_not_found");
    if ((await askAgain(tx, caller.merchantId, id)) === 0) refuse("event_redelivery_subscription_conflict");
    return {
      id,
      attempts: (await attemptsOf(tx, caller.merchantId, id)).filter(({ nextAt }) => nextAt !== null),
    };
  });
}

export type RangeInput = {
  readonly createdFrom: string;
  readonly createdTo: string;
  readonly event?: string;
};

/** The same for all events of a stretch of time. */
export async function redeliverRange(
  ctx: Context,
  caller: RequestCaller,
  input: RangeInput,
): Promise<number> {
  const range = rangeAsked(input);
  return ctx.db.transaction(async (tx) => {
    await claimKey(tx, caller, { id: null, path: null });
    const { events } = await countRange(tx, caller.merchantId, range, RANGE_AT_MOST + 1);
    if (events > RANGE_AT_MOST) refuse("event_redelivery_range_conflict");
    return askRange(tx, caller.merchantId, range);
  });
}

/** What that would do, before anybody does it: the same refusals, and how many events and deliveries it is about. */
export async function previewRange(
  ctx: Context,
  caller: RequestCaller,
  input: RangeInput,
): Promise<RangeCount> {
  const counted = await countRange(ctx.db, caller.merchantId, rangeAsked(input), RANGE_AT_MOST + 1);
  return counted.events > RANGE_AT_MOST ? refuse("event_redelivery_range_conflict") : counted;
}

function rangeAsked(input: RangeInput): EventRange {
  const from = parseDateTime(input.createdFrom) ?? refuse("event_redelivery_from_invalid", "/createdFrom");
  const to = parseDateTime(input.createdTo) ?? refuse("event_redelivery_to_invalid", "/createdTo");
  return to <= from
    ? refuse("event_redelivery_to_invalid", "/createdTo")
    : rangeOf(from, to, input.event ?? null);
}

/** The same on the operator's word, without a limit. */
export async function redeliverBetween(
  tx: Tx,
  merchantId: Id<"merchant">,
  from: Instant,
  to: Instant,
  event: string | null,
): Promise<number> {
  return askRange(tx, merchantId, rangeOf(from, to, event));
}

function rangeOf(from: Instant, to: Instant, event: string | null): EventRange {
  return { from: idFloor("event", from), before: idFloor("event", to), event };
}
