import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import type { Batch } from "../../src/features/direct-debits/direct-debit.ts";
import { insertBatch, lockBatching, lockWaiting } from "../../src/features/direct-debits/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { cents } from "../../src/kernel/money.ts";
import { type CalendarDay, instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { sql, type Tx } from "../../src/platform/db/database.ts";
import { KeyServiceProblem } from "../../src/platform/vault/errors.ts";
import { callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { approvedDebit, debit, runSettlements, storedAccount, whenStatus } from "../support/debits.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariantsAndStop } from "../support/invariants.ts";
import { fillWithoutIndexes } from "../support/many-payments.ts";
import { sized } from "../support/proof.ts";
import { gate, watchContext } from "../support/watched-context.ts";

const MERCHANT = "mer_big" as Id<"merchant">;
const WAITING = 5;
const MANY = sized(10_000, 300_000);
const MIGRATIONS = join(import.meta.dirname, "..", "..", "migrations");

const insertDebits = `insert into transactions (merchant_id, id, reference, method, source, origin, frequency,
    capture_type, status, phase, amount, surcharge, currency, captured, refunds_held, refunded, bank_account,
    customer_id, payment_instrument_id, created_at, updated_at)
  select '${MERCHANT}', 'txn_' || $1 || lpad(n::text, 12, '0'), 'order', 'purchase', 'direct_debit', 'internet', 'single',
    'auto', 'pending', 'waiting', 100, 0, 'AUD', 0, 0, 0, '{"accountName":"Jamie Lee","number":"XX78"}', 'cus_a', 'pi_a', now(), now()
  from generate_series(1, $2::int) n`;

/** Runs work on one connection on which triggers can be switched off. */
async function withClient(database: TestDatabase, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Pending debits that the bank has, 200 to a batch, and a few that wait. */
async function fill(database: TestDatabase, withBank: number): Promise<void> {
  await fillWithoutIndexes(database, ["transactions", "debits", "debit_batches"], async (run) => {
    await run("set session_replication_role = replica");
    await run(insertDebits, ["a", withBank]);
    await run(
      `insert into debit_batches (merchant_id, id, rail, currency, day, debits, total, created_at, status)
       select '${MERCHANT}', 'bat_' || n, 'connector', 'AUD', now(), 200, 20000, now(), 'submitted'
       from generate_series(0, $1::int / 200) n`,
      [withBank],
    );
    await run(
      `insert into debits (merchant_id, transaction_id, batch_id, bank_reference, submitted_at)
       select '${MERCHANT}', 'txn_a' || lpad(n::text, 12, '0'), 'bat_' || n / 200, lpad(n::text, 12, '0'), now()
       from generate_series(1, $1::int) n`,
      [withBank],
    );
    await run("set session_replication_role = origin");
  });
  await withClient(database, async (client) => {
    await client.query(insertDebits, ["b", WAITING]);
    await client.query("vacuum analyze transactions, debits, debit_batches, waiting_debits");
  });
}

describe(`finding the debits that wait costs the same with 10 and with ${MANY} pending ones`, () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    [small, large] = await Promise.all([cloneDatabase(), cloneDatabase()]);
    await fill(small, 10);
    await fill(large, MANY);
  });
  after(() => Promise.all([small.drop(), large.drop()]));

  const batch: Batch = {
    id: "bat_new" as Id<"debitBatch">,
    merchantId: MERCHANT,
    rail: "connector",
    currency: "AUD",
    day: "2026-03-09" as CalendarDay,
    debits: WAITING,
    total: cents(WAITING * 100),
    createdAt: instant(Date.UTC(2026, 2, 9)),
    status: "made",
    attempts: 0,
    submittingSince: null,
    processingDay: null,
  };
  async function makeBatch(tx: Tx): Promise<void> {
    await lockBatching(tx, MERCHANT);
    const orders = await lockWaiting(tx, MERCHANT, "AUD", { after: "", atMost: 200 });
    assert.equal(orders.length, WAITING);
    await insertBatch(tx, batch, orders);
    assert.deepEqual(
      await lockWaiting(tx, MERCHANT, "AUD", { after: "", atMost: 200 }),
      [],
      "they left the queue",
    );
  }

  test("making a batch", async () => {
    assertFlat(await pagesTouched(small, makeBatch), await pagesTouched(large, makeBatch), "making a batch");
  });

  test("the measure sees a search of all pending debits", async () => {
    const search = (tx: Tx) =>
      tx.rows(
        sql(
          "search",
          `select t.id from transactions t where t.merchant_id = $1 and t.currency = 'AUD'
           and t.source = 'direct_debit' and t.status = 'pending' and not exists (
             select from debits d where d.merchant_id = t.merchant_id and d.transaction_id = t.id) limit 200`,
        ),
        [MERCHANT],
      );
    const [few, many] = [await pagesTouched(small, search), await pagesTouched(large, search)];
    assert.throws(() => assertFlat(few, many, "a search"), /a search/);
  });
});

