import { setTimeout as pause } from "node:timers/promises";
import { isPostmasterOf, stillRuns } from "./find-postmaster.ts";

const fastPatienceMs = 20_000;
const immediatePatienceMs = 5_000;

/** Ends the server: sessions are cut, what was committed stays. False when it outlives even the immediate shutdown. */
export async function endPostmaster(pid: number, data: string): Promise<boolean> {
  await signal(pid, data, "SIGINT");
  if (await endsWithin(fastPatienceMs, pid, data)) return true;
  // Immediate shutdown skips the last checkpoint; the next start recovers from the log.
  await signal(pid, data, "SIGQUIT");
  return endsWithin(immediatePatienceMs, pid, data);
}

/** Only ever to a process that is this folder's postmaster at this moment. */
async function signal(pid: number, data: string, name: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (!(await isPostmasterOf(pid, data))) return;
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the two lines above.
  }
}

async function endsWithin(patienceMs: number, pid: number, data: string): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await pause(10)) {
    if (!(await stillRuns(pid, data))) return true;
  }
  return false;
}
