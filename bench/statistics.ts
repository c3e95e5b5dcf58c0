/** Counts and times of one load, or of several combined. Latencies are in milliseconds. */
export type Load = {
  readonly seconds: number;
  readonly latencies: readonly number[];
  /** Answers by HTTP status; 0 is a broken connection. */
  readonly answers: Readonly<Record<number, number>>;
};

export function together(loads: readonly Load[]): Load {
  const answers: Record<number, number> = {};
  for (const load of loads) {
    for (const [status, count] of Object.entries(load.answers)) {
      answers[Number(status)] = (answers[Number(status)] ?? 0) + count;
    }
  }
  return {
    seconds: sum(loads.map(({ seconds }) => seconds)),
    latencies: loads.flatMap(({ latencies }) => latencies),
    answers,
  };
}

export function acknowledged(load: Load): number {
  return load.answers[200] ?? 0;
}

export function failures(load: Load): number {
  return sum(Object.values(load.answers)) - acknowledged(load);
}

/** The same by status, such as `8 (503: 6, broken: 2)`. */
export function describeFailures(load: Load): string {
  const others = Object.entries(load.answers).filter(([status]) => status !== "200");
  const each = others.map(([status, count]) => `${status === "0" ? "broken" : status}: ${count}`).join(", ");
  return `${failures(load)}${each === "" ? "" : ` (${each})`}`;
}

export function perSecond(load: Load): number {
  return acknowledged(load) / load.seconds;
}

/** The latency at or below which this share of the answers lies. */
export function percentile(load: Load, share: number): number {
  const sorted = Float64Array.from(load.latencies).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
