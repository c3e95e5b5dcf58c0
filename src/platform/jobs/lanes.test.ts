import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onceWithin } from "../../../tests/support/once-within.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { insertMany, job, jobsIn, NOW, withWorker } from "../../../tests/support/timed-work.ts";
import { later } from "../../kernel/time.ts";
import type { JobHandler } from "./job.ts";
import { createLanes } from "./lanes.ts";
import { claimJobs, insertJob, type Job, listDue } from "./queries.ts";
import { startWorker } from "./worker.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());
const jobs = () => jobsIn(database);

describe("timed work that takes long", () => {
  test("that waits for an outside system holds up no other job", async () => {
    const bank = Promise.withResolvers<void>();
    const done: string[] = [];
    const handler: JobHandler = async (_, { subjectId }) => {
      if (subjectId.startsWith("waits")) await bank.promise;
      done.push(subjectId);
      return undefined;
    };
    await withWorker(database, { do: handler }, async (ctx) => {
      // More than begin at once, so that without a lane given up nothing would move.
      for (let index = 0; index < 20; index += 1) await insertJob(ctx.db, job(`waits-${index}`), NOW);
      await eventually("all wait", async () => (await jobs()).every(({ tries }) => tries === 1));
      await insertJob(ctx.db, job("quick"), NOW);
      await eventually("the quick one is done", async () => done.length === 1);
      assert.deepEqual(done, ["quick"]);
      bank.resolve();
      await eventually("all are done", async () => (await jobs()).length === 0);
      assert.equal(done.length, 21);
    });
  });

  test("gives its lane up sooner when it waits for a bank than when it works", async () => {
    const begin = async (isBankCalled: boolean) => {
      const over = Promise.withResolvers<void>();
      const begun: number[] = [];
      const run = async (_: Job, onOutsideCall: () => void) => {
        begun.push(performance.now());
        if (isBankCalled) onOutsideCall();
        await over.promise;
      };
      const lanes = createLanes(run, () => {});
      lanes.add(Array.from({ length: 64 }, (_, id) => ({ ...job(`s-${id}`), id, tries: 1 })));
      await eventually("all have begun", async () => begun.length === 64);
      // Eight at a time: seven turns of 25 ms, or of 250 ms.
      const tookMs = Math.round((begun.at(-1) ?? 0) - (begun[0] ?? 0));
      over.resolve();
      await lanes.empty();
      return { tookMs };
    };
    await onceWithin(1_500, 10, () => begin(true));
    const { tookMs } = await begin(false);
    assert.ok(tookMs >= 1_500, `${tookMs} ms`);
  });

  test("of one kind and merchant runs 32 at a time, while other kinds and other merchants go on", async () => {
    const bank = Promise.withResolvers<void>();
    let underWay = 0;
    const done: string[] = [];
    const handlers: Readonly<Record<string, JobHandler>> = {
      long: async () => {
        underWay += 1;
        await bank.promise;
        return undefined;
      },
      do: async (_, { subjectId }) => {
        done.push(subjectId);
        return undefined;
      },
    };
    await withWorker(database, handlers, async (ctx) => {
      await insertMany(database, "long", 40);
      await eventually("as many as may be are under way", async () => underWay === 32);
      await insertJob(ctx.db, job("quick"), NOW);
      await eventually("the quick one is done", async () => done.length === 1);
      assert.equal(underWay, 32);
      await insertJob(ctx.db, job("other", "long", "mer_b"), later(NOW, -1));
      await eventually("another merchant's job of the same kind runs", async () => underWay === 33);
      assert.equal((await jobs()).filter(({ tries }) => tries === 0).length, 8);
      bank.resolve();
      await eventually("all are done", async () => (await jobs()).length === 0);
      assert.equal(underWay, 41);
    });
  });

  test("for longer than its lease runs once, on one node and on two, and its next run stays on record", async () => {
    const bank = Promise.withResolvers<void>();
    const begun: string[] = [];
    const slow: JobHandler = async (_, { subjectId, tries }) => {
      begun.push(subjectId);
      await bank.promise;
      return subjectId === "again" ? { retry: "not yet" } : tries === 1 ? later(NOW, 3_600_000) : undefined;
    };
    await withWorker(database, { do: slow }, async (ctx, move) => {
      const other = startWorker(ctx, [{ kind: "do", run: slow }], []);
      try {
        await insertJob(ctx.db, job("later"), NOW);
        await insertJob(ctx.db, job("again"), NOW);
        await eventually("both have begun", async () => begun.length === 2);
        for (let passed = 30_000; passed <= 240_000; passed += 30_000) {
          move(30_000);
          await eventually("the leases are renewed", async () =>
            (await jobs()).every(({ due }) => due === NOW + passed + 45_000),
          );
        }
        assert.deepEqual(
          (await jobs()).map(({ tries }) => tries),
          [1, 1],
        );
        bank.resolve();
        await eventually("the next runs are on record", async () => {
          const due = (await jobs()).map((one) => one.due - NOW);
          return due[0] === 3_600_000 && due[1] === 242_000;
        });
        assert.deepEqual(begun.toSorted(), ["again", "later"]);
      } finally {
        bank.resolve();
        await other.stop();
      }
    });
  });

  test("is not claimed again by its own node, which stalled for longer than the lease", async () => {
    const bank = Promise.withResolvers<void>();
    let begun = 0;
    const slow: JobHandler = async () => {
      begun += 1;
      await bank.promise;
      return undefined;
    };
    await withWorker(database, { do: slow }, async (ctx, move) => {
      await insertJob(ctx.db, job("slow"), NOW);
      await eventually("it has begun", async () => begun === 1);
      move(61_000);
      try {
        await eventually("the worker went on", async () => (await jobs())[0]?.due === NOW + 106_000);
        assert.deepEqual([begun, (await jobs())[0]?.tries], [1, 1]);
      } finally {
        bank.resolve();
      }
    });
  });

  test("of a node that died runs on another once the lease is over, and not before", async () => {
    const done: string[] = [];
    const handler: JobHandler = async (_, { subjectId }) => {
      done.push(subjectId);
      return undefined;
    };
    await withWorker(database, { do: handler }, async (ctx, move) => {
      await insertJob(ctx.db, job("dead"), later(NOW, 1));
      const [dead] = await listDue(ctx.db, later(NOW, 1), ["do"], 1);
      assert.ok(dead);
      await claimJobs(ctx.db, [dead], later(NOW, 1), later(NOW, 60_000));
      move(59_999);
      await insertJob(ctx.db, job("other"), NOW);
      await eventually("the worker looked", async () => done.length === 1);
      assert.deepEqual(done, ["other"]);
      move(1);
      await eventually("it is taken over", async () => done.length === 2);
    });
  });

  test("claimed but not begun when the worker stops is given back at once", async () => {
    let stopping: Promise<void> | undefined;
    let begun = 0;
    await insertMany(database, "do", 12);
    await inContext(
      database,
      async (ctx) => {
        const stopAtOnce: JobHandler = async () => {
          begun += 1;
          stopping ??= worker.stop();
          return undefined;
        };
        const worker = startWorker(ctx, [{ kind: "do", run: stopAtOnce }], []);
        await eventually("the first one has begun", async () => begun > 0);
        await stopping;
        assert.equal(begun, 1);
        const left = await jobs();
        assert.equal(left.length, 11);
        assert.ok(left.every(({ due, tries }) => due === NOW && tries === 0));
        await database.rows("delete from jobs");
      },
      { now: () => NOW },
    );
  });

  test("in hand when the worker stops is finished first", async () => {
    let finish: () => void = () => {};
    let finished = false;
    const slow: JobHandler = async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      finished = true;
      return undefined;
    };
    await inContext(
      database,
      async (ctx) => {
        const worker = startWorker(ctx, [{ kind: "do", run: slow }], []);
        await insertJob(ctx.db, job("slow"), NOW);
        await eventually("it has begun", async () => (await jobs())[0]?.tries === 1);
        const stopped = worker.stop();
        finish();
        await stopped;
        assert.equal(finished, true);
        assert.deepEqual(await jobs(), []);
      },
      { now: () => NOW },
    );
  });
});
