import assert from "node:assert/strict";
import { test } from "node:test";
import { addUpTotals } from "../../../src/dashboard/overview/hours/add-up-totals.ts";
import { cloneDatabase } from "../../support/database.ts";
import { inContext, makeMerchant } from "../../support/operator.ts";

test("hours that can't be added up for one merchant are added up for the others, and the failure is reported", async () => {
  const database = await cloneDatabase();
  try {
    for (let merchant = 0; merchant < 3; merchant += 1) await makeMerchant(database, "sandbox", "AU");
    await inContext(database, async (ctx) => {
      let calls = 0;
      const transaction: typeof ctx.db.transaction = (work) => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error("too many rows")) : ctx.db.transaction(work);
      };
      await assert.rejects(addUpTotals({ ...ctx, db: { ...ctx.db, transaction } }, 0), /too many rows/);
      assert.equal(calls, 3);
      const kept = await database.rows("select from payment_hours_kept");
      assert.equal(kept.length, 2);
    });
  } finally {
    await database.drop();
  }
});
