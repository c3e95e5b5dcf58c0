import assert from "node:assert/strict";
import type { Payment } from "../../src/dashboard/payments/read-payment.ts";
import { timelineOf } from "../../src/dashboard/payments/timeline.ts";
import type { TimelineEntry } from "../../src/dashboard/payments/timeline-entry.ts";
import { detailWords, titleWords } from "../../src/dashboard/payments/timeline-words.ts";
import { DAY, type Instant, instant } from "../../src/kernel/time.ts";

export const day = (number: number): Instant => instant(Date.UTC(2026, 0, 1) + number * DAY);

/** The states of one record, oldest first, each with its words. `*`: the records show it as well, once its event is gone. */
export type History<State> = readonly (readonly [state: State, words: string])[];

/** The event of a state. */
export type Published = {
  readonly event: string;
  readonly resourceId: string;
  readonly at: Instant;
  readonly payload: object;
};

const NOTHING = {
  request: undefined,
  transactions: [],
  refunds: [],
  disputes: [],
  tokens: [],
  transfers: [],
  lines: [],
  operations: [],
  deliveries: [],
};

/**
 * Asserts the entries of one record for every number of its events that are left: each of these reads as if all were
 * there, and below them is what the records know of the others.
 */
export function assertReads<State>(
  history: History<State>,
  eventOf: (state: State) => Published,
  recordsOf: (last: State) => object,
): void {
  const newestFirst = [...history].reverse();
  const events = newestFirst.map(([state], index) => {
    const { event, resourceId, at, payload } = eventOf(state);
    return { id: `evt_${index}`, event, resourceId, createdAt: at, body: JSON.stringify({ payload }) };
  });
  const [[last] = assert.fail()] = newestFirst;
  const entriesWith = (left: number) =>
    timelineOf({
      ...NOTHING,
      ...recordsOf(last),
      events: events.slice(0, left),
    } as unknown as Payment).filter(
      ({ subjectId, title }) => subjectId === events[0]?.resourceId && title.kind !== "line",
    );
  const whole = entriesWith(events.length);
  for (let left = events.length; left >= 0; left--) {
    const entries = entriesWith(left);
    const expected = newestFirst
      .map(([, words], index) => ({ words, index }))
      .filter(({ words, index }) => index < left || words.startsWith("* "));
    const what = `${left} of ${events.length} events are left`;
    assert.deepEqual(
      entries.map((entry) => [titleWords(entry), entry.tone]),
      expected.map(({ words, index }) => [words.replace("* ", ""), whole[index]?.tone]),
      what,
    );
    const ofEvents = entries.filter(({ event }) => event !== undefined);
    assert.deepEqual(ofEvents.map(shown), whole.slice(0, left).map(shown), what);
  }
}

const shown = (entry: TimelineEntry) => [titleWords(entry), detailWords(entry), entry.at, entry.event?.id];
