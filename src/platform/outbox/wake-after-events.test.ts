import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Database, Statement } from "../db/database.ts";
import { listStatements } from "../db/statement.ts";
import { wakeAfterEvents } from "./wake-after-events.ts";

const SRC = join(import.meta.dirname, "../..");

/** Every statement that a file of `src` declares. */
async function declaredStatements(): Promise<readonly Statement[]> {
  const files = globSync("**/*.ts", { cwd: SRC })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => join(SRC, path))
    .filter((path) => /\b(?:sql|withInsert)\(/.test(readFileSync(path, "utf8")));
  for (const path of files) await import(path);
  return listStatements();
}

describe("a statement that makes deliveries due wakes the deliverer", () => {
  test("every statement that writes events or makes deliveries due carries the flag, and no other does", async () => {
    const statements = await declaredStatements();
    assert.ok(statements.length > 200, `found ${statements.length} statements`);
    const makesDue = /insert into events\b|insert into deliveries\b|update deliveries set due_at = \(?due_at/;
    const names = (some: readonly Statement[]) => [...new Set(some.map(({ name }) => name))].sort();
    const flagged = names(statements.filter(({ emitsEvent }) => emitsEvent));
    assert.deepEqual(flagged, names(statements.filter(({ text }) => makesDue.test(text))));
    for (const name of ["event_insert", "payment_request_insert", "transaction_insert_with_job"]) {
      assert.ok(flagged.includes(name), name);
    }
  });

  const EVENT = { name: "event", text: "", emitsEvent: true };
  const OTHER = { name: "other", text: "", emitsEvent: false };
  const watch = () => {
    const seen: string[] = [];
    const inner: Database = {
      rows: async ({ name }) => {
        seen.push(name);
        return [];
      },
      gather: async ({ name }) => {
        seen.push(name);
        return undefined;
      },
      transaction: async (work) => {
        const result = await work(inner);
        seen.push("commit");
        return result;
      },
      snapshot: (work) => work(inner),
      close: async () => {},
      load: () => ({ total: 0, idle: 0, waiting: 0 }),
    };
    return { seen, db: wakeAfterEvents(inner, () => seen.push("wake")) };
  };

  test("after the statement where it runs alone, after the commit where it runs in a transaction", async () => {
    const { seen, db } = watch();
    await db.rows(EVENT, []);
    await db.gather(EVENT, []);
    await db.transaction(async (tx) => {
      await tx.rows(EVENT, []);
      await tx.rows(OTHER, []);
    });
    await db.transaction((tx) => tx.gather(EVENT, []));
    assert.deepEqual(seen, [
      ...["event", "wake", "event", "wake"],
      ...["event", "other", "commit", "wake", "event", "commit", "wake"],
    ]);
  });

  test("statements without the flag, and transactions that roll back, wake nothing", async () => {
    const { seen, db } = watch();
    await db.rows(OTHER, []);
    await db.transaction((tx) => tx.rows(OTHER, []));
    const failing = db.transaction(async (tx) => {
      await tx.rows(EVENT, []);
      throw new Error("rolled back");
    });
    await assert.rejects(failing, /rolled back/);
    assert.deepEqual(seen, ["other", "other", "commit", "event"]);
  });
});
