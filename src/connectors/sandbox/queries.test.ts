import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { type Database, openDatabase } from "../../platform/db/database.ts";
import { openLedger } from "./queries.ts";

const LINE = {
  kind: "authorisation",
  reference: "txn_1",
  belongsTo: "pr_1",
  amount: 3000,
  facts: { code: "A02000" },
};

describe("the simulators' ledgers are append-only", () => {
  let place: TestDatabase;
  let db: Database;
  before(async () => {
    place = await cloneDatabase();
    db = openDatabase({ url: place.url, poolSize: 8, preparedStatements: true, onIdleError: () => {} });
  });
  after(async () => {
    await db.close();
    await place.drop();
  });

  test("the first entry of a kind with a reference counts, even when twenty arrive at once", async () => {
    const ledger = openLedger(db, "race");
    const lines = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => ledger.addOnce({ ...LINE, amount: nth + 1 })),
    );
    assert.equal(new Set(lines.map((line) => line.amount)).size, 1);
    assert.deepEqual(await ledger.find("authorisation", "txn_1"), lines[0]);
    assert.equal((await ledger.listBelongingTo("pr_1")).length, 1);
  });

  test("another kind, another reference and another ledger are other entries", async () => {
    const [ledger, other] = [openLedger(db, "one"), openLedger(db, "two")];
    await ledger.addOnce(LINE);
    await ledger.addOnce({ ...LINE, kind: "capture", amount: 1 });
    await ledger.addOnce({ ...LINE, reference: "txn_2", amount: 2, facts: {} });
    assert.equal(await other.find("authorisation", "txn_1"), undefined);
    assert.deepEqual(await other.listBelongingTo("pr_1"), []);
    assert.deepEqual(
      (await ledger.listBelongingTo("pr_1")).map((line) => line.amount),
      [3000, 1, 2],
    );
    assert.deepEqual(await ledger.find("authorisation", "txn_1"), LINE);
  });
});
