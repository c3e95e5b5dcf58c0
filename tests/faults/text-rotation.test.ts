import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { SEALED_COLUMNS } from "../../src/app/sealed-columns.ts";
import { instant, later } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { sql } from "../../src/platform/db/database.ts";
import { seal, unseal } from "../../src/platform/sealing/seal.ts";
import { SecretUnreadable } from "../../src/platform/vault/errors.ts";
import { openVault } from "../../src/platform/vault/open-vault.ts";
import { renewTextKeys } from "../../src/platform/vault/rotation/renew-text-keys.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { inContext } from "../support/operator.ts";
import { gate, watchContext } from "../support/watched-context.ts";

const NOW = instant(Date.UTC(2026, 5, 15));
const SOON = later(NOW, 60_000);
const [PASSWORDS] = SEALED_COLUMNS.filter(({ column }) => column === "sealed_password");
const WAITING = `
  select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%vault_keys%for update'`;

describe("PROOF I17: a rotation renews the key of sealed texts, too", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
    await inContext(database, (ctx) => openVault(ctx.db, ctx.vaultKeys, ctx.now));
  });
  beforeEach(() => database.rows("truncate webhook_credentials, sealing_keys"));
  after(() => database.drop());

  const password = (index: number) => `password ${index}`;
  const purpose = (index: number) => PASSWORDS?.purposeOf(`mer_${index}`) ?? "";

  const put = (ctx: Context, index: number, during: () => Promise<void> = async () => {}) =>
    ctx.db.transaction(async (tx) => {
      const sealed = await ctx.sealedTexts.seal(tx, purpose(index), password(index));
      await tx.rows(
        sql(
          "put",
          `insert into webhook_credentials (merchant_id, username, sealed_password, header)
           values ($1, 'name', $2, 'Authorization')
           on conflict (merchant_id) do update set sealed_password = $2`,
        ),
        [`mer_${index}`, sealed],
      );
      await during();
    });

  async function read(ctx: Context, index: number): Promise<string> {
    const text = "select sealed_password as sealed from webhook_credentials where merchant_id = $1";
    const [row] = await ctx.db.rows<{ sealed: string }>(sql("get", text), [`mer_${index}`]);
    return ctx.sealedTexts.open(ctx.db, purpose(index), row?.sealed ?? "");
  }

  const activeKey = async () => {
    const [key] = await database.rows<{ id: string }>(
      "select id from vault_keys where purpose = 'text' and retired_at is null",
    );
    return key?.id;
  };

  async function assertDestroyed(id: string | undefined): Promise<void> {
    const [key] = await database.rows<{ wrapped: Buffer | null }>(
      "select wrapped from vault_keys where id = $1",
      [id],
    );
    assert.equal(key?.wrapped, null);
    const left = await database.rows(
      "select from webhook_credentials where split_part(sealed_password, '.', 1) = $1",
      [id],
    );
    assert.equal(left.length, 0);
  }

  test("the rotation covers every column that holds sealed texts", async () => {
    const columns = await database.rows<{ place: string }>(
      `select table_name || '.' || column_name as place from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and column_name like 'sealed%' order by 1`,
    );
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
    assert.deepEqual(
      columns.map(({ place }) => place),
      known,
    );
    // Proves that the list is not empty.
    assert.ok(known.includes("webhook_signing_keys.sealed_key"));
  });

  test("does nothing if nothing is sealed", () =>
    inContext(database, async (ctx) => {
      assert.deepEqual(await renewTextKeys(ctx, SEALED_COLUMNS), { moved: 0, unreadable: 0 });
    }));

  test("all texts move and stay readable while another node reads and changes them", () =>
    inContext(database, (node) =>
      inContext(database, async (ctx) => {
        for (let index = 0; index < 230; index += 1) await put(ctx, index);
        const held = await seal(ctx, "4111", "txn_1", { now: NOW, until: SOON });
        let running = true;
        let reads = 0;
        const work = (async () => {
          for (; running; reads += 1) {
            await put(node, reads % 230);
            assert.equal(await read(node, (reads * 7) % 230), password((reads * 7) % 230));
            assert.equal(await unseal(node, held, "txn_1", NOW), "4111");
          }
        })();
        try {
          for (let round = 0; round < 3; round += 1) {
            const old = await activeKey();
            const seen = reads;
            const { unreadable } = await renewTextKeys(ctx, SEALED_COLUMNS);
            assert.equal(unreadable, 0);
            await assertDestroyed(old);
            assert.notEqual(await activeKey(), old);
            await eventually("the other node continued", async () => reads > seen);
          }
        } finally {
          running = false;
          await work;
        }
        for (let index = 0; index < 230; index += 1) assert.equal(await read(ctx, index), password(index));
        assert.equal(await unseal(ctx, held, "txn_1", NOW), "4111");
      }),
    ));

  test("interrupted at any point and run again, it completes", () =>
    inContext(database, async (ctx) => {
      for (let index = 0; index < 4; index += 1) await put(ctx, index);
      let cuts = 0;
      for (; ; cuts += 1) {
        const old = await activeKey();
        let statements = 0;
        const fragile = watchContext(ctx, () => {
          statements += 1;
          if (statements > cuts) throw new Error("power failure");
        });
        const outcome = await renewTextKeys(fragile, SEALED_COLUMNS).catch(
          (error: unknown) => (error as Error).message,
        );
        if (typeof outcome !== "string") break;
        assert.equal(outcome, "power failure");
        assert.equal(await read(ctx, 1), password(1));
        await renewTextKeys(ctx, SEALED_COLUMNS);
        await assertDestroyed(old);
      }
      assert.ok(cuts > 10, `${cuts} cuts`);
      for (let index = 0; index < 4; index += 1) assert.equal(await read(ctx, index), password(index));
    }));

  test("a gateway that has opened no text yet opens one that it read just before a rotation destroyed its key", () =>
    inContext(database, async (ctx) => {
      let fresh: Context | undefined;
      const wrapContext = (built: Context) => {
        fresh = built;
        return built;
      };
      const gateway = await startTestGateway({ database, wrapContext });
      try {
        await put(ctx, 1);
        const old = await activeKey();
        const node = fresh ?? assert.fail();
        const text = "select sealed_password as sealed from webhook_credentials where merchant_id = 'mer_1'";
        const [row] = await node.db.rows<{ sealed: string }>(sql("get", text), []);
        await renewTextKeys(ctx, SEALED_COLUMNS);
        await assertDestroyed(old);
        assert.equal(await node.sealedTexts.open(node.db, purpose(1), row?.sealed ?? ""), password(1));
      } finally {
        await gateway.stop();
      }
    }));

  test("a text that is being sealed under the old key moves before that key is destroyed", () =>
    inContext(database, (slow) =>
      inContext(database, async (ctx) => {
        await put(ctx, 1);
        const old = await activeKey();
        const [written, finish] = [gate(), gate()];
        const writing = put(slow, 2, async () => {
          written.open();
          await finish.opened;
        });
        await written.opened;
        const renewing = renewTextKeys(ctx, SEALED_COLUMNS);
        await eventually(
          "the destruction waits for the lock",
          async () => (await database.rows(WAITING)).length > 0,
        );
        finish.open();
        await writing;
        assert.deepEqual(await renewing, { moved: 2, unreadable: 0 });
        await assertDestroyed(old);
        assert.equal(await read(ctx, 2), password(2));
      }),
    ));

  test("an unreadable text stays with its key and is reported; once fixed, it moves with the next run", () =>
    inContext(database, async (ctx) => {
      for (const index of [1, 2]) await put(ctx, index);
      // The key's id is part of the text; only the part after it is corrupted.
      const [before] = await database.rows<{ sealed: string }>(
        "select sealed_password as sealed from webhook_credentials where merchant_id = 'mer_1'",
      );
      const [id = "", nonce = "", body = ""] = (before?.sealed ?? "").split(".");
      const corrupted = [id, nonce, body.startsWith("A") ? `B${body.slice(1)}` : `A${body.slice(1)}`].join(
        ".",
      );
      const set = (sealed: string) =>
        database.rows("update webhook_credentials set sealed_password = $1 where merchant_id = 'mer_1'", [
          sealed,
        ]);
      await set(corrupted);
      assert.deepEqual(await renewTextKeys(ctx, SEALED_COLUMNS), { moved: 1, unreadable: 1 });
      assert.equal(await read(ctx, 2), password(2));
      await assert.rejects(read(ctx, 1), SecretUnreadable);
      const entries = await database.rows("select from audit_log where act = 'text_unreadable'");
      assert.ok(entries.length > 0);
      await set(before?.sealed ?? "");
      assert.deepEqual(await renewTextKeys(ctx, SEALED_COLUMNS), { moved: 1, unreadable: 0 });
      assert.equal(await read(ctx, 1), password(1));
      await assertDestroyed(id);
    }));
});
