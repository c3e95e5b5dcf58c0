import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { applyMigration, type Migration } from "./apply-migration.ts";
import { connectionString } from "./connection-string.ts";
import { connectWithinMs, sqlState } from "./database.ts";
import { distribute, isDistributed, prepareDistribution, refusePartOfDistribution } from "./distribute.ts";
import { grantRuntime } from "./grant-runtime.ts";
import { MigrationError } from "./migration-error.ts";
import { splitChanges, splitStatements } from "./split-statements.ts";

/** What happens around migrations that take long. */
export type MigrateOptions = {
  /** Called once if another process has the turn. */
  readonly onWait?: () => void;
  /** Ends the work with its reason: at once while waiting, else after the statement in hand. The next start goes on. */
  readonly stopping?: AbortSignal | undefined;
};

const FOLDER = new URL("../../../migrations/", import.meta.url);
const LOCK = 7_433_001;
const OLDEST_SERVER = 150_000;
const NO_RIGHT = "42501";
const NO_ROLE = "42704";

/**
 * Brings the schema up to date, one migration after the other, each in a transaction of its own unless it says otherwise. Any number of nodes may
 * do this at once: an advisory lock lets one work while the others wait. A migration that was changed after it ran is
 * refused, because the schema is unknown then. With a runtime role of its own (`runtimeUrl`), that role gets its rights.
 */
export async function migrate(
  url: string,
  runtimeUrl = url,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const role = runtimeRole(url, runtimeUrl);
  // A role that may not change the schema can start on one that is up to date.
  if (role === undefined && (await within(url, isUpToDate, variableOf(url, runtimeUrl)))) return [];
  return (await bringUpToDate(url, runtimeUrl, options, (client) => isDistributed(client))).applied;
}

/** Throws if the schema is this version's, and a part of the tables is distributed. */
async function isUpToDate(client: pg.Client): Promise<boolean> {
  if ((await listPending(client)).length > 0) return false;
  await refusePartOfDistribution(client);
  return true;
}

/**
 * The same, and distributes the tables over the servers of a Citus cluster. Any later migration does so with its new tables
 * by itself.
 */
export async function migrateDistributed(
  url: string,
  runtimeUrl = url,
  options: MigrateOptions = {},
): Promise<{ readonly applied: readonly string[]; readonly distributed: readonly string[] }> {
  return bringUpToDate(url, runtimeUrl, options, async () => true);
}

async function within<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
  variable?: string,
): Promise<Result> {
  const client = await connect(url, variable);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function bringUpToDate(
  url: string,
  runtimeUrl: string,
  options: MigrateOptions,
  isToBeDistributed: (client: pg.Client) => Promise<boolean>,
): Promise<{ readonly applied: readonly string[]; readonly distributed: readonly string[] }> {
  const role = runtimeRole(url, runtimeUrl);
  const variable = variableOf(url, runtimeUrl);
  const lock = await connect(url, variable);
  const client = await connect(url, variable);
  try {
    await refuseUnfitServer(client);
    await takeTurn(lock, options);
    await client.query(
      `create table if not exists schema_migrations
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const missing = await listMissing(client);
    const distributes = await isToBeDistributed(client);
    if (distributes) await prepareDistribution(client);
    const split = distributes ? splitChanges : splitStatements;
    for (const migration of missing)
      await applyMigration(client, migration, split(migration.text), options.stopping);
    const distributed = distributes ? await distribute(client) : [];
    if (role !== undefined) await grantRuntime(client, role);
    return { applied: missing.map((migration) => migration.name), distributed };
  } catch (error) {
    if (sqlState(error) === NO_ROLE)
      throw new MigrationError(
        `there is no role ${role}, which DATABASE_URL names: create it, then try again`,
      );
    if (sqlState(error) !== NO_RIGHT) throw error;
    throw new MigrationError(
      `the database user of ${variable} may not create tables: ${wordsOf(error)}; set DATABASE_OWNER_URL to a user who may, for \`tidegate migrate\``,
    );
  } finally {
    await client.end();
    await lock.end();
  }
}

const TURN_POLL_MS = 100;

/**
 * Waits for other nodes, however long they take. The lock belongs to a transaction of its own connection: it ends with it,
 * so that a pooler's connection can't keep it. It is polled, without parameters: a query that waits or that is prepared
 * keeps a snapshot, and an index that another node builds concurrently would wait for that.
 */
async function takeTurn(client: pg.Client, { onWait, stopping }: MigrateOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    stopping?.throwIfAborted();
    await client.query("begin; set local idle_in_transaction_session_timeout = 0");
    const { rows } = await client.query<{ isTaken: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCK}) as "isTaken"`,
    );
    if (rows[0]?.isTaken === true) return;
    await client.query("rollback");
    if (attempt === 1) onWait?.();
    await new Promise((resolve) => setTimeout(resolve, TURN_POLL_MS));
  }
}

/** Refuses a database whose schema is not the one of this version, and changes nothing. */
export async function refuseOutdatedSchema(url: string): Promise<void> {
  await within(url, async (client) => {
    if (await isUpToDate(client)) return;
    const pending = await listPending(client);
    throw new MigrationError(
      `the database lacks ${pending.length} migrations of this version, the first is ${pending[0]}: run \`tidegate migrate\`, or start the gateway, which does it`,
    );
  });
}

