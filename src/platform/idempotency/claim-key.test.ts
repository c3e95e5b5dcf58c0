import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cloneDatabase, type TestDatabase } from "../../../tests/support/database.ts";
import { inContext } from "../../../tests/support/operator.ts";
import { Refusal } from "../../kernel/refusal.ts";
import type { Tx } from "../db/database.ts";
import { claimKey } from "./claim-key.ts";

let database: TestDatabase;
before(async () => {
  database = await cloneDatabase();
});
after(() => database.drop());

const holder = (key: string | undefined, merchantId = "mer_a") => ({
  merchantId,
  requestId: "req",
  idempotencyKey: key,
});
const made = { id: "pr_x", path: "/paymentrequests/pr_x" };
const claim = (key: string | undefined, merchantId?: string) => (tx: Tx) =>
  claimKey(tx, holder(key, merchantId), made);

describe("an idempotency key", () => {
  test("is used up by a transaction that commits", () =>
    inContext(database, async ({ db }) => {
      await db.transaction(claim("used"));
      await assert.rejects(db.transaction(claim("used")), (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.status, 409);
        assert.deepEqual(error.original, {
          requestId: "req",
          status: "done",
          id: made.id,
          location: made.path,
        });
        return true;
      });
      await db.transaction(claim("used", "mer_b"));
    }));

  test("is free again after one that does not", () =>
    inContext(database, async ({ db }) => {
      await assert.rejects(
        db.transaction(async (tx) => {
          await claim("freed")(tx);
          throw new Error("x");
        }),
      );
      await db.transaction(claim("freed"));
    }));

  test("of two at once, one takes the key; the other waits and is then refused as a repeat", () =>
    inContext(database, async ({ db }) => {
      const both = await Promise.allSettled([db.transaction(claim("both")), db.transaction(claim("both"))]);
      assert.deepEqual(both.map((one) => one.status).sort(), ["fulfilled", "rejected"]);
    }));

  test("that was not given is no key", () =>
    inContext(database, async ({ db }) => {
      const before = await database.rows("select 1 from idempotency_keys");
      await db.transaction(claim(undefined));
      await db.transaction(claim(undefined));
      assert.equal((await database.rows("select 1 from idempotency_keys")).length, before.length);
    }));
});
