import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { job, jobsIn, NOW, withWorker } from "../../../tests/support/timed-work.ts";
import { later } from "../../kernel/time.ts";
import type { Chore, JobHandler } from "./job.ts";
import { insertJob } from "./queries.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());
const jobs = () => jobsIn(database);

describe("timed work", () => {
  test("is done once it is due, not before, and is then forgotten", async () => {
    const done: string[] = [];
    await withWorker(
      database,
      {
        do: async (_, { subjectId }) => {
          done.push(subjectId);
          return undefined;
        },
      },
      async (ctx, move, wake) => {
        await insertJob(ctx.db, job("late"), later(NOW, 1_000));
        await insertJob(ctx.db, job("due"), NOW);
        await eventually(
          "the due one is done",
          async () => done.includes("due") && (await jobs()).length === 1,
        );
        assert.deepEqual(done, ["due"]);
        move(999);
        wake();
        await eventually("the worker looked", async () => (await jobs()).length === 1);
        assert.deepEqual(done, ["due"]);
        move(1);
        await eventually("the late one is done", async () => (await jobs()).length === 0);
        assert.deepEqual(done, ["due", "late"]);
      },
    );
  });

  test("that fails comes back later each time, and works in the end", async () => {
    let attempts = 0;
    const failing: JobHandler = async () => {
      attempts += 1;
      if (attempts <= 5) throw new Error("not today");
      return undefined;
    };
    await withWorker(database, { do: failing }, async (ctx, move) => {
      await insertJob(ctx.db, job("stubborn"), NOW);
      let at: number = NOW;
      for (const [index, wait] of [2_000, 4_000, 8_000, 16_000, 32_000].entries()) {
        await eventually(`it is put off by ${wait} ms`, async () => {
          const [row] = await jobs();
          return attempts === index + 1 && row?.tries === index + 1 && row.due === at + wait;
        });
        move(wait);
        at += wait;
      }
      await eventually("it is done", async () => (await jobs()).length === 0);
      assert.equal(attempts, 6);
    });
  });

  test("that has failed a hundred times still comes back within a minute", async () => {
    let attempts = 0;
    const failing: JobHandler = async () => {
      attempts += 1;
      throw new Error("never");
    };
    await withWorker(database, { do: failing }, async (ctx) => {
      await insertJob(ctx.db, job("hopeless"), later(NOW, 1_000));
      await database.rows("update jobs set tries = 100, due_at = due_at - interval '1 second'");
      await eventually("it was tried", async () => attempts === 1);
      assert.equal((await jobs())[0]?.due, NOW + 60_000);
    });
  });

  test("can say when to come back, and is not counted as failed", async () => {
    const seen: number[] = [];
    const early: JobHandler = async (_, { tries }) => {
      seen.push(tries);
      return seen.length < 3 ? later(NOW, seen.length * 10_000) : undefined;
    };
    await withWorker(database, { do: early }, async (ctx, move) => {
      await insertJob(ctx.db, job("patient"), NOW);
      for (let round = 1; round <= 2; round += 1) {
        await eventually("it is put off", async () => (await jobs())[0]?.due === NOW + round * 10_000);
        move(10_000);
      }
      await eventually("it is done", async () => (await jobs()).length === 0);
      assert.deepEqual(seen, [1, 1, 1]);
    });
  });

  test("of a kind that this version does not know stays for one that does", async () => {
    await withWorker(database, {}, async (ctx) => {
      await insertJob(ctx.db, job("of-tomorrow", "unknown"), NOW);
      await eventually(
        "it was tried",
        async () => (await jobs())[0]?.tries === 1 && (await jobs())[0]?.due === NOW + 2_000,
      );
    });
    const done: string[] = [];
    await withWorker(
      database,
      {
        unknown: async (_, { subjectId }) => {
          done.push(subjectId);
          return undefined;
        },
      },
      async (ctx) => {
        await insertJob(ctx.db, job("of-tomorrow", "unknown"), NOW);
        await eventually("it is done", async () => done.length === 1);
      },
    );
  });

  test("that fails holds up no other job", async () => {
    const done = new Set<string>();
    const handler: JobHandler = async (_, { subjectId }) => {
      if (subjectId.startsWith("bad")) throw new Error("no");
      done.add(subjectId);
      return undefined;
    };
    await withWorker(database, { do: handler }, async (ctx) => {
      for (let index = 0; index < 70; index += 1) await insertJob(ctx.db, job(`bad-${index}`), NOW);
      for (let index = 0; index < 70; index += 1)
        await insertJob(ctx.db, job(`good-${index}`), later(NOW, -1));
      await eventually("all good ones are done", async () => done.size === 70);
      await eventually("the bad ones are kept", async () => (await jobs()).length === 70);
    });
  });
});

describe("chores", () => {
  test("run at the start, and then every so often", async () => {
    let runs = 0;
    const chore: Chore = {
      name: "sweep",
      everyMs: 10_000,
      run: async () => {
        runs += 1;
        return "done";
      },
    };
    await withWorker(
      database,
      {},
      async (_, move) => {
        await eventually("it ran", async () => runs === 1);
        move(9_999);
        move(1);
        await eventually("it ran again", async () => runs === 2);
      },
      [chore],
    );
  });

  test("with more to do are called again at once, but jobs that are due come between", async () => {
    const order: string[] = [];
    const chore: Chore = {
      name: "sweep",
      everyMs: 10_000,
      run: async (ctx) => {
        order.push("chore");
        if (order.length === 1) await insertJob(ctx.db, job("between"), NOW);
        return order.filter((one) => one === "chore").length < 3 ? "more" : "done";
      },
    };
    await withWorker(
      database,
      {
        do: async () => {
          order.push("job");
          return undefined;
        },
      },
      async () => {
        await eventually("all is done", async () => order.length === 4);
        assert.deepEqual(order, ["chore", "job", "chore", "chore"]);
      },
      [chore],
    );
  });

  test("that fail do not stop the jobs", async () => {
    const done: string[] = [];
    const chore: Chore = {
      name: "broken",
      everyMs: 0,
      run: async () => {
        throw new Error("no");
      },
    };
    await withWorker(
      database,
      {
        do: async (_, { subjectId }) => {
          done.push(subjectId);
          return undefined;
        },
      },
      async (ctx) => {
        await insertJob(ctx.db, job("a"), NOW);
        await eventually("it is done", async () => done.length === 1);
        await insertJob(ctx.db, job("b"), NOW);
        await eventually("it is done", async () => done.length === 2);
      },
      [chore],
    );
  });
});
