import type { Contender } from "./contender.ts";
import { queryOne } from "./stage/database.ts";
import { acknowledged, describeFailures, failures, percentile, perSecond, together } from "./statistics.ts";
import type { Run } from "./turns.ts";

/** One contender's result, as every question about rates prints it. */
export function describeRun({ contender, measured }: Run): string {
  const all = together(measured);
  const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)].map((ms) => `${ms.toFixed(1)} ms`);
  const rate = Math.round(perSecond(all)).toString().padStart(6);
  return `${contender.name.padEnd(16)} ${rate} req/s   p50 ${p50}   p99 ${p99}   not 200: ${describeFailures(all)}`;
}

export function rateRatio(ours: Run, floor: Run): number {
  return perSecond(together(ours.measured)) / perSecond(together(floor.measured));
}

/** CPU time per answer. Not a goal, but the value that other load affects least. */
export function describeCpu(runs: readonly Run[]): readonly string[] {
  const parts = runs.flatMap(({ contender, measured, cpu }) => {
    if (cpu === undefined) return [];
    const each = (milliseconds: number) =>
      Math.round((milliseconds * 1_000) / acknowledged(together(measured)));
    return [`${contender.name} ${each(cpu.program)} + ${each(cpu.database)}`];
  });
  return parts.length === 0 ? [] : [`CPU µs per answer, server + PostgreSQL: ${parts.join("; ")}`];
}

/** The interquartile range of the ratios of adjacent slices: the noise in the result. */
export function spread(ours: Run, floor: Run): string {
  const ratios = ours.measured
    .map((load, turn) => perSecond(load) / perSecond(floor.measured[turn] ?? load))
    .sort((one, other) => one - other);
  const quarter = Math.floor(ratios.length / 4);
  return `${ratios.at(quarter)?.toFixed(2)} to ${ratios.at(-1 - quarter)?.toFixed(2)}`;
}

/** Every answer with status 200, warm-up included, must have a row of each kind, and there must be no other row. */
export async function audit({
  contender,
  warmUp,
  measured,
}: Run): Promise<{ line: string; balanced: boolean }> {
  const all = together([...warmUp, ...measured]);
  const rows = Object.entries(await contender.countRows());
  const balanced = failures(all) === 0 && rows.every(([, count]) => count === acknowledged(all));
  const counts = rows.map(([kind, count]) => `${kind} ${count}`).join(", ");
  const line = `${contender.name}: acknowledged ${acknowledged(all)}, not 200 ${describeFailures(all)}, ${counts}: ${balanced ? "equal" : "NOT EQUAL"}`;
  return { line, balanced };
}

/** The server's durability settings, and how often it has flushed its write-ahead log to disk. */
export async function durabilityOf({ databaseUrl }: Contender): Promise<{ line: string; durable: boolean }> {
  const row = await queryOne<{ version: string; fsync: string; sync: string; flushes: number }>(
    databaseUrl,
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as sync,
       (select sum(fsyncs)::int from pg_stat_io where object = 'wal') as flushes`,
  );
  return {
    line: `PostgreSQL ${row.version}, fsync ${row.fsync}, synchronous_commit ${row.sync}, ${row.flushes} WAL flushes`,
    durable: row.fsync === "on" && row.sync === "on" && row.flushes > 0,
  };
}

export function verdict(met: boolean): string {
  return met ? "met" : "MISSED";
}
