import { isUnanswered, sqlState } from "./database.ts";

const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
]);

/**
 * SQLSTATEs and classes that say "not now": connections (also those that the server does not let in), shutting down, out
 * of resources, time-outs, lost races.
 */
const STATES = /^(08...|28...|3D000|53...|55000|57P0.|57014|55P03|25P03|40001|40P01|25006)$/;

/** Errors that node-postgres reports by message only. */
const WORDS =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/** What Citus says, also as an internal error, when a statement's connection to one of the servers fails. */
const LOST_SERVER = /^(?:failure on connection marked as essential|connection to the remote node )/;

const UNDEFINED_TABLE = "42P01";

export function isUndefinedTable(error: unknown): boolean {
  return sqlState(error) === UNDEFINED_TABLE;
}

/** True when the database is away or overloaded: the caller may try again; it is no bug. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return STATES.test(state) || isServerAway(error);
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  return (
    // Whatever its code: a server's Unix socket that is gone is ENOENT, as a missing file is.
    ("syscall" in error && error.syscall === "connect") ||
    ("code" in error && typeof error.code === "string" && NETWORK.has(error.code)) ||
    isUnanswered(error) ||
    WORDS.test(error.message)
  );
}

/** True when the database gave no answer at all, not even an error. */
export function isUnreachable(error: unknown): boolean {
  return sqlState(error) === undefined && isDatabaseAway(error);
}

/** True when one server of a distributed database is away. */
export function isServerAway(error: unknown): boolean {
  return sqlState(error) !== undefined && LOST_SERVER.test((error as Error).message);
}

const NO_RIGHT = "42501";
const READ_ONLY = "25006";
const NOT_LET_IN = /^(28...|3D000)$/;
const DISK_FULL = "53100";
const NO_ROOM = /^53...$/;
const TIMED_OUT = /^(57014|55P03|25P03|40001|40P01)$/;

/** A prepared statement that is there already, or is not: a pooler has lent the session to another connection before. */
const LENT = /^(42P05|26000)$/;
/** A pooler that is not configured to ignore what the gateway sets for its sessions. */
const NOT_PASSED_ON = /unsupported startup parameter/;

/** What keeps the database from doing its work and what to do about it, for an operator; undefined for a bug. */
export function databaseProblem(error: unknown): { readonly says: string; readonly fix: string } | undefined {
  const state = sqlState(error) ?? "";
  const words = error instanceof Error ? error.message.split("\n", 1)[0] : "";
  if (state === NO_RIGHT)
    return {
      says: `the role of DATABASE_URL lacks rights (${words})`,
      fix: "run `tidegate migrate` with DATABASE_OWNER_URL, which grants them",
    };
  if (LENT.test(state))
    return {
      says: `a pooler lends the database's sessions out by the transaction (${words})`,
      fix: "set TIDEGATE_PREPARED_STATEMENTS=off",
    };
  if (!isDatabaseAway(error)) return undefined;
  if (NOT_PASSED_ON.test(words ?? ""))
    return {
      says: `a pooler refuses what the gateway sets for its sessions (${words})`,
      fix: "set ignore_startup_parameters in pgbouncer.ini, as docs/guides/operating.md says",
    };
  if (state === READ_ONLY)
    return {
      says: "the database is read-only",
      fix: "connect to the primary, and check default_transaction_read_only",
    };
  if (state === DISK_FULL)
    return { says: "the disk of the database is full", fix: "free space on it, or enlarge it" };
  if (NO_ROOM.test(state))
    return {
      says: `the database is out of resources (${words})`,
      fix: "raise its limits, or lower TIDEGATE_DATABASE_POOL_SIZE",
    };
  if (NOT_LET_IN.test(state))
    return { says: `the database does not let us in (${words})`, fix: "check DATABASE_URL if it is set" };
  if (TIMED_OUT.test(state) || (error instanceof Error && isUnanswered(error)))
    return {
      says: `the database did not answer in time (${words})`,
      fix: "try again; pg_stat_activity shows what is slow or holds a lock",
    };
  return { says: "the database does not answer", fix: "check that it runs, and DATABASE_URL if it is set" };
}
