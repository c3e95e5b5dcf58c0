import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { EXPIRE_JOB, listOverdue } from "../../src/features/payment-requests/queries.ts";
import { withDeadline } from "../../src/features/transactions/index.ts";
import { hasReversalJob } from "../../src/features/transactions/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { type Instant, later } from "../../src/kernel/time.ts";
import { createClaimer } from "../../src/platform/jobs/claim.ts";
import { readJobHealth } from "../../src/platform/jobs/health/queries.ts";
import type { JobHandler } from "../../src/platform/jobs/job.ts";
import { ANY_JOB, bringJobsForward, FIRST_JOB } from "../../src/platform/jobs/moving/queries.ts";
import {
  claimJobs,
  insertJob,
  listDue,
  listDueByMerchant,
  listMerchants,
} from "../../src/platform/jobs/queries.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { fillWithoutIndexes } from "../support/many-payments.ts";
import { sized } from "../support/proof.ts";
import { job, NOW, withWorker } from "../support/timed-work.ts";

const KINDS = ["do", "long", "rare"] as const;
const MANY = sized(30_000, 300_000);

const PORTION = { from: FIRST_JOB, lastId: ANY_JOB, atMost: 5 };

type Backlog = { kind: string; merchantId: string; count: number; last: Instant };

/** Jobs of one merchant and kind each, due one after the other until `last`. */
async function fill(database: TestDatabase, ...backlogs: readonly Backlog[]): Promise<void> {
  await fillWithoutIndexes(database, ["jobs"], async (run) => {
    for (const { kind, merchantId, count, last } of backlogs)
      await run(
        `insert into jobs (kind, merchant_id, subject_id, due_at)
         select $1, $2, 's-' || n, $3::timestamptz - n * interval '1 millisecond' from generate_series(1, $4) n`,
        [kind, merchantId, new Date(last), count],
      );
  });
  await database.rows("analyze jobs");
}

const nothingRuns = { total: () => 0, ofMerchant: () => 0 };

describe(`claiming jobs costs the same at 10 and at ${MANY} rows`, () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    [small, large] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    for (const [database, count] of [
      [small, 10],
      [large, MANY],
    ] as const) {
      await fill(
        database,
        { kind: "long", merchantId: "mer_big", count, last: NOW },
        { kind: "do", merchantId: "mer_big", count, last: later(NOW, 86_400_000) },
        { kind: "do", merchantId: "mer_small", count: 5, last: NOW },
        { kind: EXPIRE_JOB, merchantId: "mer_big", count, last: later(NOW, 86_400_000) },
        { kind: EXPIRE_JOB, merchantId: "mer_late", count, last: NOW },
        { kind: "checkout_reverse_again", merchantId: "mer_big", count, last: later(NOW, 86_400_000) },
      );
      await database.rows(
        `insert into jobs (kind, merchant_id, subject_id, due_at)
         select 'do', 'mer_other_' || n, 's', $1 from generate_series(1, 200) n`,
        [new Date(later(NOW, 1_000))],
      );
      await database.rows("vacuum analyze jobs");
    }
  });
  after(() => Promise.all([small.drop(), large.drop()]));

  const cases: Readonly<Record<string, Parameters<typeof pagesTouched>[1]>> = {
    "looking for the oldest due jobs": (tx) => listDue(tx, NOW, KINDS, 5),
    "looking for a kind of which none is due": (tx) => listDue(tx, NOW, ["rare"], 64),
    "listing merchants": (tx) => listMerchants(tx, "", 500),
    "looking for the due jobs of merchants in turn": (tx) =>
      listDueByMerchant(
        tx,
        NOW,
        ["mer_big", "mer_small"].flatMap((merchantId) => KINDS.map((kind) => ({ kind, merchantId }))),
      ),
    "a whole claim": (tx) => createClaimer(["do", "rare"], nothingRuns)(tx, NOW, later(NOW, 60_000)),
    "moving the clock of a merchant with few jobs": (tx) => bringJobsForward(tx, "mer_small", 60, PORTION),
    "moving the clock of a merchant with many jobs, a portion": (tx) =>
      bringJobsForward(tx, "mer_big", 60, PORTION),
    "listing overdue payment requests of a merchant without any": (tx) =>
      listOverdue(tx, "mer_big" as Id<"merchant">, NOW, 100),
    "listing overdue payment requests of a merchant with many": (tx) =>
      listOverdue(tx, "mer_late" as Id<"merchant">, NOW, 10),
    "looking for the reversals of one payment among those of many": (tx) =>
      hasReversalJob(tx, "mer_big" as Id<"merchant">, "txn_x" as Id<"transaction">),
    "metrics of failing jobs": (tx) => readJobHealth(tx, later(NOW, -86_400_000)),
  };
  for (const [what, work] of Object.entries(cases)) {
    test(what, async () => {
      assertFlat(await pagesTouched(small, work), await pagesTouched(large, work), what);
    });
  }

  test("the measurement notices a scan", async () => {
    const scan: Parameters<typeof pagesTouched>[1] = (tx) =>
      tx.rows({ name: "scan", text: "select count(*) from jobs where tries > 5", emitsEvent: false }, []);
    assert.throws(() => assertFlat(1, 10_000, "a scan"));
    assert.ok((await pagesTouched(large, scan)) > 100 * (await pagesTouched(small, scan)));
  });
});

