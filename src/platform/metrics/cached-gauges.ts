import { Gauge, type Registry } from "prom-client";

export type CachedGauge<Answer> = {
  readonly name: string;
  readonly help: string;
  readonly pick: (answer: Answer) => number;
};

/** The figures need no key: whoever asks for them in a loop makes the database count no oftener than this. */
const CACHED_MS = 5_000;

/** Nobody waits for these figures while the database does not answer. */
const ANSWER_WITHIN_MS = 1_000;

/** Gauges of one question to the database. While it is away they are left out: an old figure would look like a new one. */
export function cachedGauges<Answer>(
  registry: Registry,
  read: () => Promise<Answer>,
  now: () => number,
  gauges: readonly CachedGauge<Answer>[],
): void {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
  const input = () => {
    if (now() - asked < CACHED_MS) return answer;
    asked = now();
    answer = Promise.race([read().catch(() => undefined), late(ANSWER_WITHIN_MS)]);
    return answer;
  };
  for (const { name, help, pick } of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const known = await input();
        if (known === undefined) this.remove();
        else this.set(pick(known));
      },
    });
  }
}

function late(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
