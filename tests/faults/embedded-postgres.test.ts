import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { findPostmaster, isPostmasterOf } from "../../src/platform/embedded-postgres/find-postmaster.ts";
import { EmbeddedPostgresError, openEmbeddedPostgres } from "../../src/platform/embedded-postgres/index.ts";
import { openServerLog, trimServerLog } from "../../src/platform/embedded-postgres/server-log.ts";

// Every gateway and command here is a separate process, because the tests prove what survives its death.

const openModule = new URL("../../src/platform/embedded-postgres/index.ts", import.meta.url).href;
const program = `
  import { openEmbeddedPostgres } from ${JSON.stringify(openModule)};
  const report = (result) => process.stdout.write(JSON.stringify(result) + "\\n");
  const options = JSON.parse(process.argv[1]);
  try {
    const opened = await openEmbeddedPostgres({ ...options, notice: (notice) => report({ notice }) });
    process.stdin.once("data", async () => { await opened.stop(); process.stdin.destroy(); });
    report({ url: opened.url });
  } catch (error) {
    report({ error: error.name, message: error.message });
  }
`;

type Account = { readonly uid: number; readonly gid: number };
type Folders = { readonly packageFolder?: string; readonly copiesFolder?: string };
type Opener = {
  readonly pid: number;
  readonly url: string;
  readonly error: string;
  readonly message: string;
  readonly notices: readonly string[];
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

const isRoot = process.getuid?.() === 0;
const rootOnly = isRoot ? {} : { skip: "needs root" };
const platformPackage = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);

/** What a test has to clean up. Kept per test, because several run at once. */
type Cleanup = { readonly folders: string[]; readonly children: ChildProcess[] };
const cleanups = new WeakMap<TestContext, Cleanup>();

function cleanupOf(t: TestContext): Cleanup {
  const known = cleanups.get(t);
  if (known !== undefined) return known;
  const cleanup: Cleanup = { folders: [], children: [] };
  cleanups.set(t, cleanup);
  t.after(async () => {
    for (const child of cleanup.children) await killChild(child);
    for (const folder of cleanup.folders) {
      await endServersBelow(folder);
      await rm(folder, { recursive: true, force: true });
    }
  });
  return cleanup;
}

// Creating a cluster takes a second of CPU time, so most tests start from a copy.
let template = "";
let compiled = "";
before(async () => {
  compiled = await mkdtemp(join(tmpdir(), "tidegate-compiled-"));
  await chmod(compiled, 0o755);
  template = await realpath(await mkdtemp(join(tmpdir(), "tidegate-embedded-")));
  const made = await openEmbeddedPostgres({ dataDir: template, holdsFolder: true, notice: () => {} });
  await storeValue(made.url);
  await made.stop();
});
after(async () => {
  await rm(template, { recursive: true, force: true });
  await rm(compiled, { recursive: true, force: true });
});

/** A data folder with a stopped database in it, whose table `kept` holds 42. */
async function preparedFolder(t: TestContext): Promise<string> {
  const folder = await newFolder(t);
  assert.equal(spawnSync("cp", ["-a", join(template, "postgres"), folder]).status, 0);
  return folder;
}

async function newFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "tidegate-embedded-")));
  cleanupOf(t).folders.push(folder);
  return folder;
}

const dataOf = (dataDir: string) => join(dataDir, "postgres", "data");

async function endServersBelow(dataDir: string): Promise<void> {
  const found = await findPostmaster(dataOf(dataDir));
  if (found === undefined) return;
  process.kill(found.pid, "SIGQUIT");
  await until("the server is gone", async () => !(await isPostmasterOf(found.pid, dataOf(dataDir))));
}

async function until<T>(
  condition: string,
  check: () => Promise<T>,
  withinMs = 120_000,
): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await pause(20)) {
    const answer = await check().catch(() => undefined);
    if (answer !== undefined && answer !== null && answer !== false) return answer;
  }
  throw new Error(`not within ${withinMs} ms: ${condition}`);
}

async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

type OpenAs = { readonly account?: Account; readonly folders?: Folders; readonly ownGroup?: boolean };

