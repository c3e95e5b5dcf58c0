import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { type Instant, instant, later } from "../../kernel/time.ts";
import type { Tx } from "../db/database.ts";
import { ANY_JOB, bringJobsForward, FIRST_JOB } from "./moving/queries.ts";
import { claimJobs, insertJob, listDue } from "./queries.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

const NOW = instant(Date.UTC(2030, 0, 1));
const job = (subjectId: string, merchantId = "mer_a") => ({ kind: "do", merchantId, subjectId });

/** What a node does on each poll: look for due jobs, then claim them. */
async function claimDue(tx: Tx, now: Instant, lease: Instant, atMost: number) {
  const due = await listDue(tx, now, ["do"], atMost);
  return claimJobs(tx, due, now, lease);
}

describe("a job", () => {
  test("is claimed by one worker at a time; a lease that is over is claimed again", async () => {
    await inContext(database, async (ctx) => {
      for (let index = 0; index < 100; index += 1) await insertJob(ctx.db, job(`s-${index}`), NOW);
      const lease = later(NOW, 60_000);
      const claims = await Promise.all(Array.from({ length: 10 }, () => claimDue(ctx.db, NOW, lease, 20)));
      const claimed = claims.flat().map((one) => one.subjectId);
      assert.equal(new Set(claimed).size, claimed.length);
      for (let round = 0; claimed.length < 100 && round < 10; round += 1) {
        claimed.push(...(await claimDue(ctx.db, NOW, lease, 20)).map((one) => one.subjectId));
      }
      assert.equal(new Set(claimed).size, 100);
      assert.equal(claimed.length, 100);
      assert.deepEqual(await claimDue(ctx.db, later(lease, -1), lease, 20), []);
      const again = await claimDue(ctx.db, lease, later(lease, 60_000), 200);
      assert.equal(again.length, 100);
      assert.ok(again.every((one) => one.tries === 2));
      await database.rows("delete from jobs");
    });
  });

  test("that a worker is claiming is left to it, without waiting", async () => {
    await inContext(database, async (ctx) => {
      for (let index = 0; index < 5; index += 1) await insertJob(ctx.db, job(`s-${index}`), NOW);
      const lease = later(NOW, 60_000);
      const due = await listDue(ctx.db, NOW, ["do"], 5);
      await ctx.db.transaction(async (tx) => {
        assert.equal((await claimJobs(tx, due, NOW, lease)).length, 5);
        assert.deepEqual(await claimJobs(ctx.db, due, NOW, lease), []);
      });
      assert.deepEqual(await claimJobs(ctx.db, due, NOW, lease), []);
      await database.rows("delete from jobs");
    });
  });

  test("of one merchant can be brought forward without moving another's", async () => {
    await inContext(database, async (ctx) => {
      await insertJob(ctx.db, job("mine"), later(NOW, 100_000));
      await insertJob(ctx.db, job("theirs", "mer_b"), later(NOW, 100_000));
      const all = { from: FIRST_JOB, lastId: ANY_JOB, atMost: 10 };
      assert.equal(await bringJobsForward(ctx.db, "mer_a", 60, all), undefined);
      const rows = await database.rows<{ subject_id: string; due: number }>(
        "select subject_id, (extract(epoch from due_at) * 1000)::float8 as due from jobs",
      );
      const due = new Map(rows.map((row) => [row.subject_id, row.due - NOW]));
      assert.deepEqual([due.get("mine"), due.get("theirs")], [40_000, 100_000]);
      await database.rows("delete from jobs");
    });
  });
});
