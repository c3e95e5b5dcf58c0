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

const UNDEFINED_TABLE = "42P01";

export function isUndefinedTable(error: unknown): boolean {
  return sqlState(error) === UNDEFINED_TABLE;
}

/** True when the database is away or overloaded: the caller may try again; it is no bug. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return STATES.test(state);
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  return (
    ("code" in error && typeof error.code === "string" && NETWORK.has(error.code)) ||
    isUnanswered(error) ||
    WORDS.test(error.message)
  );
}
