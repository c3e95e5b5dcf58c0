import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { tlsFinding } from "../../../src/cli/doctor/check-database.ts";
import { checkDisk, checkNode, checkTls } from "../../../src/cli/doctor/check-machine.ts";
import { examine } from "../../../src/cli/doctor/examine.ts";
import { linesOf } from "../../../src/cli/doctor/finding.ts";
import { readSettings } from "../../../src/platform/config/settings.ts";
import { TEST_VAULT_KEY } from "../../support/calls.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { runCommand } from "../../support/command-line.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type OwnPostgres, startOwnPostgres } from "../../support/own-postgres.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

const DAY = 86_400_000;

describe("tidegate doctor", () => {
  let own: OwnPostgres;
  let gateway: TestGateway;
  let environment: Record<string, string>;
  before(async () => {
    // Unlike the server of the tests, this one has written to the disk what it confirmed, as doctor demands.
    own = await startOwnPostgres();
    // No worker runs, so that overdue jobs stay overdue.
    const options = { environment: { TIDEGATE_ROLES: "api,checkout" }, database: own.database };
    gateway = await startTestGateway(options);
    environment = {
      DATABASE_URL: gateway.database.url,
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
      TIDEGATE_API_PORT: String(gateway.settings.apiPort),
      TIDEGATE_HOSTED_PORT: String(gateway.settings.hostedPort),
    };
  });
  after(async () => {
    await gateway.stop();
    await own.stop();
  });

  const finding = async (check: string, other: Readonly<Record<string, string>> = {}) => {
    const all = await examine({ ...environment, ...other });
    return all.find((one) => one.check === check) ?? assert.fail(`no ${check} in ${JSON.stringify(all)}`);
  };

  test("reports every check as ok and exits with 0 when the gateway is healthy", async () => {
    const { code, stdout } = await runCommand(gateway.database, ["doctor", "--json"], environment);
    const { healthy, findings } = JSON.parse(stdout);
    assert.deepEqual([code, healthy], [0, true], stdout);
    for (const one of findings) assert.equal(one.status, "ok", JSON.stringify(one));
    const checks = findings.map(({ check }: { check: string }) => check);
    for (const check of [
      "node",
      "settings",
      "database",
      "database TLS",
      "writes",
      "clock",
      "migrations",
      "vault",
      "jobs",
      "webhooks",
      "TLS",
    ])
      assert.ok(checks.includes(check), check);
    assert.match((await finding(`port ${gateway.settings.apiPort}`)).says, /served by a gateway/);
    assert.match((await finding("base URL")).says, /leads to a gateway/);
  });

  test("a database that is down, an invalid setting and a wrong master key fail, each with a fix", async () => {
    const unreachable = await runCommand(gateway.database, ["doctor"], {
      ...environment,
      DATABASE_URL: "postgres://localhost:1/x",
    });
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.stdout, /^fail {2}database .*does not let us in[\s\S]*fix: start the database/m);
    const wrong = await finding("settings", { TIDEGATE_RATE_LIMIT: "many" });
    assert.deepEqual([wrong.status, /TIDEGATE_RATE_LIMIT/.test(wrong.says)], ["fail", true]);
    const key = Buffer.alloc(32, "another").toString("base64");
    const vault = await finding("vault", { TIDEGATE_VAULT_KEY: key });
    assert.deepEqual([vault.status, /not this database's/.test(vault.says)], ["fail", true]);
  });

  test("a port used by another program fails; a free port passes", async () => {
    const other = createServer((_request, response) => void response.end("hello"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    try {
      const address = other.address();
      const port = String(typeof address === "object" && address !== null ? address.port : 0);
      assert.equal((await finding(`port ${port}`, { TIDEGATE_API_PORT: port })).status, "fail");
      const free = String(await freePort());
      assert.match((await finding(`port ${free}`, { TIDEGATE_API_PORT: free })).says, /^free/);
    } finally {
      other.close();
    }
  });

  test("the dashboard's own port is checked like the others", async () => {
    const free = String(await freePort());
    assert.match((await finding(`port ${free}`, { TIDEGATE_DASHBOARD_PORT: free })).says, /^free/);
  });

  test("a base URL that leads elsewhere is a warning", async () => {
    const elsewhere = await finding("base URL", {
      TIDEGATE_BASE_URL: `http://localhost:${await freePort()}`,
    });
    assert.deepEqual([elsewhere.status, /TIDEGATE_BASE_URL/.test(elsewhere.fix ?? "")], ["warn", true]);
  });

  test("reports overdue jobs, pending migrations and asynchronous commits", async () => {
    // Those of the start, of which a slow machine makes overdue ones.
    await gateway.database.rows("delete from jobs");
    await gateway.database.rows(
      "insert into jobs (kind, merchant_id, subject_id, due_at) values ('unknown_kind', 'm', 's', now() - interval '61 seconds')",
    );
    const work = await finding("jobs");
    assert.deepEqual(
      [work.status, /^1 jobs are overdue, the oldest for \d+ s/.test(work.says)],
      ["warn", true],
      work.says,
    );
    await gateway.database.rows("delete from jobs where kind = 'unknown_kind'");
    await gateway.post("/webhooks", { event: "payment_requests", url: "http://127.0.0.1:4999/" });
    await gateway.post("/paymentrequests", CHECKOUT);
    assert.equal((await finding("webhooks")).status, "ok", "due, but not overdue");
    await gateway.database.rows("update deliveries set due_at = due_at - interval '61 seconds'");
    assert.match((await finding("webhooks")).says, /^1 deliveries are due, the oldest for \d+ s/);
    const name = new URL(gateway.database.url).pathname.slice(1);
    await gateway.database.rows(`alter database ${name} set synchronous_commit = off`);
    assert.deepEqual((await finding("writes")).status, "fail");
    await gateway.database.rows(`alter database ${name} reset synchronous_commit`);
    const [last] = await gateway.database.rows<{ name: string; checksum: string }>(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
    );
    const pending = await finding("migrations");
    assert.deepEqual([pending.status, pending.says.includes(last?.name ?? "?")], ["warn", true]);
    await gateway.database.rows("insert into schema_migrations (name, checksum) values ($1, $2)", [
      last?.name,
      last?.checksum,
    ]);
    assert.equal((await finding("migrations")).status, "ok");
  });

  test("checks a certificate's files, key and validity dates", async () => {
    const [one, other] = [await makeCertificate(), await makeCertificate()];
    const settings = (certFile: string, keyFile: string) =>
      readSettings({ TIDEGATE_TLS_CERT_FILE: certFile, TIDEGATE_TLS_KEY_FILE: keyFile });
    const check = (certFile: string, keyFile: string, days = 0) =>
      checkTls(settings(certFile, keyFile), Date.now() + days * DAY);
    assert.deepEqual(
      [check(one.certFile, one.keyFile).status, check(one.certFile, one.keyFile).says],
      ["warn", "the certificate expires in 1 days"],
    );
    assert.equal(check(one.certFile, one.keyFile, -25).status, "fail", "not yet valid");
    assert.equal(check(one.certFile, one.keyFile, 3).status, "fail", "expired");
    assert.match(check(one.certFile, other.keyFile).says, /can't be used/);
    assert.match(check("/nowhere.pem", one.keyFile).says, /can't be used/);
    const plain = (url: string) => checkTls(readSettings({ TIDEGATE_BASE_URL: url }), Date.now()).status;
    assert.deepEqual(
      [plain("http://localhost:9000"), plain("https://pay.example"), plain("http://pay.example")],
      ["ok", "ok", "warn"],
    );
  });

  test("shows whether the connection to the database is encrypted, and the server verified", () => {
    const status = (databaseUrl: string | undefined, tls: string | null, isLocal = false) =>
      tlsFinding({ tls, isLocal }, { databaseUrl }).status;
    const url = "postgres://db.example/tidegate";
    assert.equal(status(undefined, null), "ok", "embedded");
    assert.equal(status(url, null, true), "ok", "on this machine");
    assert.equal(status(url, null), "warn", "plain over a network");
    assert.equal(status(`${url}?sslmode=verify-full`, "TLSv1.3"), "ok");
    assert.equal(status(`${url}?sslmode=require`, "TLSv1.3"), "ok", "node-postgres verifies");
    assert.equal(status(`${url}?sslmode=no-verify`, "TLSv1.3"), "warn");
    assert.equal(status(`${url}?uselibpqcompat=true&sslmode=require`, "TLSv1.3"), "warn");
    assert.equal(status(`${url}?uselibpqcompat=true&sslmode=verify-full`, "TLSv1.3"), "ok");
  });

  test("checks the Node version and the disk, and prints a fix", () => {
    assert.deepEqual([checkNode("24.0.0").status, checkNode("22.9.0").status], ["ok", "fail"]);
    assert.deepEqual([checkDisk(".").check, checkDisk("/nowhere/at/all").status], ["disk", "fail"]);
    assert.match(linesOf(checkNode("22.9.0")).join("\n"), /^fail {2}node .*\n\s+fix: use Node 24/);
  });
});
