import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { startGateway } from "../../src/app/gateway.ts";
import { operatorMessage } from "../../src/app/operator-message.ts";
import { examine } from "../../src/cli/doctor/examine.ts";
import { readSettings } from "../../src/platform/config/settings.ts";
import { createLog } from "../../src/platform/log/log.ts";
import { TEST_VAULT_KEY } from "../support/calls.ts";
import { callApi, ok, payOnce, shopOf } from "../support/checkout.ts";
import { runCommand } from "../support/command-line.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

describe("contract 13: one role owns the schema, another runs the gateway", () => {
  const role = `runtime_${randomBytes(6).toString("hex")}`;
  let database: TestDatabase;
  let runtime: TestDatabase;
  let gateway: TestGateway;
  let environment: Record<string, string>;
  before(async () => {
    database = await cloneDatabase();
    await database.rows(`create role ${role} login password 'a-password-of-a-test'`);
    const url = new URL(database.url);
    url.username = role;
    url.password = "a-password-of-a-test";
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    runtime = {
      url: url.href,
      rows: async (text, values = []) => (await pool.query(text, [...values])).rows,
      drop: () => pool.end(),
    };
    environment = {
      DATABASE_URL: runtime.url,
      DATABASE_OWNER_URL: database.url,
      TIDEGATE_VAULT_KEY: TEST_VAULT_KEY,
    };
  });
  after(async () => {
    await gateway?.stop();
    await runtime.drop();
    await database.rows(`drop owned by ${role}`);
    await database.rows(`drop role ${role}`);
    await database.drop();
  });

  const healthOf = async (check: string) =>
    (await examine({ ...environment })).find((one) => one.check === check)?.status;

  test("a role without any right gets one line from start and every command, and doctor prints its findings", async () => {
    const only = { DATABASE_URL: runtime.url, TIDEGATE_VAULT_KEY: TEST_VAULT_KEY };
    const words =
      /^the role of DATABASE_URL lacks rights \(permission denied for table schema_migrations\)(: .*DATABASE_OWNER_URL|$)/;
    const start = startGateway({
      settings: readSettings(only),
      databaseUrl: runtime.url,
      log: createLog("silent"),
    });
    assert.match(operatorMessage(await start.catch((error: unknown) => error)) ?? "it started", words);
    const list = await runCommand(database, ["merchant", "list"], only);
    assert.equal(list.code, 1);
    assert.match(list.stderr.replace(/^tidegate: /, "").trimEnd(), words);
    const doctor = await runCommand(database, ["doctor", "--json"], only);
    assert.equal(doctor.code, 1, doctor.stderr);
    const { findings } = JSON.parse(doctor.stdout) as {
      findings: readonly { check: string; says: string }[];
    };
    assert.ok(findings.some(({ says }) => words.test(says)));
    assert.ok(
      findings.some(({ check }) => check.startsWith("port ")),
      "the checks after it are printed, too",
    );
  });

  test("the runtime role alone starts no gateway on a schema that is not up to date, and the line says what to set", async () => {
    const [last] = await database.rows<{ name: string; checksum: string }>(
      "delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum",
    );
    await database.rows(`grant select on schema_migrations to ${role}`);
    const settings = readSettings({ ...environment, DATABASE_OWNER_URL: "" });
    const start = startGateway({ settings, databaseUrl: runtime.url, log: createLog("silent") });
    const line = operatorMessage(await start.catch((error: unknown) => error));
    assert.match(
      line ?? "",
      /^the database user of DATABASE_URL may not create tables: .*DATABASE_OWNER_URL/,
    );
    await database.rows("insert into schema_migrations (name, checksum) values ($1, $2)", [
      last?.name,
      last?.checksum,
    ]);
  });

  test("`migrate` with both URLs grants the runtime role what it needs, again and again", async () => {
    await assert.rejects(runtime.rows("select from merchants"), /permission denied/);
    for (let round = 0; round < 2; round += 1) {
      const { code, stderr } = await runCommand(database, ["migrate", "--json"], environment);
      assert.equal(code, 0, stderr);
    }
    await runtime.rows("select from merchants");
  });

  test("a role that does not exist is named", async () => {
    const url = new URL(runtime.url);
    url.username = "no_such_role";
    const { code, stderr } = await runCommand(database, ["migrate"], {
      DATABASE_URL: url.href,
      DATABASE_OWNER_URL: database.url,
    });
    assert.equal(code, 1);
    assert.match(stderr, /there is no role no_such_role, which DATABASE_URL names/);
  });

  test("the gateway runs as the runtime role: payments, refunds, settlement, webhooks, keys, the chain", async () => {
    // A node needs no owner, once the schema is up to date.
    gateway = await startTestGateway({ database: runtime, environment: { DATABASE_URL: runtime.url } });
    const shop = shopOf(gateway);
    ok(await callApi(shop, "POST", "/webhooks", { event: "transactions", url: "http://127.0.0.1:9099/" }));
    const customerRequest = { name: "Kai", email: "kai@shop.example", paymentInstrument: "create" };
    const { transactionId } = await payOnce(shop, { customerRequest }, { consent: true });
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }));
    ok(await callApi(shop, "POST", "/sandbox/clock/advance", { seconds: 90_000 }));
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    await eventually("a payout", async () => ok(await callApi(shop, "GET", "/payouts")).count > 0);
    for (const words of [["vault", "rotate"], ["audit", "verify"], ["reconcile"], ["key", "list"]]) {
      const merchant =
        words[0] === "key" ? ["--merchant", ok(await callApi(shop, "GET", "/management/account")).id] : [];
      const only = { DATABASE_URL: runtime.url, TIDEGATE_VAULT_KEY: TEST_VAULT_KEY };
      const { code, stdout, stderr } = await runCommand(database, [...words, ...merchant], only);
      assert.equal(code, 0, `${words.join(" ")}: ${stdout} ${stderr}`);
    }
    const sealed = "select from audit_log where place is not null";
    await eventually("the chain grows", async () => (await runtime.rows(sealed)).length > 3);
  });

  for (const statement of [
    "create table mine (id integer)",
    "alter table merchants add column mine integer",
    "drop table payouts",
    "alter table audit_log disable trigger all",
    "update audit_log set detail = 'nothing'",
    "update audit_log set place = null, previous = null, hash = null",
    "delete from audit_log",
    "truncate audit_log",
    "delete from audit_head",
    "update audit_head set place = 1",
    "insert into schema_migrations (name, checksum) values ('x', 'y')",
    "delete from schema_migrations",
  ]) {
    test(`the database refuses the runtime role: ${statement}`, async () => {
      await assert.rejects(runtime.rows(statement), /permission denied|must be owner/);
    });
  }

  test("a seal stays, whatever the runtime role hands to the function that seals", async () => {
    const [first] = await runtime.rows<{ id: string; hash: Buffer }>(
      "select id, hash from audit_log where place = 1",
    );
    const zeros = "00".repeat(32);
    await runtime.rows(
      "select seal_audit_entries(array[$1]::bigint[], array[1]::bigint[], array[$2], array[$2])",
      [first?.id, zeros],
    );
    assert.deepEqual(await runtime.rows("select id, hash from audit_log where place = 1"), [first]);
    const head = await runtime.rows("select * from audit_head");
    await runtime.rows("select put_audit_head(1, decode($1, 'hex'), decode($1, 'hex'))", [zeros]);
    assert.deepEqual(await runtime.rows("select * from audit_head"), head, "the head moves forward only");
  });

  test("doctor shows which rights the role of DATABASE_URL has", async () => {
    assert.equal(await healthOf("role"), "ok");
    await gateway.newMerchant({ mode: "live" });
    assert.equal(await healthOf("role"), "ok");
    const owner = await examine({ ...environment, DATABASE_URL: database.url });
    assert.equal(owner.find(({ check }) => check === "role")?.status, "warn");
  });
});
