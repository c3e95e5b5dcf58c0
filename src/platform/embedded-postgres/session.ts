import { setTimeout as pause } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import type { Cluster } from "./cluster.ts";
import { findPostmaster } from "./find-postmaster.ts";
import type { ReadyPostmaster } from "./reach-server.ts";
import { codeOf, EmbeddedPostgresTrouble, messageOf } from "./trouble.ts";

/**
 * A connection that holds advisory locks and does nothing else. The kernel closes its socket when this process dies in
 * whatever way, and with it go the locks: no lock file to clean up, no pid to guess about.
 */
export type Session = {
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown> | undefined>;
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
};

export function serverUrl(cluster: Cluster, port: number): string {
  return `postgres://tidegate:${cluster.password}@127.0.0.1:${port}/tidegate`;
}

/** Undefined when the server went away (or is going) before we were in: look again, another one may be coming. */
export async function openSession(
  cluster: Cluster,
  postmaster: ReadyPostmaster,
  onLost: () => void = () => {},
): Promise<Session | undefined> {
  const client = new Client({
    connectionString: serverUrl(cluster, postmaster.port),
    ssl: false, // whatever PGSSLMODE says: it is the loopback, and the binaries have no certificate
    application_name: `${applicationName}${process.pid}`,
    connectionTimeoutMillis: 10_000,
  });
  let open = true;
  const lost = () => {
    if (open) onLost();
    open = false;
  };
  client.on("error", lost);
  client.on("end", lost);
  try {
    await client.connect();
  } catch (error) {
    open = false;
    if (codeOf(error) === "28P01") {
      throw new EmbeddedPostgresTrouble(
        `the password in ${cluster.dataDir}/postgres/password is not the one of the database beside it: restore both from the same backup`,
      );
    }
    const stays = (await findPostmaster(cluster.data))?.status === "ready";
    if (stays && error instanceof DatabaseError && !passing.has(error.code ?? "")) {
      throw new EmbeddedPostgresTrouble(
        `the embedded PostgreSQL runs (pid ${postmaster.pid}) but refuses us (${messageOf(error)}): see ${cluster.log}`,
        { cause: error },
      );
    }
    await pause(20);
    return undefined;
  }
  return {
    query: async (sql, values = []) =>
      (await client.query<Record<string, unknown>>(sql, [...values])).rows[0],
    isOpen: () => open,
    close: async () => {
      open = false;
      await client.end().catch(() => {});
    },
  };
}

export const applicationName = "tidegate pid ";

/**
 * Starting, stopping, or all places taken. What is no answer of the server at all (refused, cut, timed out on a machine
 * that is very busy) passes too.
 */
const passing: ReadonlySet<string> = new Set(["57P01", "57P02", "57P03", "53300"]);
