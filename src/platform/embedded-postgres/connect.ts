import { setTimeout as pause } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import type { Cluster } from "./cluster.ts";
import { codeOf, EmbeddedPostgresError, FolderInUse, messageOf, useYourOwn } from "./errors.ts";
import {
  findPostmaster,
  type Postmaster,
  removeStalePidFile,
  removeStaleSocketLock,
} from "./find-postmaster.ts";
import { choosePlace, describePlace, isSamePlace, type Place, placeUrl } from "./place.ts";
import { startPostmaster } from "./postmaster.ts";

/** A connection that holds advisory locks and does nothing else. It closes when the server ends in any way. */
export type Connection = {
  readonly client: Client;
  readonly closed: Promise<void>;
  readonly pid: number;
  readonly place: Place;
  readonly wasStartedHere: boolean;
};

export const applicationName = "tidegate pid ";
export const lockTimeout = "55P03";

const lockPatienceMs = 3_000;
const startPatienceMs = 15_000;
const recoveryPatienceMs = 60_000;

/** The server is starting or stopping, all its connections are in use, or another process holds the lock. */
const transient = ["57P01", "57P02", "57P03", "53300", lockTimeout];

/**
 * Connects to the cluster's server, which it starts where none runs, and takes a lock with `lock`. Servers come and go
 * meanwhile (a gateway stops, a command leaves as the last one): whatever that cuts off is attempted again.
 */
export async function connect(
  cluster: Cluster,
  lock: (client: Client) => Promise<void>,
  options: { readonly place?: Place; readonly signal?: AbortSignal } = {},
): Promise<Connection> {
  const began = Date.now();
  const place = options.place ?? (await choosePlace(cluster));
  let startedPid = 0;
  let problem = "";
  for (; Date.now() - began < recoveryPatienceMs; await pause(20)) {
    const running = await findPostmaster(cluster.data);
    if (running?.status === "ready" && isSamePlace(running.place, options.place ?? running.place)) {
      const opened = await openConnection(cluster, running, lock);
      if (typeof opened !== "string") return { ...opened, wasStartedHere: running.pid === startedPid };
      problem = opened;
    } else if (running !== undefined) {
      problem =
        running.status === "ready" ? `it runs on ${describePlace(running.place)}` : `it is ${running.status}`;
    }
    options.signal?.throwIfAborted();
    if (running !== undefined) continue;
    const started = await startPostmaster(cluster, place, began + recoveryPatienceMs - Date.now());
    startedPid = started.pid;
    if (started.problem === undefined) continue;
    problem = started.problem;
    if (started.problem === "postmaster.pid exists") await removeStalePidFile(cluster.data);
    if (started.problem === "its socket is locked") await removeStaleSocketLock(cluster.data, place);
    if (Date.now() - began > startPatienceMs) break;
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  throw new EmbeddedPostgresError(
    `the embedded PostgreSQL is not ready on ${describePlace(place)} after ${seconds} s (${problem}): see ${cluster.log}, try again later (recovery from a crash can take minutes), or ${useYourOwn}`,
  );
}

/** Returns what went wrong where another attempt can succeed. */
async function openConnection(
  cluster: Cluster,
  { pid, place }: Postmaster,
  lock: (client: Client) => Promise<void>,
): Promise<Omit<Connection, "wasStartedHere"> | string> {
  const client = new Client({
    connectionString: placeUrl(place, cluster.password),
    ssl: false, // whatever PGSSLMODE says: nothing leaves the machine, and the binaries have no certificate
    application_name: `${applicationName}${process.pid}`,
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockPatienceMs,
  });
  client.on("error", () => {}); // `closed` follows
  const closed = new Promise<void>((resolve) => client.once("end", () => resolve()));
  try {
    await client.connect();
    await lock(client);
    // A lock gained from a process that is ending the server is worth nothing a moment later.
    const now = await findPostmaster(cluster.data);
    if (now?.pid === pid && now.status === "ready") return { client, closed, pid, place };
    throw new Error("it is stopping");
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof FolderInUse) throw error;
    if (!(error instanceof DatabaseError) || transient.includes(codeOf(error))) return messageOf(error);
    throw new EmbeddedPostgresError(
      `the embedded PostgreSQL refuses the connection (${messageOf(error)}): see ${cluster.log}; restore the password and the data in ${cluster.dataDir}/postgres from the same backup`,
      { cause: error },
    );
  }
}
