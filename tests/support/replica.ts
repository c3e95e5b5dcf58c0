import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import type { Calls } from "./calls.ts";
import type { TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

/** The embedded server has no pg_basebackup; a whole PostgreSQL has. */
const FOLDERS = [18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin`);
const BIN = FOLDERS.find((folder) => existsSync(join(folder, "pg_basebackup")));

export const REPLICA_SKIPPED =
  BIN === undefined ? `a PostgreSQL with pg_basebackup is in none of ${FOLDERS.join(", ")}` : false;

type Server = {
  readonly url: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type ReplicatedServers = {
  readonly primary: Server;
  readonly replica: Server;
  /** Starts another replica of the primary. */
  readonly addReplica: () => Promise<Server>;
  readonly remove: () => Promise<void>;
};

/** A primary and a streaming replica of it, in a folder that is removed afterwards. */
export async function startReplicatedServers(): Promise<ReplicatedServers> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-replica-"));
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid);
  const run = (program: string, parameters: readonly string[]) =>
    promisify(execFile)(join(BIN ?? "", program), [...parameters], { ...account, cwd: folder });
  const first = join(folder, "primary");
  await run("initdb", ["-D", first, "-U", "tidegate", "--auth=trust", "-E", "UTF8", "--locale=C"]);
  const settings = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n";
  await appendFile(join(first, "postgresql.conf"), settings);
  const primary = await serverIn(first, account);
  await primary.start();
  const replicas: Server[] = [];
  const addReplica = async () => {
    const data = join(folder, `replica-${replicas.length + 1}`);
    const { hostname, port } = new URL(primary.url);
    const source = ["-U", "tidegate", "-h", hostname, "-p", port];
    await run("pg_basebackup", ["-D", data, "-R", "-c", "fast", ...source]);
    const replica = await serverIn(data, account);
    await replica.start();
    replicas.push(replica);
    return replica;
  };
  return {
    primary,
    replica: await addReplica(),
    addReplica,
    remove: async () => {
      for (const server of [...replicas, primary]) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function queryAt(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A server's database, for a gateway that uses it. */
export function databaseAt(url: string): TestDatabase {
  return {
    url,
    rows: async (text, values) => [...(await queryAt(url, text, values))] as never,
    drop: async () => {},
  };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function serverIn(data: string, account: { uid?: number; gid?: number }): Promise<Server> {
  const port = await freePort();
  const url = `postgres://tidegate@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  return {
    url,
    start: async () => {
      const parameters = ["-D", data, "-p", String(port)];
      child = spawn(join(BIN ?? "", "postgres"), parameters, { ...account, cwd: data, stdio: "ignore" });
      await eventually("the server accepts connections", () => canConnect(url), 60_000);
    },
    stop: async () => {
      if (child === undefined || child.exitCode !== null) return;
      const ended = once(child, "exit");
      // Fast shutdown: open connections are cut.
      child.kill("SIGINT");
      await ended;
      child = undefined;
    },
  };
}

const ORDER = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };

/** Creates a payment request, which the primary stores; returns its id. */
export async function createOne(gateway: Calls): Promise<string> {
  const { status, body } = await gateway.post("/paymentrequests", ORDER);
  assert.equal(status, 200);
  return body.id;
}

/** The id of the first payment request in the list. */
export async function readNewest(gateway: Calls): Promise<string> {
  const { status, body } = await gateway.get("/paymentrequests?limit=1");
  assert.equal(status, 200);
  return body.paymentRequests[0]?.id;
}