describe("debits of an earlier version", () => {
  test("are taken over: those in no batch wait, and a batch that the bank does not have gets its job", async () => {
    const database = await cloneDatabase();
    try {
      await withClient(database, async (client) => {
        await client.query("set session_replication_role = replica");
        await client.query(insertDebits, ["a", 4]);
        await client.query(
          `insert into debit_batches (merchant_id, id, rail, currency, day, debits, total, created_at, status)
           select '${MERCHANT}', 'bat_' || rail || n, rail, 'AUD', now(), 1, 100, now(), 'submitted'
           from unnest(array['connector', 'connector', 'file'], array[1, 2, 3]) as b (rail, n)`,
        );
        await client.query(
          `insert into debits (merchant_id, transaction_id, batch_id, bank_reference, submitted_at)
           select '${MERCHANT}', 'txn_a' || lpad(n::text, 12, '0'), batch, lpad(n::text, 12, '0'), sent
           from (values (1, 'bat_connector1', now()), (2, 'bat_connector2', null), (3, 'bat_file3', null))
             as d (n, batch, sent)`,
        );
        await client.query("set session_replication_role = origin");
        const [name = ""] = globSync("*_debits_waiting_before.sql", { cwd: MIGRATIONS });
        await client.query(readFileSync(join(MIGRATIONS, name), "utf8"));
      });
      const valuesOf = async (text: string) =>
        (await database.rows<{ id: string }>(text)).map(({ id }) => id);
      assert.deepEqual(await valuesOf("select transaction_id as id from waiting_debits"), [
        "txn_a000000000004",
      ]);
      assert.deepEqual(await valuesOf("select id || ' ' || status as id from debit_batches order by id"), [
        "bat_connector1 submitted",
        "bat_connector2 made",
        "bat_file3 made",
      ]);
      assert.deepEqual(await valuesOf("select kind || ' ' || subject_id as id from jobs"), [
        "debit_submit bat_connector2",
      ]);
    } finally {
      await database.drop();
    }
  });
});

