import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runCommand } from "../support/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { counted } from "../support/payment-metrics.ts";

describe("the head of the audit log is kept elsewhere", () => {
  test("`audit head` prints it, and `audit verify --head` finds a log that was wiped or put back", async (t) => {
    const gateway = await startTestGateway();
    t.after(() => gateway.stop());
    const printed = await runCommand(gateway.database, ["audit", "head", "--json"]);
    assert.equal(printed.code, 0, printed.stderr);
    const { head, proof } = JSON.parse(printed.stdout);
    assert.match(head, /^\d+:[0-9a-f]{64}$/);
    assert.match(proof, /^[0-9a-f]{64}$/);
    const kept = await runCommand(gateway.database, ["audit", "verify", "--head", head]);
    assert.equal(kept.code, 0, kept.stdout);
    await gateway.database.rows(`alter table audit_log disable trigger all;
      delete from audit_log; delete from audit_head; alter table audit_log enable trigger all`);
    const wiped = await runCommand(gateway.database, ["audit", "verify"]);
    assert.equal(wiped.code, 1);
    assert.match(wiped.stdout, /Broken at entry 1: the log was wiped/);
    assert.equal((await runCommand(gateway.database, ["audit", "head"])).code, 1);
  });

  test("a gateway whose log was wiped counts it, for an alert", async (t) => {
    const gateway = await startTestGateway();
    t.after(() => gateway.stop());
    const failures = async () =>
      (await counted([gateway], "tidegate_control_failures_total"))["control=audit_chain"] ?? 0;
    await eventually("the first entries are in the chain", async () => {
      const heads = await gateway.database.rows("select from audit_head");
      return heads.length > 0;
    });
    assert.equal(await failures(), 0);
    await gateway.database.rows(`alter table audit_log disable trigger all;
      delete from audit_log; delete from audit_head; alter table audit_log enable trigger all;
      insert into audit_log (at, act) values (now(), 'number_used')`);
    await eventually("the failure is counted", async () => (await failures()) > 0);
  });

  test("a file gets every new head, as a line that only its owner can read", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-heads-"));
    const path = join(folder, "heads");
    const gateway = await startTestGateway({ environment: { TIDEGATE_AUDIT_SINK: `file:${path}` } });
    t.after(async () => {
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const lines = async () =>
      (await readFile(path, "utf8").catch(() => "")).trim().split("\n").filter(Boolean);
    await eventually("a first head", async () => (await lines()).length > 0);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const before = (await lines()).length;
    await gateway.database.rows("insert into audit_log (at, act) values (now(), 'number_used')");
    await eventually("the next head", async () => (await lines()).length > before);
    const last = JSON.parse((await lines()).at(-1) ?? "{}");
    const verified = await runCommand(gateway.database, ["audit", "verify", "--head", last.head]);
    assert.equal(verified.code, 0, verified.stdout);
  });

  test("a syslog server gets it as an RFC 5424 message", async (t) => {
    const server = createSocket("udp4");
    const messages: string[] = [];
    server.on("message", (message) => messages.push(message.toString()));
    await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
    const sink = `syslog://127.0.0.1:${server.address().port}`;
    const gateway = await startTestGateway({ environment: { TIDEGATE_AUDIT_SINK: sink } });
    t.after(async () => {
      await gateway.stop();
      server.close();
    });
    await eventually("a head", async () => messages.length > 0);
    assert.match(messages[0] ?? "", /^<109>1 \S+Z \S+ tidegate \d+ audit-head - \{"head":"\d+:[0-9a-f]{64}"/);
  });
});