/** Opens the database in a separate process and returns the outcome that it reports. */
async function open(t: TestContext, dataDir: string, holdsFolder: boolean, as: OpenAs = {}): Promise<Opener> {
  const options = JSON.stringify({ dataDir, holdsFolder, ...as.folders });
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, options], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: as.ownGroup === true,
    cwd: "/",
    env: { ...process.env, NODE_COMPILE_CACHE: compiled }, // starts in a third of the time
    ...as.account,
  });
  cleanupOf(t).children.push(child);
  const notices: string[] = [];
  const result = await new Promise<Record<string, string>>((resolve, reject) => {
    child.once("exit", (status) => reject(new Error(`the opener ended with ${status} and no result`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const report = JSON.parse(line) as Record<string, string>;
      if (report["notice"] === undefined) resolve(report);
      else notices.push(report["notice"]);
    });
  });
  return {
    pid: child.pid ?? 0,
    url: result["url"] ?? "",
    error: result["error"] ?? "",
    message: result["message"] ?? "",
    notices,
    stop: async () => {
      const exit = once(child, "exit");
      child.stdin.write("stop\n");
      assert.deepEqual(await exit, [0, null]);
    },
    kill: () => killChild(child),
  };
}

const openGateway = (t: TestContext, dataDir: string, as?: OpenAs) => open(t, dataDir, true, as);
const openCommand = (t: TestContext, dataDir: string, as?: OpenAs) => open(t, dataDir, false, as);

async function query(url: string, sql: string, values: unknown[] = []): Promise<unknown> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 120_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    return Object.values((await client.query<Record<string, unknown>>(sql, values)).rows[0] ?? {})[0];
  } finally {
    await client.end().catch(() => {});
  }
}

async function serverPid(dataDir: string): Promise<number> {
  const found = await findPostmaster(dataOf(dataDir));
  assert.ok(found, "a server runs");
  return found.pid;
}

async function killServer(dataDir: string): Promise<number> {
  const pid = await serverPid(dataDir);
  process.kill(pid, "SIGKILL");
  await until("the server is dead", async () => !(await isPostmasterOf(pid, dataOf(dataDir))));
  return pid;
}

const noServer = async (dataDir: string) => (await findPostmaster(dataOf(dataDir))) === undefined;
const storeValue = (url: string) => query(url, "create table kept as select 42 as n");
const holders = (url: string) =>
  query(url, "select count(*)::int from pg_locks where locktype = 'advisory' and granted");
const readValue = (url: string) => query(url, "select n from kept");