describe("a batch of debits is handed over once", () => {
  let gateway: TestGateway;
  let submits = 0;
  let finds = 0;
  let onSubmit: (stage: "before" | "after") => Promise<void> | void = () => {};
  let isKeyServiceAway = false;
  const withKeyService = (ctx: Context): Context => {
    const use: Context["vault"]["use"] = async (...call) => {
      if (isKeyServiceAway) throw new KeyServiceProblem("the key service is away");
      return ctx.vault.use(...call);
    };
    return { ...ctx, vault: { ...ctx.vault, use } };
  };
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" },
      wrapContext: (ctx) =>
        watchContext(withKeyService(ctx), async (point) => {
          if (point === "debit_batch_find:before") finds += 1;
          if (point === "submit:before") {
            submits += 1;
            await onSubmit("before");
          }
          if (point === "submit:after") await onSubmit("after");
        }),
    });
  });
  after(() => assertInvariantsAndStop(gateway));

  const newShop = async () => {
    const { id, key } = await gateway.newMerchant();
    submits = 0;
    onSubmit = () => {};
    isKeyServiceAway = false;
    return { merchantId: id, shop: shopOf(gateway, key) };
  };
  type Row = { readonly id: string; readonly status: string; readonly attempts: number };
  const batchesOf = (merchantId: string) =>
    gateway.database.rows<Row>(
      "select id, status, attempts from debit_batches where merchant_id = $1 order by id",
      [merchantId],
    );
  const usesOf = async (merchantId: string, act = "number_used") => {
    const rows = await gateway.database.rows("select from audit_log where merchant_id = $1 and act = $2", [
      merchantId,
      act,
    ]);
    return rows.length;
  };
  const whenBatches = (merchantId: string, status: string) =>
    eventually(`every batch is ${status}`, async () => {
      const batches = await batchesOf(merchantId);
      return batches.length > 0 && batches.every((one) => one.status === status) && batches;
    });
  type JobRow = { readonly problem: string | null; readonly marked: boolean; readonly seconds: number };
  const jobOf = async (subject: string) => {
    const [job] = await gateway.database.rows<JobRow>(
      `select problem, needs_attention_at is not null as marked,
         extract(epoch from due_at - now())::float8 as seconds from jobs where subject_id = $1`,
      [subject],
    );
    return job;
  };
  const runNow = (subject: string, tries = 0) =>
    gateway.database.rows("update jobs set due_at = now(), tries = $2 where subject_id = $1", [
      subject,
      tries,
    ]);
  const spoil = (instrumentId: string) =>
    gateway.database.rows(
      "update vault_secrets set ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1) where instrument_id = $1",
      [instrumentId],
    );
  const ledgerOf = (id: string) =>
    gateway.database.rows("select from sandbox_ledger where kind = 'debit' and reference = $1", [id]);

  test("60 debits and a slow bank: one hand-over per batch, one use of each number", async () => {
    const { merchantId, shop } = await newShop();
    const stored = await storedAccount(shop);
    onSubmit = async () => new Promise((resolve) => setTimeout(resolve, 300));
    const made = await Promise.all(Array.from({ length: 60 }, () => debit(shop, 700, stored)));
    await eventually("every debit is in a batch", async () => {
      const rows = await gateway.database.rows("select from debits where merchant_id = $1", [merchantId]);
      return rows.length === made.length;
    });
    const batches = await whenBatches(merchantId, "submitted");
    assert.deepEqual([...new Set(batches.map(({ attempts }) => attempts))], [1]);
    assert.equal(submits, batches.length);
    assert.equal(await usesOf(merchantId), made.length);
    const jobs = await gateway.database.rows<{ count: number }>(
      `select count(*)::int as count from jobs where merchant_id = $1 and kind = 'debit_follow'
       group by subject_id having count(*) > 1`,
      [merchantId],
    );
    assert.deepEqual(jobs, [], "one job follows each debit");
  });

  test("settlement runs beside the job wait for its hand-over instead of repeating it", async () => {
    const { merchantId, shop } = await newShop();
    const [reached, resume] = [gate(), gate()];
    onSubmit = async (stage) => {
      if (stage === "after") return;
      reached.open();
      await resume.opened;
    };
    const { id } = await debit(shop, 700);
    await reached.opened;
    const findsBefore = finds;
    const runs = Promise.all([runSettlements(shop), runSettlements(shop), runSettlements(shop)]);
    await eventually("the runs saw the hand-over under way", async () => finds >= findsBefore + 6);
    resume.open();
    await runs;
    assert.equal((await whenStatus(shop, id, "approved")).id, id);
    assert.deepEqual([submits, await usesOf(merchantId)], [1, 1]);
  });

  test("after a lost answer the batch is handed over again, later, and the bank takes each debit once", async () => {
    const { merchantId, shop } = await newShop();
    onSubmit = (stage) => {
      if (stage === "after" && submits === 1) throw new Error("the connection broke");
    };
    const { id } = await debit(shop, 700);
    const [batch] = await whenBatches(merchantId, "unknown");
    await eventually("its job says why", async () => {
      return (await jobOf(batch?.id ?? ""))?.problem === RETRY_UNKNOWN;
    });
    const [again] = await whenBatches(merchantId, "submitted");
    assert.deepEqual([again?.attempts, submits, await usesOf(merchantId)], [2, 2, 2]);
    assert.equal((await ledgerOf(id)).length, 1);
    await runSettlements(shop);
    await whenStatus(shop, id, "approved");
    assert.equal(submits, 2);
  });

  test("a bank that stays away is called with growing pauses, and the batch needs attention after 20 runs", async () => {
    const { merchantId, shop } = await newShop();
    onSubmit = () => {
      throw new Error("the bank is unavailable");
    };
    await debit(shop, 700);
    const [batch] = await whenBatches(merchantId, "unknown");
    const id = batch?.id ?? "";
    await eventually("the job is put off", async () => (await jobOf(id))?.problem === RETRY_UNKNOWN);
    await runNow(id, 3);
    // Not the minute for which a running job is leased.
    await eventually("it waits for 16 seconds", async () => {
      const { seconds = 0 } = (await jobOf(id)) ?? {};
      return seconds > 8 && seconds < 17;
    });
    await runNow(id, 19);
    await eventually("it is marked", async () => (await jobOf(id))?.marked === true);
    assert.equal(submits, (await batchesOf(merchantId))[0]?.attempts);
    onSubmit = () => {};
    await runNow(id);
    await whenBatches(merchantId, "submitted");
  });

  test("while the key service is away the batch stays as it was, and needs attention after 20 runs", async () => {
    const { merchantId, shop } = await newShop();
    isKeyServiceAway = true;
    await debit(shop, 700);
    const [made] = await eventually("it is in a batch", async () => {
      const batches = await batchesOf(merchantId);
      return batches.length > 0 && batches;
    });
    const id = made?.id ?? "";
    const failed = async () => (await jobOf(id))?.problem?.startsWith("failed") === true;
    await eventually("the job failed", failed);
    assert.deepEqual(await batchesOf(merchantId), [{ id, status: "made", attempts: 0 }]);
    await runNow(id, 3);
    await eventually("it waits for 16 seconds", async () => {
      const { seconds = 0 } = (await jobOf(id)) ?? {};
      return seconds > 8 && seconds < 17;
    });
    assert.ok(await failed(), "the job counts as failing between its runs");
    await runNow(id, 19);
    await eventually("it is marked", async () => (await jobOf(id))?.marked === true);
    isKeyServiceAway = false;
    await runNow(id);
    const [submitted] = await whenBatches(merchantId, "submitted");
    assert.deepEqual([submitted?.attempts, submits], [1, 1]);
  });

  test("a batch that another process is handing over is left to it, until that must have died", async () => {
    const { merchantId, shop } = await newShop();
    onSubmit = () => {
      throw new Error("the bank is unavailable");
    };
    const { id } = await debit(shop, 700);
    const [batch] = await whenBatches(merchantId, "unknown");
    const batchId = batch?.id ?? "";
    onSubmit = () => {};
    const pretend = (since: string) =>
      gateway.database.rows(
        "update debit_batches set status = 'submitting', submitting_since = now() - $2::interval where id = $1",
        [batchId, since],
      );
    await pretend("1 second");
    await runNow(batchId);
    await eventually("the job waits for the other process", async () => {
      return ((await jobOf(batchId))?.seconds ?? 0) > 10;
    });
    assert.deepEqual([submits, (await ledgerOf(id)).length], [1, 0]);
    await pretend("3 minutes");
    await runNow(batchId);
    await whenBatches(merchantId, "submitted");
    assert.deepEqual([submits, (await ledgerOf(id)).length], [2, 1]);
  });

  test("an unreadable account number delays no other debit, and its batch needs attention", async () => {
    const { merchantId, shop } = await newShop();
    const [good, bad] = [await storedAccount(shop), await storedAccount(shop)];
    await spoil(bad.paymentInstrumentId);
    const [spoilt, sound] = await Promise.all([debit(shop, 701, bad), debit(shop, 700, good)]);
    await runSettlements(shop);
    await whenStatus(shop, sound.id, "approved");
    const stuck = await eventually("a batch is incomplete", async () =>
      (await batchesOf(merchantId)).find(({ status }) => status === "incomplete"),
    );
    await runNow(stuck.id);
    await eventually("its job says why", async () =>
      (await jobOf(stuck.id))?.problem?.startsWith("debits not submitted: account number unreadable"),
    );
    await runNow(stuck.id, 19);
    await eventually("it is marked", async () => (await jobOf(stuck.id))?.marked === true);
    assert.ok(((await jobOf(stuck.id))?.seconds ?? 0) > 600, "it is tried every 15 minutes at most");
    await spoil(bad.paymentInstrumentId);
    await runNow(stuck.id);
    await whenBatches(merchantId, "submitted");
    await runSettlements(shop);
    await whenStatus(shop, spoilt.id, "approved");
  });

  test("a debit that the bank took and does not know is handed over again", async () => {
    const { merchantId, shop } = await newShop();
    const { id } = await debit(shop, 700);
    const [batch] = await whenBatches(merchantId, "submitted");
    await eventually("its job waits for the settlement", async () => ((await jobOf(id))?.seconds ?? 0) > 60);
    await gateway.database.rows("delete from sandbox_ledger where reference = $1", [id]);
    await runNow(id);
    const known = await whenBatches(merchantId, "unknown");
    assert.equal(known[0]?.id, batch?.id);
    const [again] = await whenBatches(merchantId, "submitted");
    assert.deepEqual([again?.attempts, submits, (await ledgerOf(id)).length], [2, 2, 1]);
    await runSettlements(shop);
    await whenStatus(shop, id, "approved");
  });

  test("a bank that takes a batch and forgets it is called with growing pauses, then the batch needs attention", async () => {
    const { merchantId, shop } = await newShop();
    const { id } = await debit(shop, 700);
    const [batch] = await whenBatches(merchantId, "submitted");
    const batchId = batch?.id ?? "";
    const forget = async (attempts: number) => {
      await eventually(
        "its job waits for the settlement",
        async () => ((await jobOf(id))?.seconds ?? 0) > 60,
      );
      await gateway.database.rows("update debit_batches set attempts = $2 where id = $1", [
        batchId,
        attempts,
      ]);
      await gateway.database.rows("delete from sandbox_ledger where reference = $1", [id]);
      await runNow(id);
      await whenBatches(merchantId, "unknown");
      return jobOf(batchId);
    };
    const early = await forget(19);
    assert.deepEqual([early?.problem, early?.marked], [RETRY_FORGOTTEN, false]);
    assert.ok((early?.seconds ?? 0) > 35 && (early?.seconds ?? 0) <= 45);
    await runNow(batchId, 19);
    await whenBatches(merchantId, "submitted");
    const late = await forget(20);
    assert.deepEqual([late?.problem, late?.marked], [RETRY_FORGOTTEN, true]);
    assert.ok((late?.seconds ?? 0) > 600, "it is tried every 15 minutes");
    await runNow(batchId, 20);
    await whenBatches(merchantId, "submitted");
    await runSettlements(shop);
    await whenStatus(shop, id, "approved");
  });

  const refundOf = async (shop: Shop, id: string) =>
    ok(await callApi(shop, "POST", `/transactions/${id}/refunds`, { payment: { amount: 100 } })).id;

  test("a refund to an account with an unreadable number backs off and needs attention", async () => {
    const { merchantId, shop } = await newShop();
    const transaction = await approvedDebit(shop);
    const [instrument] = await gateway.database.rows<{ id: string }>(
      "select payment_instrument_id as id from transactions where id = $1",
      [transaction],
    );
    await spoil(instrument?.id ?? "");
    const refund = await refundOf(shop, transaction);
    const problem = "a refund is not sent: account number unreadable";
    await runNow(refund, 9);
    await eventually("its job says why", async () => (await jobOf(refund))?.problem === problem);
    assert.ok(((await jobOf(refund))?.seconds ?? 0) > 35, "it waits for 45 seconds");
    await runNow(refund, 19);
    await eventually("it is marked", async () => (await jobOf(refund))?.marked === true);
    assert.ok(((await jobOf(refund))?.seconds ?? 0) > 600);
    assert.equal(await usesOf(merchantId, "number_unreadable"), 2, "one record for each of the two runs");
    await spoil(instrument?.id ?? "");
    await runSettlements(shop);
    assert.equal(
      ok(await callApi(shop, "GET", `/transactions/${transaction}/refunds/${refund}`)).result.status,
      "approved",
    );
  });
});

const RETRY_FORGOTTEN = "a debit batch was handed over, and the bank does not know its debits";
const RETRY_UNKNOWN = "a debit batch was handed over, and the bank's answer is not known";
