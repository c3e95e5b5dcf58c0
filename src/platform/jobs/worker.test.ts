import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { job, jobsIn, NOW, withWorker } from "../../../tests/support/timed-work.ts";
import { later } from "../../kernel/time.ts";
import { readJobHealth } from "./health/queries.ts";
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
        await insertJob(ctx.db, job("later-written"), NOW);
        wake();
        // So the worker has claimed what is due at this time.
        await eventually("the one written since is gone", async () =>
          (await jobs()).every(({ subject_id }) => subject_id !== "later-written"),
        );
        assert.deepEqual(done, ["due", "later-written"]);
        move(1);
        await eventually("the late one is done", async () => (await jobs()).length === 0);
        assert.deepEqual(done, ["due", "later-written", "late"]);
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

  test("that keeps failing waits for 45 seconds at most, and needs attention after 20 runs", async () => {
    let attempts = 0;
    const failing: JobHandler = async () => {
      attempts += 1;
      if (attempts % 2 === 0) throw new TypeError("a secret that must not be stored");
      return { retry: "the bank's answer is not known" };
    };
    type Marked = { readonly marked: boolean; readonly problem: string | null };
    const marked = () =>
      database.rows<Marked>("select needs_attention_at is not null as marked, problem from jobs");
    await withWorker(database, { do: failing }, async (ctx, move) => {
      await insertJob(ctx.db, job("stubborn"), later(NOW, 1_000));
      await database.rows("update jobs set tries = 18, due_at = due_at - interval '1 second'");
      // While it runs, its lease is due then, too.
      await eventually("it ran", async () => (await marked())[0]?.problem !== null);
      assert.equal((await jobs())[0]?.due, NOW + 45_000);
      assert.deepEqual(await marked(), [{ marked: false, problem: "the bank's answer is not known" }]);
      move(45_000);
      await eventually("it is marked", async () => (await jobs())[0]?.due === NOW + 45_000 + 15 * 60_000);
      assert.deepEqual(await marked(), [{ marked: true, problem: "failed: TypeError, see the log" }]);
      assert.deepEqual(await readJobHealth(ctx.db, later(NOW, 60_000)), {
        overdue: { count: 0, oldestSeconds: 0 },
        failing: 1,
        failingByKind: new Map([["do", 1]]),
        needingAttention: 1,
      });
    });
  });

  test("that succeeds after all is marked no longer", async () => {
    const runs: string[] = [];
    const patient: JobHandler = async () => {
      runs.push("run");
      return runs.length === 1 ? { retry: "not yet" } : later(NOW, 600_000);
    };
    await withWorker(database, { do: patient }, async (ctx, move) => {
      await insertJob(ctx.db, job("patient"), later(NOW, 1_000));
      await database.rows("update jobs set tries = 30, due_at = due_at - interval '1 second'");
      await eventually("it needs attention", async () => {
        return (await database.rows("select from jobs where needs_attention_at is not null")).length === 1;
      });
      move(15 * 60_000);
      await eventually("it ran again", async () => runs.length === 2);
      await eventually("the mark is gone", async () => {
        const [row] = await database.rows<{ tries: number; problem: string | null }>(
          "select tries, problem from jobs where needs_attention_at is null",
        );
        return row?.tries === 0 && row.problem === null;
      });
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
    await withWorker(database, { known: async () => undefined }, async (ctx) => {
      await insertJob(ctx.db, job("of-tomorrow", "unknown"), NOW);
      await insertJob(ctx.db, job("of-today", "known"), NOW);
      await eventually("the known one is done", async () => (await jobs()).length === 1);
      const [left] = await jobs();
      assert.deepEqual([left?.subject_id, left?.tries, left?.due], ["of-tomorrow", 0, NOW]);
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
  test("run at the start, and then every so often, not before", async () => {
    let runs = 0;
    let looks = 0;
    const chore: Chore = {
      name: "sweep",
      everyMs: 10_000,
      run: async () => {
        runs += 1;
        return "done";
      },
    };
    // It runs whenever it looks at the clock, and both loops look equally often: after two of its runs the other has looked.
    const witness: Chore = {
      name: "look",
      everyMs: 0,
      run: async () => {
        looks += 1;
        return "done";
      },
    };
    await withWorker(
      database,
      {},
      async (_, move) => {
        await eventually("it ran", async () => runs === 1);
        move(9_999);
        const looksBefore = looks;
        await eventually("the loops looked at the clock", async () => looks >= looksBefore + 2);
        assert.equal(runs, 1);
        move(1);
        await eventually("it ran again", async () => runs === 2);
      },
      [chore, witness],
    );
  });

  test("with more to do run again at once", async () => {
    let runs = 0;
    const chore: Chore = {
      name: "sweep",
      everyMs: 10_000,
      run: async () => {
        runs += 1;
        return runs < 3 ? "more" : "done";
      },
    };
    await withWorker(
      database,
      {},
      async () => {
        await eventually("all is done", async () => runs === 3);
      },
      [chore],
    );
    assert.equal(runs, 3);
  });

  test("that take long delay neither jobs nor other chores", async () => {
    const slow = Promise.withResolvers<"done">();
    const done: string[] = [];
    const chores: readonly Chore[] = [
      { name: "slow", everyMs: 1_000, run: () => slow.promise },
      {
        name: "quick",
        everyMs: 1_000,
        run: async () => {
          done.push("chore");
          return "done";
        },
      },
    ];
    const handler: JobHandler = async () => {
      done.push("job");
      return undefined;
    };
    await withWorker(
      database,
      { do: handler },
      async (ctx) => {
        await insertJob(ctx.db, job("a"), NOW);
        await eventually("both are done", async () => done.includes("job") && done.includes("chore"));
        slow.resolve("done");
      },
      chores,
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
