import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { isRoot, NOBODY, startProgram } from "./failover/processes.ts";
import { freePort } from "./free-port.ts";

const PROGRAM = "pgbouncer";
const PATH = `${process.env["PATH"] ?? ""}:/usr/sbin`;

/** Its version, such as `1.18.0`; undefined where it is missing. */
const VERSION = /PgBouncer (\S+)/.exec(
  spawnSync(PROGRAM, ["--version"], { env: { PATH }, encoding: "utf8" }).stdout ?? "",
)?.[1];

export const PGBOUNCER_SKIPPED = VERSION === undefined && "pgbouncer is missing (Debian has a package)";

/** So short that a server connection serves a few transactions only. */
const RECYCLED = ["server_lifetime = 2", "server_idle_timeout = 1"];

export type PgBouncer = {
  /** The address of one of its databases. */
  readonly urlOf: (name: string) => string;
  /** How many connections to the server it has replaced so far because of their age. */
  readonly recycled: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

/** A database of the pooler: the server's address, and settings of its own. */
export type Pooled = { readonly name: string; readonly url: string; readonly settings?: string };

/** Starts a pooler with these lines in `pgbouncer.ini`, in front of servers that trust the user `tidegate` on loopback. */
export async function startPgBouncer(
  lines: readonly string[],
  databases: readonly Pooled[],
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-pgbouncer-"));
  const [config, users, log] = ["pgbouncer.ini", "users.txt", "log"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const port = await freePort();
  const entries = databases.map(({ name, url, settings = "" }) => {
    const server = new URL(url);
    const place = `host=${server.hostname} port=${server.port} dbname=${server.pathname.slice(1)}`;
    return `${name} = ${place} ${settings}`;
  });
  const own = [
    ...[`listen_addr = 127.0.0.1`, `listen_port = ${port}`, "unix_socket_dir ="],
    ...["auth_type = trust", `auth_file = ${users}`],
  ];
  const ini = ["[databases]", ...entries, "[pgbouncer]", ...own, ...RECYCLED, ...lines];
  await writeFile(config, `${ini.join("\n")}\n`);
  await writeFile(users, '"tidegate" ""\n');
  await writeFile(log, "");
  // It refuses to run as root.
  if (isRoot) for (const path of [folder, config, users, log]) chownSync(path, NOBODY, NOBODY);
  const pooler = startProgram(PROGRAM, [config], { log, environment: { PATH } });
  const ended = once(pooler, "exit");
  const logged = () => readFile(log, "utf8");
  const stop = async () => {
    pooler.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await eventually("pgbouncer listens", async () => {
      assert.equal(pooler.exitCode, null, await logged());
      return /process up/.test(await logged());
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urlOf: (name) => `postgres://tidegate@127.0.0.1:${port}/${name}`,
    recycled: async () =>
      [...(await logged()).matchAll(/closing because: server (?:lifetime over|idle timeout)/g)].length,
    stop,
  };
}
