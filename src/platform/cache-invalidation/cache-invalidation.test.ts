import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onceWithin } from "../../../tests/support/once-within.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { allowConnections, refuseConnections } from "../../../tests/support/outage.ts";
import { keepPresence } from "../db/presence.ts";
import { createCacheInvalidation } from "./cache-invalidation.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

describe("what a node remembers", () => {
  test("with other nodes a change waits for two of their polls; on a single node it does not wait", async () => {
    await inContext(database, async ({ db }) => {
      const { spread } = createCacheInvalidation(db, () => {});
      const waited = async () => {
        const began = performance.now();
        await spread();
        return performance.now() - began;
      };
      const isAlone = () => onceWithin(390, 20, async () => ({ tookMs: await waited() }));
      const count = async () => (await database.rows("select from nodes")).length;
      const [one, other] = [createCacheInvalidation(db, () => {}), createCacheInvalidation(db, () => {})];
      one.start();
      await eventually("one node shows itself", async () => (await count()) === 1);
      await isAlone();
      other.start();
      await eventually("the other does", async () => (await count()) === 2);
      assert.ok((await waited()) > 390, "beside another");
      await other.stop();
      await isAlone();
      // A node that was killed counts for ten seconds.
      await database.rows(
        "insert into nodes (name, seen_at) values ('killed', now() - interval '5 seconds')",
      );
      assert.ok((await waited()) > 390, "beside a node that may run");
      await database.rows("update nodes set seen_at = now() - interval '10 seconds' where name = 'killed'");
      await isAlone();
      await one.stop();
    });
  });

  test("a node of a version that shows itself by its session alone counts, too", async () => {
    await inContext(database, async ({ db }) => {
      const { spread } = createCacheInvalidation(db, () => {});
      const nodes = [await keepPresence(database.url, true), await keepPresence(database.url, true)];
      const began = performance.now();
      await spread();
      assert.ok(performance.now() - began > 390);
      for (const node of nodes) await node.close();
    });
  });

  test("is forgotten within a second of a mark by another node, and only that", async () => {
    await inContext(database, async ({ db }) => {
      const [here, there] = [createCacheInvalidation(db, () => {}), createCacheInvalidation(db, () => {})];
      let [shops, others] = [0, 0];
      here.onChange("shops", () => {
        shops += 1;
      });
      here.onChange("others", () => {
        others += 1;
      });
      here.start();
      try {
        let marks = 0;
        const notice = async () => {
          await db.transaction((tx) => there.mark(tx, "shops"));
          marks += 1;
          const begun = Date.now();
          await eventually("it is noticed", async () => shops === marks);
          return { tookMs: Date.now() - begun };
        };
        await onceWithin(1_000, 10, notice);
        await notice();
        assert.equal(others, 0);
      } finally {
        await here.stop();
      }
    });
  });

  test("is not forgotten for a change that was rolled back", async () => {
    await inContext(database, async ({ db }) => {
      const here = createCacheInvalidation(db, () => {});
      const noticed: string[] = [];
      here.onChange("undone", () => {
        noticed.push("undone");
      });
      here.onChange("done", () => {
        noticed.push("done");
      });
      here.start();
      try {
        await assert.rejects(
          db.transaction(async (tx) => {
            await here.mark(tx, "undone");
            throw new Error("x");
          }),
        );
        await db.transaction((tx) => here.mark(tx, "done"));
        await eventually("the committed one is noticed", async () => noticed.includes("done"));
        assert.deepEqual(noticed, ["done"]);
      } finally {
        await here.stop();
      }
    });
  });

  test("is forgotten at once where it was changed", async () => {
    await inContext(database, async ({ db }) => {
      const here = createCacheInvalidation(db, () => {});
      let noticed = 0;
      here.onChange("own", () => {
        noticed += 1;
      });
      here.onChange("own", () => {
        noticed += 1;
      });
      here.forget("own");
      here.forget("unused");
      assert.equal(noticed, 2);
    });
  });

  test("is forgotten after the database was away, for what changed in between", async () => {
    await inContext(database, async ({ db }) => {
      let failures = 0;
      const here = createCacheInvalidation(db, () => {
        failures += 1;
      });
      let noticed = 0;
      here.onChange("meanwhile", () => {
        noticed += 1;
      });
      here.start();
      try {
        await refuseConnections(database);
        await eventually("it notices", async () => failures > 0);
        await allowConnections(database);
        await database.rows("insert into cache_versions (subject, version) values ('meanwhile', 1)");
        await eventually("it is noticed", async () => noticed === 1);
      } finally {
        await here.stop();
      }
    });
  });

  test("a stopped one polls no more", async () => {
    await inContext(database, async ({ db }) => {
      const [stopped, running] = [
        createCacheInvalidation(db, () => {}),
        createCacheInvalidation(db, () => {}),
      ];
      const noticed = { stopped: 0, running: 0 };
      stopped.onChange("stopped", () => {
        noticed.stopped += 1;
      });
      running.onChange("stopped", () => {
        noticed.running += 1;
      });
      const change = async (version: number) => {
        await database.rows(
          "insert into cache_versions (subject, version) values ('stopped', $1) on conflict (subject) do update set version = $1",
          [version],
        );
        await eventually("the other one notices", async () => noticed.running === version);
      };
      stopped.start();
      running.start();
      try {
        await change(1);
        await eventually("so does this one", async () => noticed.stopped === 1);
        await stopped.stop();
        // Both poll at the same interval: of two changes in a row, a running one would have noticed the first.
        await change(2);
        await change(3);
        assert.equal(noticed.stopped, 1);
      } finally {
        await running.stop();
      }
    });
  });
});
