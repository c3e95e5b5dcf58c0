import { setTimeout as pause } from "node:timers/promises";
import { endPostmaster } from "./end-postmaster.ts";
import type { Entered, enterServer } from "./enter-server.ts";
import { findPostmaster, stillRuns } from "./find-postmaster.ts";
import { tryHoldAsGateway } from "./locks.ts";
import type { Server } from "./reach-server.ts";
import { trimServerLog } from "./server-log.ts";
import { openSession, type Session } from "./session.ts";
import { messageOf } from "./trouble.ts";

const checkEveryMs = 500;
const trimEveryMs = 60_000;
const retryMostMs = 5_000;

export type Supervision = {
  readonly begin: (entered: Entered) => void;
  /** Something happened to the session: look now rather than at the next tick. */
  readonly wake: () => void;
  /** Ends the watch. The session comes back while it holds the folder, else undefined. */
  readonly end: () => Promise<Session | undefined>;
};

/**
 * Keeps server and hold alive: a server that died is started again on the same port, for the url is in a pool's hands;
 * a session that was cut takes its lock again.
 */
export function superviseServer(
  { cluster }: Server,
  enter: (options: Parameters<typeof enterServer>[2]) => Promise<Entered>,
  notice: (line: string) => void,
): Supervision {
  const stopping = new AbortController();
  let alarm = new AbortController();
  let held: Entered | undefined;
  let port = 0;
  let watching: Promise<void> = Promise.resolve();

  const wake = () => alarm.abort();

  async function check(): Promise<void> {
    if (held?.session.isOpen() === true && (await stillRuns(held.postmaster.pid, cluster.data))) return;
    const before = held;
    held = undefined;
    await before?.session.close();
    const now = await enter({ port, signal: stopping.signal, onLost: wake });
    if (now.postmaster.port !== port) {
      // A command found the server dead and its port taken by another program. Nobody can have the url of that server
      // but the command: it gives way.
      await endPostmaster(now.postmaster.pid, cluster.data);
      await now.session.close();
      throw new Error(`it had come up on port ${now.postmaster.port} instead of ${port}`);
    }
    held = now;
    if (now.startedHere)
      notice(`the embedded PostgreSQL had died and was started again (pid ${now.postmaster.pid})`);
    else notice(`the connection that holds ${cluster.dataDir} was lost and is back`);
  }

  /** Stopped at the very moment when the hold was lost: a server that nobody took meanwhile is still ours to end. */
  async function retakeIfFree(): Promise<Session | undefined> {
    const running = await findPostmaster(cluster.data);
    if (running?.port === undefined) return undefined;
    const session = await openSession(cluster, { pid: running.pid, port: running.port }).catch(
      () => undefined,
    );
    if (session === undefined || (await tryHoldAsGateway(session).catch(() => false))) return session;
    await session.close();
    return undefined;
  }

  async function watch(): Promise<void> {
    let said = "";
    let waitMs = checkEveryMs;
    let trimAt = Date.now() + trimEveryMs;
    while (!stopping.signal.aborted) {
      await pause(waitMs, undefined, { signal: alarm.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      alarm = new AbortController();
      try {
        await check();
        said = "";
        waitMs = checkEveryMs;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (messageOf(error) !== said) notice(`the embedded PostgreSQL is not back yet: ${messageOf(error)}`);
        said = messageOf(error);
        waitMs = Math.min(waitMs * 2, retryMostMs);
      }
      if (Date.now() < trimAt) continue;
      await trimServerLog(cluster.log).catch(() => {});
      trimAt = Date.now() + trimEveryMs;
    }
  }

  return {
    wake,
    begin: (entered) => {
      held = entered;
      port = entered.postmaster.port;
      watching = watch();
    },
    end: async () => {
      stopping.abort();
      wake();
      await watching;
      return held?.session.isOpen() === true ? held.session : retakeIfFree();
    },
  };
}
