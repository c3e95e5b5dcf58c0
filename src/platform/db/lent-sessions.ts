import pg from "pg";
import { SettingProblem } from "../config/setting.ts";
import { connectionString } from "./connection-string.ts";
import { connectWithinMs, sqlState } from "./database.ts";

/**
 * The start of a server process: its number alone may be that of another server's process, too. A connection that has taken
 * another role may not see it.
 */
const SESSION = `select concat(pg_backend_pid(), ' ', (
   select backend_start from pg_stat_activity where pid = pg_backend_pid())) as session`;

/** Which of two connections is asked. In no simple turn: a pooler that goes round its sessions can't give each its own. */
const ASKED = [0, 1, 1, 0, 1, 0, 0, 1] as const;

const PATIENCE_MS = 10_000;

const TOO_MANY_CONNECTIONS = "53300";

/**
 * Whether a pooler at this address lends the server's sessions out by the transaction: what a connection prepared or set is
 * then not there for its next statement. Two connections that are open at the same time have a session each and keep it,
 * unless a pooler lends them.
 */
export async function lendsSessions(url: string): Promise<boolean> {
  const clients = [newClient(url), newClient(url)] as const;
  try {
    const [first, second] = clients;
    await first.connect();
    // Without room for a second connection nothing can be seen.
    if (!(await second.connect().then(() => true, hasRoom))) return false;
    const seen = [new Set<string>(), new Set<string>()] as const;
    for (const index of ASKED) {
      const { rows } = await clients[index].query<{ session: string }>(SESSION);
      for (const { session } of rows) seen[index].add(session);
    }
    const [one, other] = seen;
    return one.size > 1 || other.size > 1 || !one.isDisjointFrom(other);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: connectionString(url),
    connectionTimeoutMillis: connectWithinMs(url, PATIENCE_MS),
    query_timeout: PATIENCE_MS,
  });
  // One that breaks fails the statement in hand; without a listener it would end the process as well.
  client.on("error", () => {});
  return client;
}

/** False if the server takes no more connections; any other error is thrown. */
function hasRoom(error: unknown): false {
  if (sqlState(error) === TOO_MANY_CONNECTIONS) return false;
  throw error;
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
