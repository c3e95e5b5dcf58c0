import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { insertMany, job, jobsIn, NOW, withWorker } from "../../../tests/support/timed-work.ts";
import { later } from "../../kernel/time.ts";
import type { JobHandler } from "./job.ts";
import { insertJob } from "./queries.ts";
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