async function nobodyAccount(): Promise<Account> {
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((each) => each.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** The server's account is ours, or the account `nobody` if we are root. */
const serverAccount = async (): Promise<Account> =>
  isRoot ? nobodyAccount() : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

/** The package as npm installs it with install scripts blocked: without the links. */
async function packageWithoutLinks(folder: string): Promise<string> {
  const copy = join(folder, "package");
  for (const entry of await readdir(platformPackage, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(copy, relative(platformPackage, source));
    await mkdir(dirname(target), { recursive: true });
    await link(source, target).catch(() => copyFile(source, target)); // 60 MB; /tmp may be another disk
  }
  return copy;
}

describe("embedded PostgreSQL: start and stop", { concurrency: 3 }, () => {
  test("the first start creates a database with durable settings that listens on a private socket only", async (t) => {
    const dataDir = join(await newFolder(t), "made", ".tidegate");
    cleanupOf(t).folders.unshift(dataDir);
    const opened = await openEmbeddedPostgres({ dataDir, holdsFolder: true, notice: () => {} });
    const settings =
      "select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in ('data_checksums', 'fsync', 'listen_addresses', 'server_encoding', 'synchronous_commit', 'unix_socket_directories')";
    assert.equal(
      await query(opened.url, settings),
      "data_checksums=on fsync=on listen_addresses= server_encoding=UTF8 synchronous_commit=on unix_socket_directories=.",
    );
    const data = dataOf(dataDir);
    const host = encodeURIComponent(await realpath(data));
    assert.match(opened.url, /^postgres:\/\/tidegate:[\w-]{43}@/);
    assert.equal(opened.url.split("@")[1], `${host}:5432/tidegate`);
    assert.equal((await stat(data)).mode & 0o777, 0o700);
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    assert.equal((await stat(join(dataDir, "postgres", "password"))).mode & 0o777, 0o600);
    await assert.rejects(query(opened.url.replace(/:[\w-]{43}@/, ":guess@"), "select 1"), { code: "28P01" });
    await Promise.all([opened.stop(), opened.stop()]);
    assert.ok(await noServer(dataDir));
  });

  test("data and URL survive a stop and a start", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    await first.stop();
    assert.ok(await noServer(dataDir));
    const second = await openGateway(t, dataDir);
    assert.equal(await readValue(second.url), 42);
    assert.equal(second.url, first.url);
    assert.deepEqual(second.notices, []);
    await second.stop();
  });

  test("a folder whose path is too long for a socket gets a short private one, which commands and later starts use", async (t) => {
    const dataDir = join(await preparedFolder(t), "long".repeat(20), "path".repeat(20));
    const first = await openGateway(t, dataDir);
    await storeValue(first.url);
    const folder = decodeURIComponent(new URL(first.url).hostname);
    cleanupOf(t).folders.push(folder);
    assert.ok(folder.length < 80 && !folder.startsWith(dataDir), folder);
    const { mode, uid } = await stat(folder);
    assert.equal(mode & 0o777, 0o700);
    assert.equal(uid, (await serverAccount()).uid);
    const command = await openCommand(t, dataDir);
    assert.equal(command.url, first.url);
    assert.equal(await readValue(command.url), 42);
    await command.stop();
    await Promise.all([first.kill(), killServer(dataDir)]);
    const second = await openGateway(t, dataDir);
    assert.equal(second.url, first.url);
    assert.equal(await readValue(second.url), 42);
    await second.stop();
  });

  test("the log shows failed connections, and no statement's values", async (t) => {
    const dataDir = await preparedFolder(t);
    const { url, stop } = await openGateway(t, dataDir);
    const secret = "4111111111111111";
    await query(url, "create table cards (pan text primary key check (pan <> 'x'), n int not null)");
    await query(url, "insert into cards values ($1, 1)", [secret]);
    await assert.rejects(query(url, "insert into cards values ($1, 1)", [secret]), { code: "23505" });
    await assert.rejects(query(url, "insert into cards values ($1, null)", [secret]), { code: "23502" });
    await assert.rejects(query(url, "select $1::text::date", [secret]), /date/);
    await assert.rejects(query(url, `select '${secret}x'::bigint`), { code: "22P02" });
    await assert.rejects(query(url.replace(/tidegate$/, "nowhere"), "select 1"), { code: "3D000" });
    await stop();
    const log = await readFile(join(dataDir, "postgres.log"), "utf8");
    assert.match(log, /FATAL: {2}database "nowhere" does not exist/);
    assert.doesNotMatch(log, new RegExp(secret));
  });
});

describe("embedded PostgreSQL: its log stays bounded", () => {
  test("an oversized log is rotated while the server runs, and the server keeps writing", async (t) => {
    const log = join(await newFolder(t), "postgres.log");
    const server = await openServerLog(log);
    await server.appendFile(Buffer.alloc(17_000_000, "x"));
    await trimServerLog(log);
    await server.appendFile("2026-01-01 00:00:00 UTC [1] LOG:  still here\n");
    await server.close();
    assert.equal(await readFile(log, "utf8"), "2026-01-01 00:00:00 UTC [1] LOG:  still here\n");
    assert.equal((await stat(`${log}.1`)).size, 17_000_000);
    await trimServerLog(log);
    assert.notEqual((await stat(log)).size, 0, "a small one is left alone");
  });
});

describe("embedded PostgreSQL: one gateway per folder", { concurrency: 3 }, () => {
  test("a second gateway on the folder is refused in one line that names the first", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    const second = await openGateway(t, dataDir);
    assert.equal(second.error, "FolderInUse");
    assert.equal(
      second.message,
      `a Tidegate is already running on ${dataDir} (pid ${first.pid}): stop it first, or set TIDEGATE_DATA_DIR to another folder`,
    );
    assert.equal(await query(first.url, "select 1"), 1);
    await first.stop();
  });

  test("exactly one of two concurrent first starts succeeds", async (t) => {
    const dataDir = await newFolder(t);
    const both = await Promise.all([openGateway(t, dataDir), openGateway(t, dataDir)]);
    assert.deepEqual(both.map((each) => each.error).sort(), ["", "FolderInUse"]);
    const winner = both.find((each) => each.error === "");
    assert.equal(await query(winner?.url ?? "", "select 1"), 1);
    await winner?.stop();
    assert.deepEqual((await readdir(dataDir)).sort(), ["postgres", "postgres.log"]);
  });

  test("when only the locking connection is cut, the folder is locked again", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    const cut = "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'";
    assert.equal(await query(first.url, cut), true);
    await until("the lock is back", async () => (await holders(first.url)) === 1);
    await first.stop();
    assert.ok(await noServer(dataDir));
  });
});

