import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { type Id, newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { verifyAudit } from "../../src/platform/audit/verify-audit.ts";
import type { Context } from "../../src/platform/context.ts";
import { sql } from "../../src/platform/db/database.ts";
import { SecretUnreadable } from "../../src/platform/vault/errors.ts";
import { openVault } from "../../src/platform/vault/open-vault.ts";
import type { SecretPlace } from "../../src/platform/vault/queries.ts";
import { rotateKeys } from "../../src/platform/vault/rotation/rotate-keys.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { inContext, makeMerchant } from "../support/operator.ts";
import { gate, watchContext } from "../support/watched-context.ts";

const USE = { purpose: "charge", subjectId: "txn_1" } as const;

let database: TestDatabase;
let merchants: readonly Id<"merchant">[];
const databases: TestDatabase[] = [];
beforeEach(async () => {
  database = await cloneDatabase();
  databases.push(database);
  const made = [];
  for (let index = 0; index < 3; index += 1) made.push(await makeMerchant(database, "sandbox", "AU"));
  merchants = made.map(({ id }) => id as Id<"merchant">);
  await inContext(database, (ctx) => openVault(ctx.db, ctx.vaultKeys, ctx.now));
});
after(() => Promise.all(databases.map((one) => one.drop())));

type Kept = { readonly place: SecretPlace; readonly number: string };

let count = 0;
function another(merchantId = merchants[count % merchants.length] as Id<"merchant">): Kept {
  count += 1;
  const instrumentId = newId("paymentInstrument", instant(Date.now()));
  const number = String(4_000_000_000_000_000 + count);
  return { place: { merchantId, instrumentId, field: "card_number" }, number };
}

async function keep(ctx: Context, kept: Kept): Promise<Kept> {
  await ctx.vault.prepare(ctx.db, kept.place.merchantId);
  await ctx.db.transaction((tx) => ctx.vault.keep(tx, kept.place, kept.number));
  return kept;
}

const read = (ctx: Context, { place }: Kept) => ctx.vault.use(ctx.db, place, USE, async (text) => text);

const same = (ctx: Context, { place, number }: Kept) =>
  ctx.vault.findSame(ctx.db, place.merchantId, "card_number", number);

const keysNow = () =>
  database.rows<{ id: string }>(
    "select id from vault_keys where merchant_id is not null and destroyed_at is null",
  );

const WAITING = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%for update'`;

/** Rows under keys that are outgoing or destroyed. */
const leftBehind = () =>
  database.rows(
    `select s.instrument_id from vault_secrets s join vault_keys d on d.id = s.key_id
     join vault_keys f on f.id = s.fingerprint_key_id where d.outgoing_at is not null or f.outgoing_at is not null`,
  );

async function assertAllOnNewKeys(old: readonly { id: string }[]): Promise<void> {
  const ids = old.map(({ id }) => id);
  assert.deepEqual(await leftBehind(), []);
  const rows = await database.rows<{ wrapped: Buffer | null }>(
    "select wrapped from vault_keys where id = any($1)",
    [ids],
  );
  assert.equal(rows.length, ids.length);
  for (const { wrapped } of rows) assert.equal(wrapped, null);
  const twins = await database.rows(
    "select from vault_keys where wrapped is not null and merchant_id is not null",
  );
  assert.equal(twins.length, ids.length, "as many new keys");
}

describe("I17: key rotation fails no request and leaves nothing on the old key", () => {
  test("holds for repeated rotations while four nodes work", async () => {
    const known = new Map<string, Kept>();
    await inContext(database, async (ctx) => {
      for (let index = 0; index < 450; index += 1) {
        const kept = await keep(ctx, another());
        known.set(kept.place.instrumentId, kept);
      }
    });
    let running = true;
    const done = { kept: 0, used: 0, found: 0, erased: 0 };
    /** Keeps, uses, finds and erases numbers until the test ends; any failure fails the test. */
    const node = () =>
      inContext(database, async (ctx) => {
        while (running) {
          const fresh = await keep(ctx, another());
          known.set(fresh.place.instrumentId, fresh);
          done.kept += 1;
          const [first] = known.values();
          for (const one of [fresh, first]) {
            if (one === undefined || !known.has(one.place.instrumentId)) continue;
            const text = await read(ctx, one);
            // Another node may erase it in between.
            assert.ok(text === one.number || !known.has(one.place.instrumentId));
            done.used += 1;
          }
          assert.deepEqual(await same(ctx, fresh), [fresh.place.instrumentId]);
          done.found += 1;
          if (done.kept % 3 === 0 && first !== undefined && known.delete(first.place.instrumentId)) {
            await ctx.db.transaction((tx) => ctx.vault.erase(tx, first.place));
            done.erased += 1;
          }
        }
      });
    const nodes = Array.from({ length: 4 }, node);
    try {
      // At least three rotations, and until the nodes have done enough of everything, however busy the machine is.
      const enough = () => Object.values(done).every((times) => times > 10);
      for (let round = 0; round < 3 || (round < 40 && !enough()); round += 1) {
        const old = await keysNow();
        const report = await inContext(database, (ctx) => rotateKeys(ctx, () => {}));
        assert.equal(report.unreadable, 0);
        assert.ok(report.moved >= 300, `${report.moved} moved`);
        await assertAllOnNewKeys(old);
      }
    } finally {
      running = false;
      await Promise.all(nodes);
    }
    for (const [what, times] of Object.entries(done)) assert.ok(times > 10, `${what} ${times} times`);
    await inContext(database, async (ctx) => {
      for (const kept of known.values()) assert.equal(await read(ctx, kept), kept.number);
      assert.equal((await ctx.db.rows(sql("t", "select from vault_secrets"), [])).length, known.size);
      assert.equal((await verifyAudit(ctx.db, ctx.vaultKeys)).broken, undefined);
    });
  });

  test("interrupted at every second point and run again, it completes", async () => {
    await inContext(database, async (ctx) => {
      const all = [];
      for (let index = 0; index < 210; index += 1) all.push(await keep(ctx, another(merchants[0])));
      for (let cut = 0; ; cut += 1) {
        const old = await keysNow();
        let statements = 0;
        const fragile = watchContext(ctx, () => {
          statements += 1;
          if (statements > cut * 2) throw new Error("power failure");
        });
        const outcome = await rotateKeys(fragile, () => {}).catch(
          (error: unknown) => (error as Error).message,
        );
        if (typeof outcome !== "string") break;
        assert.equal(outcome, "power failure");
        for (const kept of all.slice(0, 3)) assert.equal(await read(ctx, kept), kept.number);
        const started =
          (
            await database.rows(
              "select from vault_keys where outgoing_at is not null and destroyed_at is null",
            )
          ).length > 0;
        const report = await rotateKeys(ctx, () => {});
        assert.equal(report.resumed, started);
        if (started) await assertAllOnNewKeys(old);
      }
      for (const kept of all) assert.equal(await read(ctx, kept), kept.number);
      for (const kept of all.slice(0, 3)) assert.deepEqual(await same(ctx, kept), [kept.place.instrumentId]);
    });
  });

  test("a number that is being written under the old key moves before that key is destroyed", () =>
    inContext(database, (slow) =>
      inContext(database, async (ctx) => {
        await keep(ctx, another(merchants[0]));
        const [written, finish] = [gate(), gate()];
        const late = another(merchants[0]);
        const writing = slow.db.transaction(async (tx) => {
          await slow.vault.keep(tx, late.place, late.number);
          written.open();
          await finish.opened;
        });
        await written.opened;
        const old = await keysNow();
        const rotating = rotateKeys(ctx, () => {});
        // The destruction locks the retired keys first, and waits there for open writes.
        await eventually(
          "the destruction waits for the lock",
          async () => (await database.rows(WAITING)).length > 0,
        );
        finish.open();
        const report = await rotating;
        await writing;
        assert.equal(report.moved, 2);
        await assertAllOnNewKeys(old);
        assert.equal(await read(ctx, late), late.number);
      }),
    ));

  test("two concurrent rotations lose nothing", () =>
    inContext(database, async (ctx) => {
      const all = [];
      for (let index = 0; index < 300; index += 1) all.push(await keep(ctx, another()));
      const old = await keysNow();
      const other = () => inContext(database, (one) => rotateKeys(one, () => {}));
      await Promise.all([other(), other()]);
      assert.deepEqual(await leftBehind(), []);
      for (const kept of all) assert.equal(await read(ctx, kept), kept.number);
      const gone = await database.rows("select from vault_keys where id = any($1) and wrapped is null", [
        old.map(({ id }) => id),
      ]);
      assert.equal(gone.length, old.length);
    }));

  test("an unreadable number stays with its key and is reported; the others move", () =>
    inContext(database, async (ctx) => {
      const [bad, foreign, good] = [another(merchants[0]), another(merchants[0]), another(merchants[0])];
      for (const kept of [bad, foreign, good]) await keep(ctx, kept);
      const corrupt = (set: string, kept: Kept) =>
        database.rows(`update vault_secrets set ${set} where instrument_id = $1`, [kept.place.instrumentId]);
      await corrupt("ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1)", bad);
      await corrupt(`merchant_id = '${merchants[1]}'`, foreign);
      const report = await rotateKeys(ctx, () => {});
      assert.deepEqual([report.moved, report.unreadable], [1, 2]);
      assert.equal(await read(ctx, good), good.number);
      await assert.rejects(read(ctx, bad), SecretUnreadable);
      const entries = await database.rows(
        "select from audit_log where act = 'number_unreadable' and detail like '%rotation%' and subject_id = $1",
        [bad.place.instrumentId],
      );
      assert.ok(entries.length > 0);
      // Once fixed, it moves with the next run.
      await corrupt("ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1)", bad);
      await database.rows("update vault_secrets set merchant_id = $1", [merchants[0]]);
      const again = await rotateKeys(ctx, () => {});
      assert.deepEqual([again.resumed, again.moved, again.unreadable], [true, 2, 0]);
      assert.equal(await read(ctx, bad), bad.number);
      assert.equal(await read(ctx, foreign), foreign.number);
    }));

  test("does nothing if no number is stored", () =>
    inContext(database, async (ctx) => {
      const report = await rotateKeys(ctx, () => {});
      assert.deepEqual(report, { resumed: false, merchants: 0, moved: 0, unreadable: 0 });
    }));
});
