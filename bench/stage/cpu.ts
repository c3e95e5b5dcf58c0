import { readFileSync } from "node:fs";
import { query } from "./database.ts";

/** A measured program, and the database that only it uses. */
type Measured = { readonly pid: number; readonly databaseUrl: string };

/** Milliseconds of CPU time. */
export type CpuUse = { readonly program: number; readonly database: number };

/** The CPU time of each process since its start, by pid. */
export type CpuReading = { readonly program: number; readonly sessions: ReadonlyMap<number, number> };

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU time is least affected by other load. Undefined except on Linux, which reports it in /proc. */
export async function readCpu({ pid, databaseUrl }: Measured): Promise<CpuReading | undefined> {
  if (process.platform !== "linux") return undefined;
  const sessions = await query<{ pid: number }>(
    databaseUrl,
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return { program: usedBy(pid), sessions: new Map(sessions.map((one) => [one.pid, usedBy(one.pid)])) };
}

/** Sessions that ended in between had been idle for long, so leaving them out changes nothing. */
export function cpuBetween(
  before: CpuReading | undefined,
  after: CpuReading | undefined,
): CpuUse | undefined {
  if (before === undefined || after === undefined) return undefined;
  let database = 0;
  for (const [pid, used] of after.sessions) database += used - (before.sessions.get(pid) ?? 0);
  return { program: after.program - before.program, database };
}

/** Ticks of all cores since the machine started, and those of them that its host gave to other machines. */
export type HostReading = { readonly all: number; readonly stolen: number };

/** From the first line of /proc/stat, whose eighth number is the stolen time. Undefined except on Linux. */
export function readHost(): HostReading | undefined {
  if (process.platform !== "linux") return undefined;
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { all: user + nice + system + idle + ioWait + irq + softIrq + stolen, stolen };
}

/** User and system time, fields 14 and 15 of /proc/<pid>/stat; the name before them may hold spaces. */
function usedBy(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
