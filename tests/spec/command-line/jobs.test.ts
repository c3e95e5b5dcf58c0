import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { runCommand } from "../../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const run = async (...words: string[]) => {
  const { code, stdout } = await runCommand(gateway.database, [...words, "--json"]);
  return { code, json: JSON.parse(stdout) };
};

describe("jobs that need attention", () => {
  test("are listed with their reason, can be run now, and are a warning of doctor", async () => {
    assert.deepEqual((await run("jobs", "list")).json, { jobs: [], complete: true });
    // A kind that no node knows, so that it stays.
    await gateway.database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at, tries, problem, needs_attention_at)
       values ('of_a_newer_version', 'mer_x', 'rfd_x', now() + interval '15 minutes', 23,
         'a refund is not settled: the outcome is not known', now())`,
    );
    const { json } = await run("jobs", "list");
    const [{ jobId, runs, problem, subjectId }] = json.jobs;
    assert.deepEqual(
      [runs, problem, subjectId],
      [23, "a refund is not settled: the outcome is not known", "rfd_x"],
    );
    const doctor = await run("doctor");
    const finding = doctor.json.findings.find(({ check, status }: { check: string; status: string }) => {
      return check === "jobs" && status === "warn";
    });
    assert.match(finding.says, /^1 jobs need attention/);
    assert.match(finding.fix, /jobs list/);
    assert.equal((await runCommand(gateway.database, ["jobs", "retry", "999999"])).code, 1);
    assert.deepEqual((await run("jobs", "retry", String(jobId))).json, { retried: 1 });
    const [row] = await gateway.database.rows<{ due: boolean }>(
      "select due_at <= now() as due from jobs where id = $1",
      [jobId],
    );
    assert.equal(row?.due, true);
    assert.deepEqual((await run("jobs", "retry")).json, { retried: 0 }, "it is due already");
  });

  test("that run, or will within a minute, are left alone: a second run could send a second receipt", async () => {
    const insert = async (due: string) => {
      const [row] = await gateway.database.rows<{ id: string }>(
        `insert into jobs (kind, merchant_id, subject_id, due_at, tries, problem, needs_attention_at)
         values ('of_a_newer_version', 'mer_x', 'rfd_y', now() + $1::interval, 23, 'x', now()) returning id`,
        [due],
      );
      return String(row?.id);
    };
    // A job that has just been claimed is due when its lease ends.
    const [leased, waiting] = [await insert("45 seconds"), await insert("5 minutes")];
    const refused = await runCommand(gateway.database, ["jobs", "retry", leased]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`no job ${leased} needs attention, or it runs now`));
    assert.deepEqual((await run("jobs", "retry")).json, { retried: 1 });
    const due = await gateway.database.rows(
      "select from jobs where id = any ($1::bigint[]) and due_at <= now()",
      [[leased, waiting]],
    );
    assert.equal(due.length, 1);
  });

  test("all run now with one command, more than fit into a statement, of many merchants", async () => {
    await gateway.database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at, tries, problem, needs_attention_at)
       select 'of_a_newer_version', 'mer_' || n % 7, 'rfd_' || n, now() + interval '15 minutes', 23, 'x', now()
       from generate_series(1, 2500) n`,
    );
    const listed = await runCommand(gateway.database, ["jobs", "list", "--json"]);
    const { jobs, complete } = JSON.parse(listed.stdout);
    assert.deepEqual([jobs.length, complete], [1_000, false]);
    assert.match(listed.stderr, /warning: only the first 1000 are listed/);
    assert.deepEqual((await run("jobs", "retry")).json, { retried: 2_500 });
    const left = await gateway.database.rows(
      "select from jobs where needs_attention_at is not null and due_at > now() + interval '1 minute'",
    );
    assert.equal(left.length, 0);
  });
});
