import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { eventually } from "../../support/eventually.ts";
import { at, command, pick } from "./command.ts";
import { readRows } from "./list-commands.ts";
import { where } from "./model.ts";
import { rangeBetween, rangeNames } from "./ranges.ts";
import type { Real } from "./real.ts";

type Attempt = {
  readonly webhookId: string;
  readonly attempt: number;
  readonly httpStatus: number | null;
  /** Null before the first attempt. */
  readonly attemptedDateTime: string | null;
};

/**
 * The attempts to deliver an event are newest first, the same whatever the page size, and a range has its part of them. The
 * endpoint received at least as many as it answered.
 */
export const listDeliveries = fc
  .record({ event: at, limit: fc.constantFrom(1, 2, 5), names: rangeNames, from: at, to: at })
  .map((input) =>
    command(`list deliveries ${JSON.stringify(input)}`, async (model, real) => {
      const received = arrivalsOf(real);
      const repeated = where(received, (arrivals) => arrivals > 1);
      if (received.size === 0) return;
      const [id] = pick(repeated.size === 0 ? received : repeated, input.event);
      const path = `/events/${id}/deliveries`;
      const read = (limit: number, query: Readonly<Record<string, string>> = {}) =>
        readRows<Attempt>(model, real, { path, name: "deliveries", limit, query });
      await eventually(`no attempt of ${id} is made while they are listed`, async () => {
        const all = await read(100);
        const paged = await read(input.limit);
        const times = all.flatMap(({ attemptedDateTime: time }) => (time === null ? [] : [time]));
        const timeAt = (place: number) => times[place % Math.max(1, times.length)] ?? "";
        const range = rangeBetween(input.names, [timeAt(input.from), timeAt(input.to)]);
        const part = times.length === 0 ? [] : await read(input.limit, range.query);
        if (!isDeepStrictEqual(await read(100), all)) return false;
        const about = `${path} ${JSON.stringify(range.query)}`;
        assert.deepEqual(paged, all, about);
        const within = all.filter(({ attemptedDateTime: time }) => time !== null && range.isWithin(time));
        assert.deepEqual(part, within, about);
        assert.deepEqual(times, times.toSorted().reverse(), about);
        // What was not attempted comes first of all.
        assert.ok(
          all.slice(all.length - times.length).every((one) => one.attemptedDateTime !== null),
          about,
        );
        const acknowledged = all.filter(({ httpStatus }) => httpStatus === 200);
        assert.ok(acknowledged.length <= (arrivalsOf(real).get(id) ?? 0), about);
        return true;
      });
    }),
  );

/** How often the endpoint received each event, by its id. Test pings are no events. */
function arrivalsOf({ receiver }: Real): ReadonlyMap<string, number> {
  const ids = receiver.received
    .map(({ body }): { readonly id: string; readonly event: string } => JSON.parse(body))
    .flatMap(({ id, event }) => (event === "ping" ? [] : [id]));
  return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
}