describe("one merchant's backlog delays no other merchant's jobs", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
  });
  after(() => database.drop());

  /** How long `count` jobs of as many merchants take from insert to run, with nothing else to do. */
  async function timeAlone(count: number): Promise<number> {
    let done = 0;
    const handler: JobHandler = async () => {
      done += 1;
      return undefined;
    };
    let took = Number.POSITIVE_INFINITY;
    await withWorker(database, { do: handler }, async (ctx) => {
      const inserted = performance.now();
      for (let index = 0; index < count; index += 1)
        await insertJob(ctx.db, job(`s-${index}`, "do", `mer_alone_${index}`), NOW);
      await eventually("all ran", async () => done === count);
      took = performance.now() - inserted;
    });
    return took;
  }

  test(`a job of another merchant runs within seconds beside ${MANY} older jobs of the same kind`, async () => {
    const alone = await timeAlone(1);
    await fill(database, { kind: "do", merchantId: "mer_big", count: MANY, last: later(NOW, -1_000) });
    let ofBig = 0;
    let ranAt: number | undefined;
    const handler: JobHandler = async (_, { merchantId }) => {
      if (merchantId === "mer_big") ofBig += 1;
      else ranAt = performance.now();
      return undefined;
    };
    await withWorker(database, { do: handler }, async (ctx) => {
      await eventually("the backlog is being worked on", async () => ofBig > 100);
      const inserted = performance.now();
      await insertJob(ctx.db, job("one", "do", "mer_small"), NOW);
      await eventually("the other merchant's job ran", async () => ranAt !== undefined);
      const took = (ranAt ?? Number.POSITIVE_INFINITY) - inserted;
      assert.ok(took < Math.max(10_000, 3 * alone), `${took} ms, ${alone} ms alone`);
      assert.ok(ofBig < MANY);
    });
  });

  test("a merchant whose bank never answers delays no other merchant's jobs of the same kind", async () => {
    await fill(database, { kind: "do", merchantId: "mer_big", count: 10_000, last: later(NOW, -1_000) });
    const bank = Promise.withResolvers<void>();
    const done: string[] = [];
    let waiting = 0;
    const handler: JobHandler = async (_, { merchantId, subjectId }) => {
      if (merchantId === "mer_big") {
        waiting += 1;
        await bank.promise;
      } else done.push(subjectId);
      return later(NOW, 3_600_000);
    };
    await withWorker(database, { do: handler }, async (ctx) => {
      await eventually("as many as may wait do", async () => waiting === 32);
      for (let index = 0; index < 20; index += 1) {
        await insertJob(ctx.db, job(`s-${index}`, "do", `mer_${index}`), NOW);
      }
      await eventually("every other merchant's job ran", async () => done.length === 20);
      assert.equal(waiting, 32);
      bank.resolve();
    });
  });

  test("40 merchants of one silent bank, each with a backlog, delay no other merchant's jobs", async () => {
    const SILENT = 40;
    const alone = await timeAlone(20);
    const backlogs = Array.from({ length: SILENT }, (_, index) => ({
      kind: "do",
      merchantId: `mer_silent_${index}`,
      count: 100,
      last: later(NOW, -1_000),
    }));
    await fill(database, ...backlogs);
    const bank = Promise.withResolvers<undefined>();
    const done: string[] = [];
    const waiting = new Map<string, number>();
    const handler: JobHandler = async (ctx, { merchantId, subjectId }) => {
      if (!merchantId.startsWith("mer_silent")) done.push(subjectId);
      else {
        waiting.set(merchantId, (waiting.get(merchantId) ?? 0) + 1);
        await withDeadline(ctx, () => bank.promise, undefined, { deadlineMs: 600_000 });
      }
      return later(NOW, 3_600_000);
    };
    const total = () => [...waiting.values()].reduce((sum, count) => sum + count, 0);
    await withWorker(database, { do: handler }, async (ctx) => {
      try {
        for (const [round, enough] of [100, 800].entries()) {
          await eventually(`${enough} wait for the bank`, async () => total() >= enough);
          const inserted = performance.now();
          for (let index = 0; index < 20; index += 1)
            await insertJob(ctx.db, job(`s-${index}`, "do", `mer_well_${round}_${index}`), NOW);
          await eventually("every other merchant's job ran", async () => done.length === 20 * (round + 1));
          const took = performance.now() - inserted;
          const report = `${enough} waited, and the others' jobs took ${took} ms, ${alone} ms alone`;
          assert.ok(took < Math.max(30_000, 3 * alone), report);
        }
        assert.ok(total() < 1_024);
        assert.equal(waiting.size, SILENT);
      } finally {
        bank.resolve(undefined);
      }
    });
  });

  test("two nodes share a backlog and run each job once", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 300; index += 1) ids.push(`s-${index}`);
    await database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at)
       select 'do', 'mer_' || n % 7, 's-' || n, $1 from generate_series(0, 299) n`,
      [new Date(NOW)],
    );
    const ran: string[] = [];
    const handler: JobHandler = async (_, { subjectId }) => {
      ran.push(subjectId);
      return undefined;
    };
    await withWorker(database, { do: handler }, async () => {
      await withWorker(database, { do: handler }, async () => {
        await eventually("all ran", async () => ran.length >= 300);
      });
    });
    assert.deepEqual(ran.toSorted(), ids.toSorted());
  });
});

describe("a claimed job", () => {
  test("is claimed by one of many nodes", async () => {
    const database = await cloneDatabase();
    try {
      await fill(database, { kind: "do", merchantId: "mer_a", count: 50, last: NOW });
      const jobs = await database.rows<{ id: number; merchantId: string }>(
        'select id::int, merchant_id as "merchantId" from jobs',
      );
      await withWorker(database, {}, async (ctx) => {
        const lease = later(NOW, 60_000);
        const claims = await Promise.all(
          Array.from({ length: 10 }, () => claimJobs(ctx.db, jobs, NOW, lease)),
        );
        assert.equal(claims.flat().length, 50);
        assert.deepEqual(await claimJobs(ctx.db, jobs, later(lease, -1), lease), []);
      });
    } finally {
      await database.drop();
    }
  });
});
