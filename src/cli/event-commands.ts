import { redeliverBetween, redeliverEvent } from "../features/deliveries/index.ts";
import { listEvents } from "../features/events/index.ts";
import { requireId } from "../kernel/ids.ts";
import { earliest, HOUR, type Instant, later, parseDateTime, toIso } from "../kernel/time.ts";
import type { Context } from "../platform/context.ts";
import { pageOf } from "../platform/http/lists.ts";
import { EVENT_VALUES } from "../platform/outbox/publish.ts";
import { callerFor, chooseMerchant, MERCHANT_OPTION } from "./choose-merchant.ts";
import {
  type Command,
  type CommandOutput,
  CommandProblem,
  choiceOf,
  INTERRUPTED,
  numberOf,
  optionOf,
  type ParsedArguments,
  UsageProblem,
} from "./command.ts";
import { eventLine } from "./event-line.ts";
import { listenToEvents } from "./listen-to-events.ts";
import type { Terminal } from "./terminal.ts";

/** A period is processed in steps of this length, to keep transactions short. */
const STEP = HOUR;
/** Periods with more steps show a progress bar. */
const STEPS_WITHOUT_PROGRESS = 24;
const ANY = "any";
const EVENT = {
  value: "value",
  about: `Only this event value: ${EVENT_VALUES.join(", ")}.`,
  default: ANY,
} as const;

export const EVENT_COMMANDS: readonly Command[] = [
  {
    name: "events list",
    reads: true,
    about: "List a merchant's events, newest first.",
    options: {
      merchant: MERCHANT_OPTION,
      event: EVENT,
      resource: { value: "id", about: "Only events of this resource, such as a payment request." },
      limit: { value: "count", about: "At most this many, 1 to 100.", default: "20" },
    },
    examples: [
      "events list",
      "events list --event transactions --limit 5",
      "events list --resource pr_… --json",
    ],
    run: async (ctx, args) => {
      const merchant = await chooseMerchant(ctx, args);
      const event = chosenEvent(args);
      const resourceId = args.options["resource"];
      const page = pageOf("event", { limit: String(numberOf(args, "limit", [1, 100])) });
      const filters = { ...(event && { event }), ...(resourceId && { resourceId }) };
      const rows = (await listEvents(ctx.db, merchant.id, page, filters)).slice(0, page.limit - 1);
      const events = rows.map(({ body }) => JSON.parse(body) as object);
      return { json: { events }, lines: rows.map(({ body }) => eventLine(body)) };
    },
  },
  {
    name: "events listen",
    reads: true,
    about: "Print events as they are published, of all merchants or of one. Ctrl-C ends it.",
    options: {
      merchant: { value: "id", about: "Only this merchant's; `merchant list` lists all." },
      event: EVENT,
    },
    examples: [
      "events listen",
      "events listen --event transactions",
      "events listen --merchant mer_… --json",
    ],
    run: (ctx, args, terminal) => listenToEvents(ctx, args.options["merchant"], chosenEvent(args), terminal),
  },
  {
    name: "events redeliver",
    about:
      "Deliver one event again, or all of a period, to the subscriptions that are active now. Needs an event id, or --from and --to.",
    positional: "eventId",
    positionalOptional: true,
    options: {
      merchant: MERCHANT_OPTION,
      from: { value: "time", about: "ISO 8601 with zone; included.", notWith: ["<eventId>"] },
      to: { value: "time", about: "ISO 8601 with zone; not included.", notWith: ["<eventId>"] },
      event: { ...EVENT, notWith: ["<eventId>"] },
    },
    examples: [
      "events redeliver evt_…",
      "events redeliver --merchant mer_… --from 2026-01-31T09:00:00Z --to 2026-01-31T12:00:00Z",
    ],
    run: async (ctx, args, terminal) => {
      const [eventId] = args.positionals;
      return eventId === undefined ? redeliverPeriod(ctx, args, terminal) : redeliverOne(ctx, args, eventId);
    },
  },
];

function chosenEvent(args: ParsedArguments): (typeof EVENT_VALUES)[number] | undefined {
  const event = choiceOf(args, "event", [ANY, ...EVENT_VALUES]);
  return event === ANY ? undefined : event;
}

async function redeliverOne(ctx: Context, args: ParsedArguments, eventId: string): Promise<CommandOutput> {
  const merchant = await chooseMerchant(ctx, args);
  const { attempts } = await redeliverEvent(ctx, callerFor(merchant), requireId("event", eventId));
  return { json: { count: attempts.length }, lines: [`Deliveries that start again: ${attempts.length}`] };
}

async function redeliverPeriod(
  ctx: Context,
  args: ParsedArguments,
  { progress, interrupted }: Terminal,
): Promise<CommandOutput> {
  const [from, to] = [momentOf(args, "from"), momentOf(args, "to")];
  if (to <= from) throw new UsageProblem("--to must be after --from");
  const merchant = await chooseMerchant(ctx, args);
  const event = chosenEvent(args) ?? null;
  const steps = Math.ceil((to - from) / STEP);
  const stop = interrupted();
  let [count, done, start] = [0, 0, from];
  try {
    while (start < to) {
      if (stop.aborted) throw new CommandProblem(INTERRUPTED);
      const end = earliest(later(start, STEP), to);
      count += await redeliverBetween(ctx.db, merchant.id, { from: start, to: end, event });
      [start, done] = [end, done + 1];
      if (steps > STEPS_WITHOUT_PROGRESS) progress({ done, total: steps, what: "hours processed" });
    }
  } catch (problem) {
    const next = toIso(start);
    const lines = [`Deliveries that start again so far: ${count}`, `Go on with  --from ${next}`];
    return { json: { count, next }, lines, problem };
  }
  return { json: { count }, lines: [`Deliveries that start again: ${count}`] };
}

function momentOf(args: ParsedArguments, name: string): Instant {
  const moment = parseDateTime(optionOf(args, name));
  if (moment === undefined) throw new UsageProblem(`--${name} must be a time such as 2026-01-31T09:00:00Z`);
  return moment;
}
