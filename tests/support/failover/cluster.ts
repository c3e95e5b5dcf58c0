import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, chownSync, constants, mkdirSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseEnv, promisify } from "node:util";
import pg from "pg";
import { makeCertificate } from "../certificate.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free-port.ts";
import { findSystemPostgres } from "../system-postgres.ts";
import { wordsOf } from "../typed-command.ts";
import { isRoot, NOBODY, postmasterOf, signalAll, startProgram, withDescendants } from "./processes.ts";
import { fillIn, type Places, type Ports } from "./sample-files.ts";

const MACHINES = ["db1", "db2", "db3"] as const;
export type MachineName = (typeof MACHINES)[number];

const CHECK_PAUSE_MS = 300;
const WHOLE_WITHIN_MS = 240_000;
const PROGRAMS = ["etcd", "patroni", "patronictl", "haproxy", "openssl"];

/** Why the cluster can't be built here; undefined if it can. */
export function missingPrograms(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(":").concat("/usr/sbin");
  const missing = PROGRAMS.filter((name) => !folders.some((folder) => isProgram(join(folder, name))));
  if (findSystemPostgres() === undefined) missing.push("postgresql");
  return missing.length === 0
    ? undefined
    : `${missing.join(", ")} missing (Debian has packages: etcd-server, patroni, python3-idna, haproxy, postgresql)`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Three database machines of `deploy/high-availability` on loopback, and the HAProxy beside the gateway. */
export type Cluster = {
  /** Of the database's owner, through HAProxy. */
  readonly url: string;
  /** The settings of `gateway.env.sample`, with lists read at that machine. */
  readonly gatewaySettings: (readsAt: MachineName) => Promise<Readonly<Record<string, string>>>;
  readonly primary: () => Promise<MachineName>;
  readonly syncStandby: () => Promise<MachineName>;
  /** Waits until one is the primary and both others follow it, one of them synchronously. */
  readonly untilWhole: () => Promise<void>;
  /** `kill -9` of everything on a machine but etcd. */
  readonly killMachine: (name: MachineName) => void;
  /** `kill -9` of PostgreSQL alone. */
  readonly killPostgres: (name: MachineName) => void;
  /** Stops every process of a machine where it is; its connections stay open and silent. */
  readonly freeze: (name: MachineName) => void;
  /** Starts Patroni again on a machine that was killed. */
  readonly restart: (name: MachineName) => void;
  /** The planned change of the primary, by the guide's command. */
  readonly switchOver: (command: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Member = { name: MachineName; role: string; state: string; timeline?: number };

export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "tidegate-failover-"));
  const certificates = join(folder, "certificates");
  const { certFile, keyFile } = await makeCertificate();
  mkdirSync(certificates);
  await copyFile(certFile, join(certificates, "ca.pem"));
  await copyFile(certFile, join(certificates, "machine.pem"));
  await copyFile(keyFile, join(certificates, "machine.key"));
  const ca = await readFile(certFile, "utf8");
  const places: Places = { machines: await Promise.all(MACHINES.map(freePorts)), certificates };
  const [entry, state] = [await freePort(), await freePort()];
  const passwords = {
    superuser: randomBytes(12).toString("hex"),
    owner: randomBytes(12).toString("hex"),
    runtime: randomBytes(12).toString("hex"),
    environment: {
      PATRONI_SUPERUSER_PASSWORD: "",
      PATRONI_REPLICATION_PASSWORD: randomBytes(12).toString("hex"),
      PATRONI_REWIND_PASSWORD: randomBytes(12).toString("hex"),
    },
  };
  passwords.environment.PATRONI_SUPERUSER_PASSWORD = passwords.superuser;
  const dataOf = (name: MachineName) => join(folder, name, "postgres");
  const fileOf = (name: MachineName, file: string) => join(folder, name, file);

  for (const [machine, name] of MACHINES.entries()) {
    mkdirSync(join(folder, name));
    const etcd = await fillIn("etcd.yaml", places, {
      machine,
      changes: [["/var/lib/etcd/tidegate", fileOf(name, "etcd")]],
    });
    await writeFile(fileOf(name, "etcd.yaml"), etcd);
    const patroni = await fillIn("patroni.yml", places, {
      machine,
      changes: [
        ["/var/lib/postgresql/15/tidegate", dataOf(name)],
        ["/usr/lib/postgresql/15/bin", findSystemPostgres() ?? ""],
        ["/var/lib/postgresql/.pgpass-patroni", fileOf(name, "pgpass")],
        ["/var/run/postgresql", join(folder, name)],
        ["10.0.0.20/30", "127.0.0.1/32"],
        ["10.0.0.0/24", "127.0.0.1/32"],
        ["mode: required", "mode: off"],
        // A standby counts again with its first restartpoint after a failover: within five minutes, unless this is set.
        ["        max_connections: 200", "        max_connections: 200\n        checkpoint_timeout: 30s"],
      ],
    });
    await writeFile(fileOf(name, "patroni.yml"), patroni);
  }
  const proxyFile = join(folder, "haproxy.cfg");
  const proxyText = await fillIn("haproxy.cfg", places, {
    changes: [
      ["127.0.0.1:5000", `127.0.0.1:${entry}`],
      ["127.0.0.1:8404", `127.0.0.1:${state}`],
      [" port 8008", ""],
    ],
  });
  await writeFile(proxyFile, proxyText);
  if (isRoot) await promisify(execFile)("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
  if (isRoot) chownSync(folder, NOBODY, NOBODY);

  const patronis = new Map<MachineName, ChildProcess>();
  const others: ChildProcess[] = [];
  const restart = (name: MachineName) => {
    const { environment } = passwords;
    const log = fileOf(name, "patroni.log");
    patronis.set(name, startProgram("patroni", [fileOf(name, "patroni.yml")], { log, environment }));
  };
  const everything = (name: MachineName): readonly number[] => {
    const patroni = patronis.get(name)?.pid;
    const postmaster = postmasterOf(dataOf(name));
    return [patroni, postmaster].flatMap((pid) => (pid === undefined ? [] : withDescendants(pid)));
  };
  const killMachine = (name: MachineName) => {
    const all = everything(name);
    // At once, as far as possible: what is stopped starts nothing more.
    signalAll(all, "SIGSTOP");
    signalAll([...all, ...everything(name)], "SIGKILL");
  };
  const members = async (): Promise<readonly Member[]> => {
    // Patroni answers slowly, and a check must not take the processors that it checks.
    await setTimeout(CHECK_PAUSE_MS);
    const asked = await Promise.all(places.machines.map(({ patroni }) => readCluster(patroni, ca)));
    return asked.find((answer) => answer !== undefined)?.members ?? [];
  };
  const primary = () =>
    eventually(
      "one machine is the primary",
      async () => {
        const leader = (await members()).find(({ role, state: is }) => role === "leader" && is === "running");
        return leader?.name;
      },
      120_000,
    );
  const syncStandby = () =>
    eventually("one machine is the synchronous standby", async () => {
      const standby = (await members()).find(({ role }) => role === "sync_standby");
      return standby?.name;
    });
  const untilWhole = async () => {
    let seen: readonly Member[] = [];
    await eventually(
      "one primary, two standbys that follow it, one of them synchronous",
      async () => {
        seen = await members();
        return isWhole(seen);
      },
      WHOLE_WITHIN_MS,
    ).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify(seen)}\n${await lastLines(folder)}`, { cause: error });
    });
  };
  const stop = async () => {
    for (const name of MACHINES) if (patronis.has(name)) killMachine(name);
    signalAll(
      others.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
      "SIGKILL",
    );
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  try {
    for (const name of MACHINES)
      others.push(
        startProgram("etcd", ["--config-file", fileOf(name, "etcd.yaml")], { log: fileOf(name, "etcd.log") }),
      );
    for (const name of MACHINES) restart(name);
    others.push(startProgram("haproxy", ["-db", "-f", proxyFile], { log: join(folder, "haproxy.log") }));
    await untilWhole();
    const database = new URL(`postgres://127.0.0.1:${entry}/`);
    database.search = `?sslmode=verify-full&sslrootcert=${join(certificates, "ca.pem")}`;
    const as = (user: string, password: string, name: string) => {
      const url = new URL(database);
      url.username = user;
      url.password = password;
      url.pathname = `/${name}`;
      return url.href;
    };
    await makeRoles(as("postgres", passwords.superuser, "postgres"), passwords);
    return {
      url: as("tidegate_owner", passwords.owner, "tidegate"),
      gatewaySettings: async (readsAt) => {
        const readPort = places.machines[MACHINES.indexOf(readsAt)]?.postgres;
        const text = await fillIn("gateway.env.sample", places, {
          changes: [
            ["tidegate_owner:…@", `tidegate_owner:${passwords.owner}@`],
            ["tidegate:…@", `tidegate:${passwords.runtime}@`],
            ["database.internal:5000", `127.0.0.1:${entry}`],
            ["10.0.0.23:5432", `127.0.0.1:${readPort}`],
          ],
        });
        return parseEnv(text) as Readonly<Record<string, string>>;
      },
      primary,
      syncStandby,
      untilWhole,
      killMachine,
      killPostgres: (name) => {
        const postmaster = postmasterOf(dataOf(name));
        if (postmaster === undefined) throw new Error(`PostgreSQL of ${name} is not running`);
        signalAll(withDescendants(postmaster), "SIGKILL");
      },
      freeze: (name) => {
        signalAll(everything(name), "SIGSTOP");
      },
      restart,
      switchOver: async (command) => {
        const file = fileOf(await primary(), "patroni.yml");
        const [program = "", ...words] = wordsOf(command.replace("/etc/patroni/config.yml", file));
        await promisify(execFile)(program, words, {
          env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
        });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isWhole(members: readonly Member[]): boolean {
  const leader = members.find(({ role }) => role === "leader");
  const followers = members.filter(({ role }) => role !== "leader");
  const follows = ({ state, timeline }: Member) =>
    (state === "running" || state === "streaming") && timeline === leader?.timeline;
  return (
    leader?.state === "running" &&
    followers.length === MACHINES.length - 1 &&
    followers.every(follows) &&
    followers.some(({ role }) => role === "sync_standby")
  );
}

/** What Patroni said last, on every machine. */
async function lastLines(folder: string): Promise<string> {
  const logs = MACHINES.map((name) => join(folder, name, "patroni.log"));
  return (await promisify(execFile)("tail", ["-n", "12", ...logs])).stdout;
}

async function freePorts(): Promise<Ports> {
  const [etcd, peer, patroni, postgres] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return { etcd, peer, patroni, postgres };
}

/** What one machine's Patroni knows of all; undefined if it does not answer. */
function readCluster(port: number, ca: string): Promise<{ members: readonly Member[] } | undefined> {
  return new Promise((resolve) => {
    const call = get(
      { host: "127.0.0.1", port, path: "/cluster", ca, timeout: 1_000, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString()));
          } catch {
            resolve(undefined);
          }
        });
        response.on("error", () => resolve(undefined));
      },
    );
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(undefined));
  });
}

/** As the guide does. */
async function makeRoles(
  url: string,
  { owner, runtime }: { readonly owner: string; readonly runtime: string },
): Promise<void> {
  await eventually(
    "HAProxy has found the primary",
    () =>
      run(url, "select 1").then(
        () => true,
        () => false,
      ),
    30_000,
  );
  await run(url, `create role tidegate_owner login password '${owner}'`);
  await run(url, `create role tidegate login password '${runtime}'`);
  await run(url, "create database tidegate owner tidegate_owner");
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
