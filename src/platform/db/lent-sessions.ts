import pg from "pg";
import { SettingProblem } from "../config/setting.ts";
import { connectionString } from "./connection-string.ts";
import { connectWithinMs } from "./database.ts";

/** The start of a server process: its number alone may be that of another server's process, too. */
const SESSION =
  "select pid || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()";

/** Which of two connections is asked. In no simple turn: a pooler that goes round its sessions can't give each its own. */
const ASKED = [0, 1, 1, 0, 1, 0, 0, 1] as const;

const PATIENCE_MS = 10_000;

/**
 * Whether a pooler at this address lends the server's sessions out by the transaction: what a connection prepared or set is
 * then not there for its next statement. Two connections that are open at the same time have a session each and keep it,
 * unless a pooler lends them.
 */
export async function lendsSessions(url: string): Promise<boolean> {
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    max: 2,
    connectionTimeoutMillis: connectWithinMs(url, PATIENCE_MS),
    query_timeout: PATIENCE_MS,
  });
  // One that breaks fails the statement in hand; without a listener it would end the process as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const clients: pg.PoolClient[] = [];
  const seen = [new Set<string>(), new Set<string>()] as const;
  try {
    while (clients.length < seen.length) clients.push(await pool.connect());
    for (const index of ASKED) {
      const answer = await clients[index]?.query<{ session: string }>(SESSION);
      for (const { session } of answer?.rows ?? []) seen[index].add(session);
    }
  } finally {
    for (const client of clients) client.release(true);
    await pool.end();
  }
  const [one, other] = seen;
  return one.size > 1 || other.size > 1 || !one.isDisjointFrom(other);
}

/** Of sessions that are lent, no statement finds what it prepared, and none shows other nodes that this one runs. */
export async function refuseLentSessions(databaseUrl: string): Promise<void> {
  if (!(await lendsSessions(databaseUrl))) return;
  throw new SettingProblem(
    "TIDEGATE_PREPARED_STATEMENTS",
    "is on, and DATABASE_URL leads through a pooler that lends sessions out by the transaction",
    "off, as docs/guides/operating.md says of PgBouncer",
  );
}