/** What `migrate` would apply; it changes nothing. */
export function pendingMigrations(url: string): Promise<readonly string[]> {
  return within(url, listPending);
}

async function listPending(client: pg.Client): Promise<readonly string[]> {
  await refuseUnfitServer(client);
  const { rows } = await client.query<{ isKnown: boolean }>(
    `select to_regclass('schema_migrations') is not null as "isKnown"`,
  );
  const missing = rows[0]?.isKnown === true ? await listMissing(client) : await readMigrations();
  return missing.map((migration) => migration.name);
}

async function listMissing(client: pg.Client): Promise<readonly Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migrations",
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const all = await readMigrations();
  refuseForeign(all, applied);
  return all.filter((migration) => !applied.has(migration.name));
}

/** The error names the cause as the database or network reports it: address, password, name or certificate. */
async function connect(url: string, variable = "DATABASE_URL"): Promise<pg.Client> {
  try {
    // Reads the files that the URL names.
    const client = new pg.Client({
      connectionString: connectionString(url),
      connectionTimeoutMillis: connectWithinMs(url, 10_000),
    });
    // A connection that breaks fails the statement in hand; without a listener it would end the process as well.
    client.on("error", () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw new MigrationError(
      `the database does not let us in (${wordsOf(error)}); check ${variable} and that it runs`,
    );
  }
}

/** Where the URL for migrations comes from. */
function variableOf(url: string, runtimeUrl: string): string {
  return url === runtimeUrl ? "DATABASE_URL" : "DATABASE_OWNER_URL";
}

/** The role that the gateway runs as, if it is not the one that migrates. */
function runtimeRole(ownerUrl: string, runtimeUrl: string): string | undefined {
  const nameOf = (url: string) => decodeURIComponent(new URL(url).username);
  const role = nameOf(runtimeUrl);
  return role === nameOf(ownerUrl) || role === "" ? undefined : role;
}

/** A refused connection is an AggregateError without words of its own. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "unknown";
}

/** Another encoding than UTF-8 lacks letters of payers' names: each would be a 500 when its payment arrives. */
async function refuseUnfitServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version = 0, encoding = "" } = rows[0] ?? {};
  if (version < OLDEST_SERVER) {
    throw new MigrationError(
      `the database server is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed`,
    );
  }
  if (encoding !== "UTF8") {
    throw new MigrationError(
      `the database has the encoding ${encoding}, and UTF8 is needed: create one with \`create database … encoding 'UTF8' template template0\``,
    );
  }
}

function refuseForeign(all: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(all.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of applied) {
    if (!known.has(name)) {
      throw new MigrationError(
        `the database has migration ${name}, which this version of Tidegate does not know: run the version that made it, or a newer one`,
      );
    }
    if (known.get(name) !== checksum) {
      throw new MigrationError(
        `migration ${name} was changed after it ran; put the file back as it was released`,
      );
    }
  }
}

async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}
