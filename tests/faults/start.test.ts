import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { type Gateway, startGateway } from "../../src/app/gateway.ts";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { buildPackage } from "../../tools/build-package.ts";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { makeCertificate } from "../support/certificate.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { setDefaults } from "../support/outage.ts";

// The start of `main`, until the gateway is ready or prints one line that says why not.

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

async function start(environment: Readonly<Record<string, string>>): Promise<Gateway> {
  const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
  const settings = readSettings({
    TIDEGATE_API_PORT: String(apiPort),
    TIDEGATE_HOSTED_PORT: String(hostedPort),
    DATABASE_URL: database.url,
    TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    ...environment,
  });
  return startGateway({ settings, databaseUrl: settings.databaseUrl ?? "", log: createLog("silent") });
}

/** The one line with which a failed start ends. */
async function lineOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const outcome = await start(environment).catch((error: unknown) => error);
  if (typeof outcome === "object" && outcome !== null && "stop" in outcome) await (outcome as Gateway).stop();
  const line = operatorMessage(outcome);
  assert.ok(line, String(outcome));
  assert.doesNotMatch(line, /\n/);
  return line;
}

async function occupyPort(t: TestContext): Promise<string> {
  const port = await freePort();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(port, "127.0.0.1", resolve));
  t.after(() => taken.close());
  return String(port);
}

describe("contract 1: a failed start says why in one line", () => {
  test("names the setting of a port in use", async (t) => {
    const port = await occupyPort(t);
    assert.match(
      await lineOf({ TIDEGATE_API_PORT: port }),
      new RegExp(`^TIDEGATE_API_PORT is ${port}, .+; allowed: a free port$`),
    );
    assert.match(
      await lineOf({ TIDEGATE_HOSTED_PORT: port }),
      new RegExp(`^TIDEGATE_HOSTED_PORT is ${port}, .+; allowed: a free port$`),
    );
  });

  test("names the setting of a host that is not this machine", async () => {
    const line = "TIDEGATE_HOST can't be listened on; allowed: an IP address or host name of this machine";
    assert.equal(await lineOf({ TIDEGATE_HOST: "203.0.113.7" }), line);
    assert.equal(await lineOf({ TIDEGATE_HOST: "no-such-host.invalid" }), line);
  });

  test("names the setting of a certificate or key that cannot be read or does not match", async () => {
    const one = await makeCertificate();
    const other = await makeCertificate();
    const files = (cert: string, key: string) => ({
      TIDEGATE_TLS_CERT_FILE: cert,
      TIDEGATE_TLS_KEY_FILE: key,
    });
    assert.match(
      await lineOf(files("/nowhere/cert.pem", one.keyFile)),
      /^TIDEGATE_TLS_CERT_FILE names a file that can't be read; allowed: /,
    );
    assert.match(
      await lineOf(files(one.certFile, "/nowhere/key.pem")),
      /^TIDEGATE_TLS_KEY_FILE names a file that can't be read; allowed: /,
    );
    assert.match(
      await lineOf(files(one.certFile, other.keyFile)),
      /^TIDEGATE_TLS_KEY_FILE does not fit TIDEGATE_TLS_CERT_FILE; allowed: /,
    );
    assert.match(
      await lineOf(files(one.keyFile, one.certFile)),
      /^TIDEGATE_TLS_KEY_FILE does not fit TIDEGATE_TLS_CERT_FILE; allowed: /,
    );
  });

  const databases: readonly (readonly [what: string, parts: Partial<URL>, reason: RegExp])[] = [
    ["that is not running", { port: "1" }, /ECONNREFUSED|ENOENT/],
    ["with another password", { password: "canary-password" }, /password authentication failed/],
    ["with another name", { pathname: "/no_such_database" }, /"no_such_database" does not exist/],
    ["at an unknown host", { hostname: "no-such-host.invalid" }, /no-such-host\.invalid/],
  ];
  for (const [what, parts, reason] of databases) {
    test(`reports a database ${what}, without its password`, async () => {
      const url = Object.assign(new URL(database.url), parts);
      const line = await lineOf({ DATABASE_URL: url.href });
      assert.match(line, /^the database does not let us in \(.+\); check DATABASE_URL and that it runs$/);
      assert.match(line, reason);
      assert.equal(line.includes(url.password), false);
    });
  }

  test("names the URL of the owner if that is the wrong one, also with the same role", async () => {
    const url = Object.assign(new URL(database.url), { port: "1" });
    const line = await lineOf({ DATABASE_URL: database.url, DATABASE_OWNER_URL: url.href });
    assert.match(line, /; check DATABASE_OWNER_URL and that it runs$/);
  });

  test("reports an invalid database URL, without its password", async () => {
    const line = await lineOf({ DATABASE_URL: "postgres://me:canary/p@ss@host:port/db" });
    assert.match(line, /^DATABASE_URL is not a postgres:\/\/ URL .*; allowed: /);
    assert.equal(line.includes("canary"), false);
  });

  test("reports a root certificate that is missing, without the password", async () => {
    const url = Object.assign(new URL(database.url), {
      password: "canary",
      search: "?sslrootcert=/nope.pem",
    });
    const line = await lineOf({ DATABASE_URL: url.href });
    assert.match(
      line,
      /^DATABASE_URL names a file that can't be read: sslrootcert=\/nope\.pem \(ENOENT\); allowed: /,
    );
    assert.equal(line.includes("canary"), false);
  });

  test("reports a database user that may not create tables", async (t) => {
    const other = await cloneDatabase();
    const role = `readonly_${process.pid}`;
    t.after(async () => {
      await other.rows(`drop owned by ${role}; drop role ${role}`);
      await other.drop();
    });
    await other.rows(`create role ${role} login password 'weak'`);
    await other.rows(
      `drop schema public cascade; create schema public; grant usage on schema public to ${role}`,
    );
    const url = Object.assign(new URL(other.url), { username: role, password: "weak" });
    assert.match(
      await lineOf({ DATABASE_URL: url.href }),
      /^the database user of DATABASE_URL may not create tables: /,
    );
  });

  test("reports a read-only database as that", async (t) => {
    const other = await cloneDatabase();
    t.after(() => other.drop());
    await setDefaults(other, { default_transaction_read_only: "on" });
    assert.match(
      await lineOf({ DATABASE_URL: other.url }),
      /^the database is read-only: connect to the primary/,
    );
  });

  test("reports a database of a newer version, or with a changed migration", async (t) => {
    const other = await cloneDatabase();
    t.after(() => other.drop());
    await other.rows("insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')");
    assert.match(
      await lineOf({ DATABASE_URL: other.url }),
      /^the database has migration 9999_future\.sql, which this version/,
    );
    await other.rows("delete from schema_migrations where name = '9999_future.sql'");
    await other.rows("update schema_migrations set checksum = 'x' where name like '0001%'");
    assert.match(
      await lineOf({ DATABASE_URL: other.url }),
      /^migration 0001_\w+\.sql was changed after it ran/,
    );
  });
});

