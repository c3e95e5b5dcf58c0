import pg from "pg";
import { randomText } from "../crypto/secrets.ts";
import { connectionString } from "./connection-string.ts";
import { SESSION_OPTIONS } from "./database.ts";

/**
 * The name under which a node holds what only one node may hold. If it belongs to a database session, every node can see
 * there whether its holder still runs: a killed process loses its session at once.
 */
export type Presence = {
  readonly name: string;
  /** The session's process and its start, as the server names them; null where there is none. */
  readonly pid: number | null;
  readonly since: string | null;
  /** True once the session is gone: other nodes may have taken over what was held under its name. */
  readonly isOver: () => boolean;
};

export type PresenceKeeper = {
  readonly current: () => Presence;
  readonly close: () => Promise<void>;
};

/** The application name of a node's session. */
export const PRESENCE_NAME = "tidegate presence";

const AGAIN_AFTER_MS = 1_000;
const ANSWER_MS = 5_000;
/** A session that the server or a firewall has ended without a word is noticed after this and ANSWER_MS. */
const CHECK_EVERY_MS = 2_000;

const WHO = "select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()";

/**
 * Keeps one connection open while the process runs. Behind a pooler that lends connections out by the
 * transaction there is no such session (`isShown` is false): then a name stands for itself.
 */
export async function keepPresence(url: string, isShown: boolean): Promise<PresenceKeeper> {
  let present = begin(null, null);
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const replace = (next: ReturnType<typeof begin>) => {
    present.end();
    present = next;
  };

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: connectionString(url),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      application_name: PRESENCE_NAME,
      options: `${SESSION_OPTIONS} -c idle_session_timeout=0`,
    });
    fresh.on("error", () => {});
    fresh.once("end", () => {
      if (client !== fresh || isClosed) return;
      client = undefined;
      replace(begin(null, null));
      next(connect, AGAIN_AFTER_MS);
    });
    try {
      await fresh.connect();
      const [who] = (await fresh.query<{ pid: number; since: string }>(WHO)).rows;
      if (who === undefined) throw new Error("the session does not see itself");
      client = fresh;
      replace(begin(who.pid, who.since));
      next(() => check(fresh), CHECK_EVERY_MS);
    } catch {
      await fresh.end().catch(() => {});
      next(connect, AGAIN_AFTER_MS);
    }
  }

  async function check(current: pg.Client): Promise<void> {
    try {
      await current.query("select 1");
      if (client === current) next(() => check(current), CHECK_EVERY_MS);
    } catch {
      // With a query in hand it waits for no goodbye of the server.
      await current.end().catch(() => {});
    }
  }

  function next(work: () => Promise<void>, afterMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void work(), afterMs);
    timer.unref();
  }

  if (isShown) await connect();
  return {
    current: () => present.presence,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

function begin(
  pid: number | null,
  since: string | null,
): { readonly presence: Presence; readonly end: () => void } {
  let over = false;
  return {
    presence: { name: randomText(12), pid, since, isOver: () => over },
    end: () => {
      over = true;
    },
  };
}
