import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openDatabaseClock } from "./database-clock.ts";

/** A database whose clock and delays the test sets, and the uptime of a process that asks it. */
function simulate(databaseAhead: number, delays: readonly (readonly [way: number, back: number])[]) {
  const state = { uptime: 5_000, databaseAhead };
  const left = [...delays];
  return {
    state,
    uptime: () => state.uptime,
    db: {
      rows: async <Row>() => {
        const [way, back] = left.shift() ?? [0, 0];
        state.uptime += way;
        const now = state.uptime + state.databaseAhead;
        state.uptime += back;
        return [{ now }] as Row[];
      },
    },
  };
}

describe("the time of a node", () => {
  test("is the database's, and goes on with the process", async () => {
    const { db, state, uptime } = simulate(1_700_000_000_000, []);
    const clock = await openDatabaseClock(db, uptime);
    assert.equal(clock.now(), 1_700_000_005_000);
    state.uptime += 250.7;
    assert.equal(clock.now(), 1_700_000_005_250);
  });

  test("is set by the quickest of the first answers", async () => {
    const { db, state, uptime } = simulate(1_000_000, [
      [4_000, 0],
      [0, 3_000],
      [1, 1],
    ]);
    const clock = await openDatabaseClock(db, uptime);
    assert.ok(Math.abs(clock.now() - (1_000_000 + state.uptime)) <= 2);
  });

  test("follows the database after a failover to a machine with another time", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { db, state, uptime } = simulate(1_000_000, []);
    const clock = await openDatabaseClock(db, uptime);
    clock.start();
    state.databaseAhead += 3_600_000;
    const before = clock.now();
    context.mock.timers.tick(10_000);
    await clock.stop();
    assert.equal(clock.now() - before, 3_600_000);
  });

  test("goes on while the database is away", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { db, state, uptime } = simulate(1_000_000, []);
    let isAway = false;
    const rows: typeof db.rows = async () => {
      if (isAway) throw new Error("away");
      return db.rows();
    };
    const clock = await openDatabaseClock({ rows }, uptime);
    clock.start();
    isAway = true;
    context.mock.timers.tick(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    isAway = false;
    state.uptime += 20_000;
    state.databaseAhead += 500;
    context.mock.timers.tick(10_000);
    await clock.stop();
    assert.equal(clock.now(), 1_000_000 + 25_000 + 500);
  });
});
