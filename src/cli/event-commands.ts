import { redeliverBetween } from "../features/deliveries/index.ts";
import { earliest, HOUR, type Instant, later, parseDateTime } from "../kernel/time.ts";
import { EVENT_VALUES } from "../platform/outbox/announce.ts";
import { type Command, choiceOf, type Given, optionOf, UsageProblem } from "./command.ts";
import { getMerchant } from "./look-up.ts";

/** A stretch is asked for in pieces of this length, so that no transaction is long. */
const PIECE = HOUR;
const ANY = "any";

export const EVENT_COMMANDS: readonly Command[] = [
  {
    words: "events redeliver",
    about:
      "Deliver a merchant's events of a stretch of time again, to the subscriptions that are active now.",
    options: {
      merchant: { value: "id", about: "The merchant's id; `merchant list` shows all.", required: true },
      from: { value: "moment", about: "ISO 8601 with zone; included.", required: true },
      to: { value: "moment", about: "ISO 8601 with zone; not included.", required: true },
      event: { value: "value", about: `Only this event value: ${EVENT_VALUES.join(", ")}.`, standard: ANY },
    },
    examples: ["events redeliver --merchant mer_… --from 2026-01-31T09:00:00Z --to 2026-01-31T12:00:00Z"],
    run: async (world, given) => {
      const merchant = await getMerchant(world, optionOf(given, "merchant"));
      const event = choiceOf(given, "event", [ANY, ...EVENT_VALUES]);
      const [from, to] = [momentOf(given, "from"), momentOf(given, "to")];
      if (to <= from) throw new UsageProblem("--to must be after --from");
      let count = 0;
      for (let start = from; start < to; start = later(start, PIECE)) {
        const end = earliest(later(start, PIECE), to);
        count += await world.db.transaction((tx) =>
          redeliverBetween(tx, merchant.id, start, end, event === ANY ? null : event),
        );
      }
      return { json: { count }, lines: [`${count} deliveries begin again.`] };
    },
  },
];

function momentOf(given: Given, name: string): Instant {
  const moment = parseDateTime(optionOf(given, name));
  if (moment === undefined) throw new UsageProblem(`--${name} must be a moment such as 2026-01-31T09:00:00Z`);
  return moment;
}
