import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { NOW } from "../../../tests/support/timed-work.ts";
import { later } from "../../kernel/time.ts";
import type { Tx } from "../db/database.ts";
import { gatherOne } from "../db/gather.ts";
import { createClaimer } from "./claim.ts";
import type { Job } from "./queries.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());
beforeEach(() => database.rows("delete from jobs"));

const LEASED = later(NOW, 60_000);

/** Due jobs of merchants `<name>_0001`, `<name>_0002` and so on. */
const insertFor = (name: string, merchants: number, each: number, due = NOW) =>
  database.rows(
    `insert into jobs (kind, merchant_id, subject_id, due_at)
     select 'do', $1 || '_' || lpad(m::text, 4, '0'), 's-' || n, $2
     from generate_series(1, $3) m, generate_series(1, $4) n`,
    [name, new Date(due), merchants, each],
  );

/** Claimed jobs that never end. */
function createEndless() {
  const jobs: Job[] = [];
  return {
    add: (claimed: readonly Job[]) => jobs.push(...claimed),
    total: () => jobs.length,
    ofMerchant: (kind: string, merchantId: string) =>
      jobs.filter((one) => one.kind === kind && one.merchantId === merchantId).length,
  };
}

describe("a claim", () => {
  test("leaves room beside 40 and beside 400 merchants whose jobs never end", async () => {
    for (const silent of [40, 400]) {
      await database.rows("delete from jobs");
      await insertFor("mer_silent", silent, 60, later(NOW, -1_000));
      await inContext(database, async ({ db }) => {
        const endless = createEndless();
        const claim = createClaimer(["do"], endless);
        const claimNext = async () => {
          const { jobs } = await claim(db, NOW, LEASED);
          endless.add(jobs);
          return jobs;
        };
        let empty = 0;
        while (empty < 4) empty = (await claimNext()).length === 0 ? empty + 1 : 0;
        assert.ok(endless.total() > 800 && endless.total() < 1_020, `${endless.total()} in flight`);
        await insertFor("mer_well", 4, 1);
        const seen = new Set<string>();
        for (let turn = 0; turn < 4; turn += 1)
          for (const { merchantId } of await claimNext()) seen.add(merchantId);
        const well = [...seen].filter((merchantId) => merchantId.startsWith("mer_well"));
        assert.equal(well.length, 4, `beside ${silent} merchants`);
      });
    }
  });

  test("is quick in a table that was empty when it was last analysed", async () => {
    await database.rows("alter table jobs set (autovacuum_enabled = off)");
    await insertFor("mer_earlier", 40, 100);
    await database.rows("delete from jobs");
    await database.rows("analyze jobs");
    const [known] = await database.rows<{ rows: number; pages: number }>(
      "select reltuples as rows, relpages as pages from pg_class where relname = 'jobs'",
    );
    assert.deepEqual(
      [known?.rows, (known?.pages ?? 0) > 0],
      [0, true],
      "control: it is believed to be empty",
    );
    await insertFor("mer_now", 100, 100);
    await inContext(database, async ({ db }) => {
      const claim = createClaimer(["do"], { total: () => 0, ofMerchant: () => 0 });
      const from = performance.now();
      assert.ok((await claim(db, NOW, LEASED)).jobs.length > 0);
      assert.ok(performance.now() - from < 5_000);
    });
    await database.rows("alter table jobs reset (autovacuum_enabled)");
  });

  test("with room for two reaches every merchant in turn", async () => {
    await insertFor("mer_busy", 1, 200, later(NOW, -1_000));
    await insertFor("mer_small", 10, 1);
    await inContext(database, async ({ db }) => {
      const claim = createClaimer(["do"], { total: () => 1_022, ofMerchant: () => 0 });
      const seen = new Set<string>();
      for (let turn = 0; turn < 20; turn += 1)
        for (const { merchantId } of (await claim(db, NOW, LEASED)).jobs) seen.add(merchantId);
      assert.equal(seen.size, 11);
    });
  });

  test("without room reads nothing, and with room for one it reads", async () => {
    let statements = 0;
    const rows = async () => {
      statements += 1;
      return [];
    };
    const tx: Tx = { rows, gather: gatherOne(rows) };
    await createClaimer(["do"], { total: () => 1_024, ofMerchant: () => 0 })(tx, NOW, LEASED);
    assert.equal(statements, 0);
    await createClaimer(["do"], { total: () => 1_023, ofMerchant: () => 0 })(tx, NOW, LEASED);
    assert.ok(statements > 0);
  });
});
