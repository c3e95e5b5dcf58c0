import { redeliverBetween, redeliverEvent } from "../features/deliveries/index.ts";
import { listEvents } from "../features/events/index.ts";
import { requireId } from "../kernel/ids.ts";
import { earliest, HOUR, type Instant, later, parseDateTime } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { pageOf } from "../platform/http/lists.ts";
import { EVENT_VALUES } from "../platform/outbox/publish.ts";
import {
  type Command,
  choiceOf,
  type Given,
  numberOf,
  optionOf,
  type Said,
  UsageProblem,
} from "./command.ts";
import { eventLine } from "./event-line.ts";
import { listenToEvents } from "./listen-to-events.ts";
import { chooseMerchant, inPlaceOf, WHOSE } from "./look-up.ts";
import type { Terminal } from "./terminal.ts";

/** A stretch is asked for in pieces of this length, so that no transaction is long. */
const PIECE = HOUR;
/** So many are looked through before anybody wonders. */
const SOON_DONE = 24;
const ANY = "any";
const EVENT = {
  value: "value",
  about: `Only this event value: ${EVENT_VALUES.join(", ")}.`,
  standard: ANY,
} as const;

export const EVENT_COMMANDS: readonly Command[] = [
  {
    words: "events list",
    about: "List a merchant's events, newest first.",
    options: {
      merchant: WHOSE,
      event: EVENT,
      resource: { value: "id", about: "Only events of this resource, such as a payment request." },
      limit: { value: "count", about: "So many at the most, 1 to 100.", standard: "20" },
    },
    examples: [
      "events list",
      "events list --event transactions --limit 5",
      "events list --resource pr_… --json",
    ],
    run: async (ctx, given) => {
      const merchant = await chooseMerchant(ctx, given);
      const event = chosenEvent(given);
      const resourceId = given.options["resource"];
      const page = pageOf("event", { limit: String(numberOf(given, "limit", [1, 100])) });
      const filters = { ...(event && { event }), ...(resourceId && { resourceId }) };
      const rows = (await listEvents(ctx.db, merchant.id, page, filters)).slice(0, page.limit - 1);
      const events = rows.map(({ body }) => JSON.parse(body) as object);
      return { json: { events }, lines: rows.map(({ body }) => eventLine(body)) };
    },
  },
  {
    words: "events listen",
    about: "Follow events as they are announced, of all merchants or of one. Ctrl-C ends it.",
    options: {
      merchant: { value: "id", about: "Only this merchant's; `merchant list` shows all." },
      event: EVENT,
    },
    examples: [
      "events listen",
      "events listen --event transactions",
      "events listen --merchant mer_… --json",
    ],
    run: (ctx, given, terminal) =>
      listenToEvents(ctx, given.options["merchant"], chosenEvent(given), terminal),
  },
  {
    words: "events redeliver",
    about:
      "Deliver one event again, or all of a stretch of time, to the subscriptions that are active now. Needs an event's id, or --from and --to.",
    positional: "eventId",
    positionalOptional: true,
    options: {
      merchant: WHOSE,
      from: { value: "moment", about: "ISO 8601 with zone; included." },
      to: { value: "moment", about: "ISO 8601 with zone; not included." },
      event: EVENT,
    },
    examples: [
      "events redeliver evt_…",
      "events redeliver --merchant mer_… --from 2026-01-31T09:00:00Z --to 2026-01-31T12:00:00Z",
    ],
    run: async (ctx, given, terminal) => {
      const [eventId] = given.positionals;
      return eventId === undefined
        ? redeliverStretch(ctx, given, terminal)
        : redeliverOne(ctx, given, eventId);
    },
  },
];

function chosenEvent(given: Given): (typeof EVENT_VALUES)[number] | undefined {
  const event = choiceOf(given, "event", [ANY, ...EVENT_VALUES]);
  return event === ANY ? undefined : event;
}

async function redeliverOne(ctx: Context, given: Given, eventId: string): Promise<Said> {
  const merchant = await chooseMerchant(ctx, given);
  const { attempts } = await redeliverEvent(ctx, inPlaceOf(merchant), requireId("event", eventId));
  return { json: { count: attempts.length }, lines: [`Deliveries that begin again: ${attempts.length}`] };
}

async function redeliverStretch(ctx: Context, given: Given, { progress }: Terminal): Promise<Said> {
  const [from, to] = [momentOf(given, "from"), momentOf(given, "to")];
  if (to <= from) throw new UsageProblem("--to must be after --from");
  const merchant = await chooseMerchant(ctx, given);
  const event = chosenEvent(given) ?? null;
  const pieces = Math.ceil((to - from) / PIECE);
  let [count, done] = [0, 0];
  for (let start = from; start < to; start = later(start, PIECE)) {
    const end = earliest(later(start, PIECE), to);
    count += await ctx.db.transaction((tx) =>
      redeliverBetween(tx, merchant.id, { from: start, to: end, event }),
    );
    done += 1;
    if (pieces > SOON_DONE) progress({ done, total: pieces, what: "hours looked through" });
  }
  return { json: { count }, lines: [`Deliveries that begin again: ${count}`] };
}

function momentOf(given: Given, name: string): Instant {
  const moment = parseDateTime(optionOf(given, name));
  if (moment === undefined) throw new UsageProblem(`--${name} must be a moment such as 2026-01-31T09:00:00Z`);
  return moment;
}
