import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { chooseAccount } from "./account.ts";
import { type BinaryFolders, getBinaries } from "./binaries.ts";
import { type Cluster, clusterPaths, makeDataDir, openCluster } from "./cluster.ts";
import { applicationName, type Connection, connect, lockTimeout } from "./connect.ts";
import { codeOf, EmbeddedPostgresError, FolderInUse, messageOf, useYourOwn } from "./errors.ts";
import { describePlace, placeUrl } from "./place.ts";
import { endPostmaster } from "./postmaster.ts";
import { findGatewayName, isGateway, isLastUser, lockForCommand, lockForGateway } from "./queries.ts";
import { trimServerLog } from "./server-log.ts";

type EmbeddedPostgres = { readonly url: string; readonly stop: () => Promise<void> };

type OpenOptions = BinaryFolders & {
  /** The cluster lives in `<dataDir>/postgres`. */
  readonly dataDir: string;
  /** True for the gateway, of which a folder has one; false for a command beside it. */
  readonly holdsFolder: boolean;
  /** Receives what is worth a log line: a server taken over, or started again. */
  readonly notice: (line: string) => void;
  /** They win over the server's usual settings: the server of the tests need not survive a power cut. */
  readonly serverSettings?: readonly string[];
};

/**
 * The default database: a PostgreSQL server in the data folder, made on the first start. See
 * docs/decisions/0003-embedded-postgresql.md for which process starts, shares, takes over and ends the server, and
 * docs/decisions/0032-embedded-postgresql-reviewed.md for the fault that each file answers.
 */
export async function openEmbeddedPostgres(options: OpenOptions): Promise<EmbeddedPostgres> {
  try {
    const dataDir = await makeDataDir(options.dataDir);
    const account = await chooseAccount(clusterPaths(dataDir).data);
    const binaries = await getBinaries(account, dataDir, options);
    const cluster = await openCluster(dataDir, binaries, account, options.serverSettings);
    return await (options.holdsFolder ? openForGateway : openForCommand)(cluster, options.notice);
  } catch (error) {
    if (error instanceof FolderInUse || error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `the embedded database cannot start: ${messageOf(error)}; fix that, or ${useYourOwn}`,
      { cause: error },
    );
  }
}

/** Uses the gateway's server. Without a gateway it starts one, which the last command to leave ends. */
async function openForCommand(cluster: Cluster, notice: (line: string) => void): Promise<EmbeddedPostgres> {
  const connection = await connect(cluster, lockForCommand);
  return {
    url: placeUrl(connection.place, cluster.password),
    stop: callOnce(() => leave(cluster, connection, isLastUser, notice)),
  };
}

/** Keeps the server and its lock: restarts a server that died, and locks again where only the connection was cut. */
async function openForGateway(cluster: Cluster, notice: (line: string) => void): Promise<EmbeddedPostgres> {
  const lock = (client: Client) => lockFolder(client, cluster.dataDir);
  let connection = await connect(cluster, lock);
  const { pid, place, wasStartedHere } = connection;
  if (!wasStartedHere) {
    notice(
      `took over the embedded PostgreSQL that was running already (pid ${pid}, ${describePlace(place)})`,
    );
  }
  const stopping = new AbortController();
  const { signal } = stopping;

  async function reconnect(): Promise<void> {
    let reported = "";
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        // In the same place: the pool of the gateway has the URL.
        connection = await connect(cluster, lock, { place, signal });
        return notice(
          connection.wasStartedHere
            ? `the embedded PostgreSQL had died and was started again (pid ${connection.pid})`
            : `the connection that locks ${cluster.dataDir} was lost and is back`,
        );
      } catch (error) {
        if (signal.aborted) return;
        if (messageOf(error) !== reported)
          notice(`the embedded PostgreSQL is not back yet: ${messageOf(error)}`);
        reported = messageOf(error);
        await pause(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  async function watch(): Promise<void> {
    for (const stopped = once(signal, "abort"); ; await reconnect()) {
      await Promise.race([connection.closed, stopped]);
      if (signal.aborted) return;
    }
  }

  const watching = watch();
  const trim = () => void trimServerLog(cluster.log).catch(() => {});
  trim();
  const trimming = setInterval(trim, 60_000);
  return {
    url: placeUrl(place, cluster.password),
    stop: callOnce(async () => {
      clearInterval(trimming);
      stopping.abort();
      await watching;
      // The connection may have been cut just now: unless another gateway has the folder, the server is ours to end.
      if (!(await isGateway(connection.client).catch(() => false))) await reconnect();
      await leave(cluster, connection, isGateway, notice);
    }),
  };
}

async function lockFolder(client: Client, dataDir: string): Promise<void> {
  try {
    await lockForGateway(client);
  } catch (error) {
    if (codeOf(error) !== lockTimeout) throw error;
    const name = await findGatewayName(client);
    const pid = name?.startsWith(applicationName) ? ` (pid ${name.slice(applicationName.length)})` : "";
    throw new FolderInUse(
      `a Tidegate is already running on ${dataDir}${pid}: stop it first, or set TIDEGATE_DATA_DIR to another folder`,
    );
  }
}

/**
 * Ends the server unless another process uses it. A gateway or command that connects meanwhile waits for our lock, and
 * connects to the next server instead.
 */
async function leave(
  cluster: Cluster,
  { client, pid }: Connection,
  mayEnd: (client: Client) => Promise<boolean>,
  notice: (line: string) => void,
): Promise<void> {
  // A lost connection has no lock: whichever process took the folder since needs the server.
  if ((await mayEnd(client).catch(() => false)) && !(await endPostmaster(pid, cluster.data))) {
    notice(`the embedded PostgreSQL (pid ${pid}) does not stop: see ${cluster.log}`);
  }
  await client.end().catch(() => {});
}

function callOnce(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