describe("embedded PostgreSQL: commands beside the gateway", { concurrency: 3 }, () => {
  test("a command beside a gateway uses its server and leaves it running", async (t) => {
    const dataDir = await preparedFolder(t);
    const gateway = await openGateway(t, dataDir);
    const command = await openCommand(t, dataDir);
    assert.equal(command.url, gateway.url);
    assert.equal(await readValue(command.url), 42);
    await command.stop();
    assert.equal(await readValue(gateway.url), 42);
    await gateway.stop();
    assert.ok(await noServer(dataDir));
  });

  test("without a gateway, commands start the server, and the last one stops it", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openCommand(t, dataDir);
    const second = await openCommand(t, dataDir);
    await first.stop();
    assert.equal(await readValue(second.url), 42);
    await second.stop();
    assert.ok(await noServer(dataDir));
  });

  test("a gateway that starts later keeps the server that a command started", async (t) => {
    const dataDir = await preparedFolder(t);
    const command = await openCommand(t, dataDir);
    const gateway = await openGateway(t, dataDir);
    assert.equal(gateway.url, command.url);
    await command.stop();
    assert.equal(await query(gateway.url, "select 1"), 1);
    await gateway.stop();
    assert.ok(await noServer(dataDir));
  });

  test("concurrent commands all get a server, and none is left running", async (t) => {
    const dataDir = await preparedFolder(t);
    const rounds = Array.from({ length: 6 }, async () => {
      const command = await openCommand(t, dataDir);
      assert.equal(command.message, "");
      assert.equal(await query(command.url, "select 1"), 1);
      await command.stop();
    });
    await Promise.all(rounds);
    assert.ok(await noServer(dataDir));
  });
});

