import { operatorMessage } from "../../app/operator-message.ts";
import { hasLiveMerchant } from "../../features/merchants/index.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Tx } from "../../platform/db/database.ts";
import { databaseProblem } from "../../platform/db/errors.ts";
import { lendsSessions } from "../../platform/db/lent-sessions.ts";
import { pendingMigrations } from "../../platform/db/migrate.ts";
import { MigrationError } from "../../platform/db/migration-error.ts";
import { readServerFacts, type ServerFacts } from "../../platform/db/server-facts.ts";
import { type Finding, findings } from "./finding.ts";

const database = findings("database");
const databaseTls = findings("database TLS");
const pooler = findings("pooler");
const role = findings("role");
const writes = findings("writes");
const clock = findings("clock");
const migrations = findings("migrations");

/** The gateway's time is the database's. A difference says that one of the two is wrong; certificates are judged by this one. */
const CLOCKS_WARN_MS = 1_000;
const CLOCKS_FAIL_MS = 30_000;
/** Above this share of connections in use, the start of another node fails. */
const ROOM_SHARE = 0.9;

/** The reason why the database can't be used, as a start prints it. Anything else is a bug. */
export function unreachable(error: unknown): Finding {
  const problem = databaseProblem(error);
  if (problem !== undefined) return database.fail(problem.says, problem.fix);
  const message = operatorMessage(error);
  if (message === undefined) throw error;
  return database.fail(
    message,
    error instanceof MigrationError
      ? "start the database, or fix DATABASE_URL"
      : "fix that, or set DATABASE_URL to a server of your own",
  );
}

export async function checkMigrations(url: string): Promise<Finding> {
  try {
    const pending = await pendingMigrations(url);
    if (pending.length === 0) return migrations.ok("the schema is up to date");
    return migrations.warn(
      `${pending.length} to apply: ${pending.join(", ")}`,
      "run `tidegate migrate`, or start the gateway",
    );
  } catch (error) {
    const finding = unreachable(error);
    if (databaseProblem(error) !== undefined || /let us in/.test(finding.says)) return finding;
    const fix = /15 or newer/.test(finding.says)
      ? "move to PostgreSQL 15 or newer"
      : /the encoding/.test(finding.says)
        ? "create a UTF8 database, copy the data with pg_dump and pg_restore, and set DATABASE_URL to it"
        : "run the version of Tidegate that created this database, or a newer one";
    return migrations.fail(finding.says, fix);
  }
}

/** A pooler between the gateway and its database. Without one there is nothing to say. */
export async function checkPooler({
  databaseUrl,
  preparedStatements,
}: Settings): Promise<readonly Finding[]> {
  if (databaseUrl === undefined || !(await lendsSessions(databaseUrl))) return [];
  const says = "the pooler at DATABASE_URL lends sessions out by the transaction";
  return [
    preparedStatements === "off"
      ? pooler.ok(`${says}; prepared statements are off`)
      : pooler.fail(
          `${says}, and prepared statements do not survive that`,
          "set TIDEGATE_PREPARED_STATEMENTS=off",
        ),
  ];
}

export async function checkServer(
  tx: Tx,
  settings: Settings,
  now: () => number,
): Promise<readonly Finding[]> {
  const before = now();
  const facts = await readServerFacts(tx);
  const apart = Math.round(facts.now - (before + now()) / 2);
  return [
    placeFinding(facts, settings),
    tlsFinding(facts, settings),
    roleFinding(facts, await hasLiveMerchant(tx)),
    writeFinding(facts),
    clockFinding(apart),
  ];
}

function placeFinding(facts: ServerFacts, settings: Settings): Finding {
  const place = settings.databaseUrl === undefined ? `embedded, in ${settings.dataDir}` : "at DATABASE_URL";
  const message = `PostgreSQL ${facts.version.split(" ")[0]}, ${place}; ${facts.connections} of ${facts.connectionsAtMost} connections in use`;
  if (facts.isReadOnly)
    return database.fail(`${message}; it is read-only`, "point DATABASE_URL to the primary");
  return facts.connections < facts.connectionsAtMost * ROOM_SHARE
    ? database.ok(message)
    : database.warn(message, "raise max_connections, lower TIDEGATE_DATABASE_POOL_SIZE, or use a pooler");
}

/** Whether others on the network can read what the gateway and its database say, or pose as the database. */
export function tlsFinding(
  { tls, isLocal }: Pick<ServerFacts, "tls" | "isLocal">,
  { databaseUrl }: Pick<Settings, "databaseUrl">,
): Finding {
  if (tls === null) {
    if (databaseUrl === undefined || isLocal)
      return databaseTls.ok("not needed: the database is on this machine");
    return databaseTls.warn(
      "the connection to the database is not encrypted",
      "switch on ssl at the server, and add sslmode=verify-full to DATABASE_URL",
    );
  }
  return verifiesServer(databaseUrl ?? "")
    ? databaseTls.ok(`${tls}; the server's certificate is verified`)
    : databaseTls.warn(
        `${tls}, but the server's certificate is not verified: another server could pose as it`,
        "add sslmode=verify-full to DATABASE_URL, and sslrootcert with your CA if it is not a public one",
      );
}

/** As node-postgres reads the URL: require and verify-ca mean verify-full, unless libpq's meaning is asked for. */
function verifiesServer(databaseUrl: string): boolean {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get("sslmode");
  if (searchParams.get("uselibpqcompat") === "true") {
    return mode === "verify-full" || mode === "verify-ca" || searchParams.has("sslrootcert");
  }
  return mode !== "no-verify";
}

/** With live merchants, an attacker on a node must not be able to rewrite what was recorded. */
function roleFinding(
  { mayChangeSchema, mayRewriteAudit }: Pick<ServerFacts, "mayChangeSchema" | "mayRewriteAudit">,
  hasLiveMerchants: boolean,
): Finding {
  if (!mayChangeSchema && !mayRewriteAudit)
    return role.ok("this role may change neither the schema nor what the audit log holds");
  const says = "this role may change the schema and the audit log";
  return hasLiveMerchants
    ? role.warn(
        says,
        "give DATABASE_URL a role without these rights, and DATABASE_OWNER_URL the owner for `tidegate migrate`; see docs/guides/operating.md",
      )
    : role.ok(`${says}; live merchants need a role of its own for DATABASE_URL`);
}

function writeFinding({ fsync, synchronousCommit, fullPageWrites }: ServerFacts): Finding {
  const off = [
    ...(fsync === "off" ? ["fsync"] : []),
    ...(synchronousCommit === "off" ? ["synchronous_commit"] : []),
    ...(fullPageWrites === "off" ? ["full_page_writes"] : []),
  ];
  return off.length === 0
    ? writes.ok(`confirmed payments are on disk (fsync on, synchronous_commit ${synchronousCommit})`)
    : writes.fail(
        `${off.join(" and ")} off: a crash can lose confirmed payments`,
        `set ${off.join(" and ")} to on`,
      );
}

function clockFinding(apart: number): Finding {
  const message = `${Math.abs(apart)} ms ${apart < 0 ? "behind" : "ahead of"} this machine's`;
  const fix = "synchronise both machines' clocks with NTP (chrony or systemd-timesyncd)";
  if (Math.abs(apart) >= CLOCKS_FAIL_MS) return clock.fail(`the database's clock is ${message}`, fix);
  return Math.abs(apart) >= CLOCKS_WARN_MS
    ? clock.warn(`the database's clock is ${message}`, fix)
    : clock.ok(`the database's clock is ${message}`);
}
