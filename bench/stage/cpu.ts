import { readFileSync } from "node:fs";
import { query } from "./database.ts";

/** Processor time in milliseconds that a program and the database sessions that it holds have used so far. */
export type CpuTime = { readonly program: number; readonly database: number };

/** The kernel counts in ticks of 10 ms. */
const TICK_MS = 10;

/** What a noisy neighbour changes least. Undefined where the kernel does not tell (only Linux does, in /proc). */
export async function cpuTimeOf(user: {
  readonly pid: number;
  readonly databaseUrl: string;
}): Promise<CpuTime | undefined> {
  if (process.platform !== "linux") return undefined;
  const sessions = await query<{ pid: number }>(
    user.databaseUrl,
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return {
    program: usedBy(user.pid),
    database: sessions.reduce((total, session) => total + usedBy(session.pid), 0),
  };
}

export function cpuBetween(before: CpuTime | undefined, after: CpuTime | undefined): CpuTime | undefined {
  if (before === undefined || after === undefined) return undefined;
  return { program: after.program - before.program, database: after.database - before.database };
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