describe("embedded PostgreSQL: kill -9", { concurrency: 3 }, () => {
  test("after the gateway is killed, the next one takes over its server at once", async (t) => {
    const dataDir = await preparedFolder(t);
    const beganFirst = Date.now();
    const first = await openGateway(t, dataDir);
    const withinMs = Math.max(3_000, 3 * (Date.now() - beganFirst));
    const server = await serverPid(dataDir);
    await first.kill();
    assert.equal(await readValue(first.url), 42, "the server survives the gateway");
    const began = Date.now();
    const second = await openGateway(t, dataDir);
    assert.ok(Date.now() - began < withinMs, `took ${Date.now() - began} ms`);
    assert.equal(second.url, first.url);
    assert.equal(await serverPid(dataDir), server);
    assert.match(second.notices.join(), /took over/);
    assert.equal(await readValue(second.url), 42);
    await second.stop();
    assert.ok(await noServer(dataDir));
  });

  test("after the server is killed, the gateway restarts it on the same URL, and the folder stays locked", async (t) => {
    const dataDir = await preparedFolder(t);
    const gateway = await openGateway(t, dataDir);
    for (const round of [1, 2]) {
      const killed = await killServer(dataDir);
      await until("the URL answers", () => readValue(gateway.url));
      assert.notEqual(await serverPid(dataDir), killed);
      await until("the gateway reports it", async () => gateway.notices.length === round);
      assert.match(gateway.notices.at(-1) ?? "", /had died and was started again/);
    }
    assert.equal(await holders(gateway.url), 1);
    await gateway.stop();
    assert.ok(await noServer(dataDir));
  });

  test("a server that was taken over is restarted too when it dies", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    await first.kill();
    const second = await openGateway(t, dataDir);
    await killServer(dataDir);
    assert.equal(await until("the URL answers", () => readValue(second.url)), 42);
    await second.stop();
    assert.ok(await noServer(dataDir));
  });

  test("after both are killed, the next start recovers committed data", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    await Promise.all([first.kill(), killServer(dataDir)]);
    const second = await openGateway(t, dataDir);
    assert.equal(await readValue(second.url), 42);
    await second.stop();
  });

  test("a postmaster.pid that names an unrelated process prevents no start and harms no process", async (t) => {
    const dataDir = await preparedFolder(t);
    const first = await openGateway(t, dataDir);
    const pidFile = join(dataOf(dataDir), "postmaster.pid");
    const lines = (await readFile(pidFile, "utf8")).split("\n");
    await Promise.all([first.kill(), killServer(dataDir)]);
    // The hardest case: it runs under the server's account, in the server's folder.
    const unrelated = spawn("sleep", ["600"], { cwd: dataOf(dataDir), ...(await serverAccount()) });
    cleanupOf(t).children.push(unrelated);
    await once(unrelated, "spawn");
    await writeFile(pidFile, [unrelated.pid, ...lines.slice(1)].join("\n"));
    const socketLock = join(dataOf(dataDir), ".s.PGSQL.5432.lock");
    await writeFile(socketLock, [unrelated.pid, ...lines.slice(1)].join("\n"));
    const second = await openGateway(t, dataDir);
    assert.equal(await readValue(second.url), 42);
    await second.stop();
    assert.equal(unrelated.exitCode ?? unrelated.signalCode, null, "the unrelated process still runs");
  });

  test("an empty postmaster.pid, as a power cut leaves it, prevents no start", async (t) => {
    const dataDir = await preparedFolder(t);
    const account = await serverAccount();
    const pidFile = join(dataOf(dataDir), "postmaster.pid");
    await writeFile(pidFile, "");
    await chown(pidFile, account.uid, account.gid);
    await utimes(pidFile, 0, 0);
    const second = await openGateway(t, dataDir);
    assert.equal(await query(second.url, "select 1"), 1);
    await second.stop();
  });

  test("Ctrl-C reaches the gateway's process group and not the server", async (t) => {
    const dataDir = await preparedFolder(t);
    const gateway = await openGateway(t, dataDir, { ownGroup: true });
    const server = await serverPid(dataDir);
    process.kill(-gateway.pid, "SIGINT");
    await until("the gateway is gone", async () => !isAlive(gateway.pid));
    assert.equal(await query(gateway.url, "select 1"), 1);
    assert.equal(await serverPid(dataDir), server);
    await (await openGateway(t, dataDir)).stop();
    assert.ok(await noServer(dataDir));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("embedded PostgreSQL: an error is one line that says what to do", { concurrency: 3 }, () => {
  test("refuses a folder of another PostgreSQL version, and a damaged one", async (t) => {
    const dataDir = await preparedFolder(t);
    const version = join(dataOf(dataDir), "PG_VERSION");
    const openIt = () => openEmbeddedPostgres({ dataDir, holdsFolder: true, notice: () => {} });
    await writeFile(version, "17\n");
    await assert.rejects(
      openIt,
      isOneLine(/was made by PostgreSQL 17 .* brings PostgreSQL 18: .*DATABASE_URL/),
    );
    await rm(version);
    await assert.rejects(openIt, isOneLine(/is not a complete database: .*backup/));
    await writeFile(version, "18\n");
    await rm(join(dataOf(dataDir), "global"), { recursive: true });
    await assert.rejects(openIt, isOneLine(/does not start \(.*global.*\): see .*postgres\.log/));
  });

  test("refuses a data folder that cannot be created", async (t) => {
    const blocked = join(await newFolder(t), "file");
    await writeFile(blocked, "");
    // Nothing can be created below /proc, and Node's recursive mkdir never returns there.
    for (const dataDir of [join(blocked, "x"), blocked, "/proc/nowhere/x"]) {
      await assert.rejects(
        openEmbeddedPostgres({ dataDir, holdsFolder: true, notice: () => {} }),
        isOneLine(
          /^TIDEGATE_DATA_DIR is no folder that can be used \(E(NOTDIR|EXIST|NOENT).*allowed: a path$/,
        ),
      );
    }
  });
});

function isOneLine(pattern: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof EmbeddedPostgresError, String(error));
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  };
}

describe("embedded PostgreSQL: accounts and folders", { concurrency: 3 }, () => {
  test("creates the library links that a blocked install script left out, even in two concurrent starts", async (t) => {
    const folder = await newFolder(t);
    const packageFolder = await packageWithoutLinks(folder);
    await chmod(folder, 0o755);
    const data = [await preparedFolder(t), await preparedFolder(t)];
    const both = await Promise.all(
      data.map((dataDir) => openGateway(t, dataDir, { folders: { packageFolder } })),
    );
    assert.deepEqual(
      both.map((each) => each.message),
      ["", ""],
    );
    const library = await lstat(join(packageFolder, "native", "lib", "libpq.so.5"));
    assert.ok(library.isSymbolicLink());
    await Promise.all(both.map((each) => each.stop()));
  });

  test(
    "under root, the server runs as `nobody` with a minimal environment, and parent folders stay closed",
    rootOnly,
    async (t) => {
      const closed = await newFolder(t); // mkdtemp makes it 0700, like root's home
      const dataDir = join(closed, ".tidegate");
      cleanupOf(t).folders.unshift(dataDir);
      const gateway = await openGateway(t, dataDir);
      const pid = await serverPid(dataDir);
      const { uid, gid } = await nobodyAccount();
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      assert.match(status, new RegExp(`^Uid:\t${uid}\t${uid}\t${uid}\t${uid}$`, "m"));
      assert.match(status, new RegExp(`^Gid:\t${gid}\t${gid}\t${gid}\t${gid}$`, "m"));
      assert.match(status, /^Groups:\s*$/m);
      const environment = (await readFile(`/proc/${pid}/environ`, "utf8"))
        .split("\0")
        .filter((each) => each !== "");
      const names = new Set(environment.map((each) => each.split("=")[0]));
      assert.deepEqual(names, new Set(["LC_ALL", "PATH", "TZ"]));
      for (const each of [closed, dataDir, join(dataDir, "postgres"), dataOf(dataDir)]) {
        assert.equal((await stat(each)).mode & 0o777, 0o700, each);
      }
      assert.equal((await stat(join(dataDir, "postgres", "password"))).uid, 0);
      await storeValue(gateway.url);
      await killServer(dataDir);
      assert.equal(await until("the server has recovered there, too", () => readValue(gateway.url)), 42);
      await gateway.stop();
    },
  );

  test(
    "under root, binaries in a closed folder are copied once to where `nobody` can run them",
    rootOnly,
    async (t) => {
      const closed = await newFolder(t);
      const packageFolder = await packageWithoutLinks(closed);
      const shared = await newFolder(t);
      await chmod(shared, 0o755);
      const folders = { packageFolder, copiesFolder: join(shared, "tidegate") };
      const data = [await preparedFolder(t), await preparedFolder(t)];
      const both = await Promise.all(data.map((dataDir) => openGateway(t, dataDir, { folders })));
      for (const each of both) assert.equal(await query(each.url, "select 1"), 1, each.message);
      const copies = await readdir(folders.copiesFolder);
      assert.equal(copies.length, 1);
      assert.match(copies[0] ?? "", /^postgresql-18\.[^/]*$/);
      await Promise.all(both.map((each) => each.stop()));

      await chmod(folders.copiesFolder, 0o777);
      const refused = await openGateway(t, await newFolder(t), { folders });
      assert.match(refused.message, /is not a folder that only this user can write to/);
    },
  );

  test(
    "an ordinary user runs the server under their own account, even with a read-only node_modules",
    rootOnly,
    async (t) => {
      const account = await nobodyAccount();
      const reachable = spawnSync(process.execPath, ["-e", `await import("${openModule}")`], {
        ...account,
        cwd: "/",
      });
      if (reachable.status !== 0) return t.skip("the checkout is closed to ordinary users");
      const folder = await newFolder(t);
      const packageFolder = await packageWithoutLinks(folder);
      await chmod(folder, 0o755);
      const dataDir = await newFolder(t);
      await chown(dataDir, account.uid, account.gid);
      const gateway = await openGateway(t, dataDir, { account, folders: { packageFolder } });
      assert.equal(await query(gateway.url, "select 1"), 1, gateway.message);
      assert.equal((await stat(`/proc/${await serverPid(dataDir)}`)).uid, account.uid);
      await storeValue(gateway.url);
      await gateway.stop();

      const asRoot = await openGateway(t, dataDir);
      assert.equal(await readValue(asRoot.url), 42, "root starts a user's database as that user");
      assert.equal((await stat(`/proc/${await serverPid(dataDir)}`)).uid, account.uid);
      await asRoot.stop();
      const again = await openGateway(t, dataDir, { account, folders: { packageFolder } });
      assert.equal(await readValue(again.url), 42, again.message);
      await again.stop();
      return undefined;
    },
  );

  test("refuses an ordinary user on root's folder and names its owner", rootOnly, async (t) => {
    const dataDir = await preparedFolder(t);
    await chmod(dataDir, 0o755);
    const refused = await openGateway(t, dataDir, { account: await nobodyAccount() });
    assert.match(
      refused.message,
      /postgres belongs to another user \(uid 0, we are \d+\): start Tidegate as that user/,
    );
  });
});