describe("contract 1: the first start", () => {
  test("a start that fails for a port in use creates no merchant and no key", async (t) => {
    const fresh = await cloneDatabase();
    t.after(() => fresh.drop());
    const port = await occupyPort(t);
    await lineOf({ DATABASE_URL: fresh.url, TIDEGATE_HOSTED_PORT: port });
    assert.equal((await fresh.rows("select 1 from merchants")).length, 0);
    const gateway = await start({ DATABASE_URL: fresh.url });
    await gateway.stop();
    assert.match(gateway.newKey ?? "", /^tg_sandbox_[\w-]{43}$/);
    const again = await start({ DATABASE_URL: fresh.url });
    await again.stop();
    assert.equal(again.newKey, undefined);
  });

  test("five concurrent starts migrate an empty database once", async (t) => {
    const fresh = await cloneDatabase();
    t.after(() => fresh.drop());
    await fresh.rows("drop schema public cascade; create schema public");
    const gateways = await Promise.all(Array.from({ length: 5 }, () => start({ DATABASE_URL: fresh.url })));
    for (const gateway of gateways) await gateway.stop();
    assert.equal(gateways.filter((gateway) => gateway.newKey !== undefined).length, 1);
    assert.equal((await fresh.rows("select 1 from merchants")).length, 1);
  });

  test("each role alone starts, serves its own pages, and stops", async (t) => {
    for (const roles of ["api", "checkout", "worker", "worker, api"]) {
      const [apiPort, hostedPort] = [String(await freePort()), String(await freePort())];
      const gateway = await start({
        TIDEGATE_ROLES: roles,
        TIDEGATE_API_PORT: apiPort,
        TIDEGATE_HOSTED_PORT: hostedPort,
      });
      t.after(() => gateway.stop().catch(() => {}));
      const isUp = (port: string) =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        );
      assert.equal(await isUp(apiPort), roles.includes("api"), roles);
      assert.equal(await isUp(hostedPort), roles.includes("checkout"), roles);
      await gateway.stop();
    }
  });
});

describe("contract 10: `tidegate <command>` once installed", () => {
  test("the packed package starts below node_modules, where Node strips no types, and serves all its pages", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-installed-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const home = join(folder, "node_modules/tidegate");
    const { files } = JSON.parse(await readFile("package.json", "utf8")) as { files: readonly string[] };
    assert.deepEqual(files, ["bin", "dist"]);
    buildPackage(join(home, "dist"));
    const bill = JSON.parse(await readFile(join(home, "dist/sbom.cdx.json"), "utf8"));
    assert.equal(bill.bomFormat, "CycloneDX");
    const lock = await readFile(join(home, "dist/npm-shrinkwrap.json"), "utf8");
    assert.equal(lock, await readFile("package-lock.json", "utf8"), "for `npm ci` of the unpacked package");
    for (const name of ["bin", "package.json"]) await cp(name, join(home, name), { recursive: true });
    await symlink(resolve("node_modules"), join(home, "node_modules"));

    const [apiPort, hostedPort] = await Promise.all([freePort(), freePort()]);
    const child = spawn(process.execPath, [join(home, "bin/tidegate.js"), "start"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: database.url,
        TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
        TIDEGATE_API_PORT: String(apiPort),
        TIDEGATE_HOSTED_PORT: String(hostedPort),
        TIDEGATE_LOG_LEVEL: "error",
      },
    });
    t.after(() => child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    await eventually(
      "the gateway is ready",
      async () => {
        assert.equal(child.exitCode, null, output);
        return /Tidegate is ready/.test(output);
      },
      120_000,
    );
    for (const [port, path, content] of [
      [hostedPort, "/static/pay/js/payui.js", /PayUI/],
      [hostedPort, "/static/pay/js/payui.d.ts", /declare global/],
      [apiPort, "/docs", /reference\.css/],
      [apiPort, "/docs/guides/vault", /The vault/],
      [apiPort, "/docs/grafana/alerts.yml", /^groups:/m],
      [apiPort, "/dashboard/signin", /<main/],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      assert.equal(answer.status, 200, path);
      assert.match(await answer.text(), content, path);
    }
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    assert.deepEqual(await gone, [0, null], output);
  });
});
