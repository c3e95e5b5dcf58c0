import { Gauge, type Registry } from "prom-client";

export type CachedGauge<Answer> = {
  readonly name: string;
  readonly help: string;
  readonly pick: (answer: Answer) => number | ReadonlyMap<string, number>;
  /** The label whose values `pick` returns, if it returns several. */
  readonly label?: string;
};

/** Metrics need no key: requests in a loop make the database count no more often than this. */
const CACHED_MS = 5_000;

/** No scrape waits longer than this for the database. */
const ANSWER_WITHIN_MS = 1_000;

/** Gauges of one database query. While the database is away they are left out: an old value would look like a new one. */
export function cachedGauges<Answer>(
  registry: Registry,
  read: () => Promise<Answer>,
  now: () => number,
  gauges: readonly CachedGauge<Answer>[],
): void {
  let readAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
  const current = () => {
    if (now() - readAt < CACHED_MS) return answer;
    readAt = now();
    answer = Promise.race([read().catch(() => undefined), late(ANSWER_WITHIN_MS)]);
    return answer;
  };
  for (const { name, help, pick, label } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const known = await current();
        const picked = known === undefined ? undefined : pick(known);
        if (label !== undefined) this.reset();
        else if (picked === undefined) this.remove();
        if (typeof picked === "number") this.set(picked);
        else if (label !== undefined)
          for (const [value, count] of picked ?? []) this.set({ [label]: value }, count);
      },
    });
  }
}

function late(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
