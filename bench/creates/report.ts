import { acknowledged, failures, type Load, percentile, perSecond, together } from "../figures.ts";
import type { Finding } from "../question.ts";
import type { CpuUse } from "../stage/cpu.ts";
import { queryOne } from "../stage/database.ts";
import type { Contender } from "./contenders.ts";

const RATE_GOAL = 0.6;
const P99_GOAL = 2.5;

export type Run = {
  readonly contender: Contender;
  readonly warmUp: Load[];
  readonly measured: Load[];
  /** Of the measured slices. */
  cpu: CpuUse | undefined;
};

/** One line per contender, then the ratios with their goals, then whether every acknowledged answer is in the tables. */
export async function reportCreates(runs: readonly Run[]): Promise<Finding> {
  const [floor, ours, silent] = runs;
  if (floor === undefined || ours === undefined || silent === undefined)
    throw new Error("a contender is missing");
  const ratio = perSecond(together(ours.measured)) / perSecond(together(floor.measured));
  const slow = percentile(together(ours.measured), 0.99) / percentile(together(floor.measured), 0.99);
  const silentRatio = perSecond(together(silent.measured)) / perSecond(together(floor.measured));
  const books = await Promise.all(runs.map(audit));
  const settings = await durabilityOf(floor.contender);
  return {
    lines: [
      ...runs.map(describe),
      `rate: ${ratio.toFixed(2)} of the floor (middle half of the slices: ${spread(ours, floor)}); goal ${RATE_GOAL}: ${verdict(ratio >= RATE_GOAL)}`,
      `p99: ${slow.toFixed(2)} times the floor's; goal ${P99_GOAL}: ${verdict(slow <= P99_GOAL)}`,
      ...describeCpu(runs),
      `with the log silent: ${silentRatio.toFixed(2)} of the floor`,
      ...books.map(({ line }) => line),
      `server: ${settings.line}`,
    ],
    met:
      ratio >= RATE_GOAL && slow <= P99_GOAL && settings.durable && books.every(({ balanced }) => balanced),
  };
}

function describe({ contender, measured }: Run): string {
  const all = together(measured);
  const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)].map((ms) => `${ms.toFixed(1)} ms`);
  const rate = Math.round(perSecond(all)).toString().padStart(6);
  return `${contender.name.padEnd(16)} ${rate} req/s   p50 ${p50}   p99 ${p99}   not 200: ${failures(all)}`;
}

/** Not a goal, but what a noisy neighbour changes least: the processor time behind one answer. */
function describeCpu(runs: readonly Run[]): readonly string[] {
  const parts = runs.flatMap(({ contender, measured, cpu }) => {
    if (cpu === undefined) return [];
    const each = (milliseconds: number) =>
      Math.round((milliseconds * 1_000) / acknowledged(together(measured)));
    return [`${contender.name} ${each(cpu.program)} + ${each(cpu.database)}`];
  });
  return parts.length === 0 ? [] : [`µs of processor per answer, server + PostgreSQL: ${parts.join("; ")}`];
}

/** The ratios of slices that stood side by side, without the least and the greatest quarter: the noise in the figure. */
function spread(ours: Run, floor: Run): string {
  const ratios = ours.measured
    .map((load, turn) => perSecond(load) / perSecond(floor.measured[turn] ?? load))
    .sort((one, other) => one - other);
  const quarter = Math.floor(ratios.length / 4);
  return `${ratios.at(quarter)?.toFixed(2)} to ${ratios.at(-1 - quarter)?.toFixed(2)}`;
}

/** Every answer with status 200, warm-up too, must be a row of each kind, and there must be no row beyond. */
async function audit({ contender, warmUp, measured }: Run): Promise<{ line: string; balanced: boolean }> {
  const all = together([...warmUp, ...measured]);
  const rows = Object.entries(await contender.countRows());
  const balanced = failures(all) === 0 && rows.every(([, count]) => count === acknowledged(all));
  const counts = rows.map(([kind, count]) => `${kind} ${count}`).join(", ");
  const line = `${contender.name}: acknowledged ${acknowledged(all)}, not 200 ${failures(all)}, ${counts}: ${balanced ? "equal" : "NOT EQUAL"}`;
  return { line, balanced };
}

/** What the server itself says about durability, and how often it has flushed its log to the disk. */
async function durabilityOf({ databaseUrl }: Contender): Promise<{ line: string; durable: boolean }> {
  const row = await queryOne<{ version: string; fsync: string; sync: string; flushes: number }>(
    databaseUrl,
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as sync,
       (select sum(fsyncs)::int from pg_stat_io where object = 'wal') as flushes`,
  );
  return {
    line: `PostgreSQL ${row.version}, fsync ${row.fsync}, synchronous_commit ${row.sync}, ${row.flushes} flushes of the log`,
    durable: row.fsync === "on" && row.sync === "on" && row.flushes > 0,
  };
}

function verdict(met: boolean): string {
  return met ? "met" : "MISSED";
}
