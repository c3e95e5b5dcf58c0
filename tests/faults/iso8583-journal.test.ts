import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHORES } from "../../src/app/jobs.ts";
import { deleteFinished } from "../../src/connectors/iso8583/queries.ts";
import { findAccount } from "../../src/features/acquirer-accounts/index.ts";
import { reconcileAccount } from "../../src/features/acquirer-reconciliation/index.ts";
import { DAY, type Instant, instant, later } from "../../src/kernel/time.ts";
import { callApi, getTransaction, ok, payOnce, shopOf } from "../support/checkout.ts";
import { assertFlat, pagesTouched } from "../support/costs.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { startIsoHost } from "../support/iso-host/iso-host.ts";
import { inContext, makeMerchant } from "../support/operator.ts";

const NOW = instant(Date.now());
const OLD = later(NOW, -500 * DAY);

type Entry = {
  readonly kind: string;
  readonly reference: string;
  readonly original?: string;
  readonly sends?: number;
  readonly code?: string | null;
  readonly cancelled?: boolean;
  readonly at?: Instant;
};

describe("the journal of ISO 8583 messages", () => {
  let database: TestDatabase;
  let merchantId: string;
  before(async () => {
    database = await cloneDatabase();
    ({ id: merchantId } = await makeMerchant(database, "sandbox", "AU"));
  });
  after(() => database.drop());

  const write = ({ kind, reference, original, sends = 1, code = "00", cancelled = false, at = OLD }: Entry) =>
    database.rows(
      `insert into iso8583_messages (merchant_id, account_id, kind, reference, original, message_type, processing_code, stan,
         transmitted, local_time, local_date, retrieval, amount, currency, sends, cancelled, response_code, created_at)
       values ($1, 'acq_1', $2, $3, $4, '0100', '000000', '000001', '0101000000', '000000', '0101', 'r', 100, 'AUD', $5, $6,
         $7, $8)`,
      [merchantId, kind, reference, original ?? null, sends, cancelled, code, new Date(at)],
    );
  const left = async () =>
    (
      await database.rows<{ row: string }>(
        "select kind || ' ' || reference as row from iso8583_messages order by 1",
      )
    ).map(({ row }) => row);
  const prune = () =>
    inContext(database, (ctx) =>
      ctx.db.transaction((tx) => deleteFinished(tx, { from: null, before: NOW, atMost: 100 })),
    );

  test("a message goes when all of its payment is finished, and not before", async () => {
    const young = later(NOW, DAY);
    const gone: readonly Entry[] = [
      { kind: "request", reference: "answered" },
      { kind: "request", reference: "refused", code: "05" },
      { kind: "request", reference: "cancelled", sends: 0, code: null, cancelled: true },
      { kind: "request", reference: "reversed", code: null },
      { kind: "reversal", reference: "reversed", original: "reversed", code: "25" },
      { kind: "request", reference: "captured" },
      { kind: "completion", reference: "c1", original: "captured" },
    ];
    const kept: readonly Entry[] = [
      { kind: "request", reference: "open", code: null },
      { kind: "request", reference: "reversing", code: null },
      { kind: "reversal", reference: "reversing", original: "reversing", sends: 7, code: null },
      { kind: "request", reference: "to reverse", code: null },
      { kind: "reversal", reference: "to reverse", original: "to reverse", sends: 0, code: null },
      { kind: "request", reference: "completing" },
      { kind: "completion", reference: "c2", original: "completing", code: null },
      { kind: "void", reference: "v1", original: "completing", code: "05" },
      { kind: "request", reference: "young", at: young },
    ];
    for (const entry of [...gone, ...kept]) await write(entry);
    const { count } = await prune();
    assert.equal(count, gone.length + kept.length - 1);
    assert.deepEqual(await left(), kept.map(({ kind, reference }) => `${kind} ${reference}`).toSorted());
    await database.rows("delete from iso8583_messages");
  });

  test("deleting costs the same with 10 and with 300,000 messages, also with stale statistics", async () => {
    await database.rows("alter table iso8583_messages set (autovacuum_enabled = off)");
    const fill = (from: number, to: number) =>
      database.rows(
        `insert into iso8583_messages (merchant_id, account_id, kind, reference, original, message_type, processing_code, stan,
           transmitted, local_time, local_date, retrieval, amount, currency, sends, response_code, created_at)
         select $1, 'acq_1', k, 'txn_' || lpad(n::text, 9, '0'), case when k = 'request' then null else 'txn_' || lpad(n::text, 9, '0') end,
           '0100', '000000', '000001', '0101000000', '000000', '0101', 'r', 100, 'AUD', 1, '00',
           $4::timestamptz + n * interval '1 second'
         from generate_series($2::int, $3::int) n, unnest(array['request', 'reversal']) k`,
        [merchantId, from, to, new Date(OLD)],
      );
    const pages = () =>
      pagesTouched(database, (tx) => deleteFinished(tx, { from: null, before: NOW, atMost: 10 }));
    await fill(1, 5);
    await database.rows("analyze iso8583_messages");
    const small = await pages();
    await fill(6, 150_000);
    assertFlat(small, await pages(), "with statistics of the small table");
    await database.rows("analyze iso8583_messages");
    assertFlat(small, await pages(), "with fresh statistics");
    await database.rows("truncate iso8583_messages");
  });

  test("a chore deletes it; reconcile then compares what the journal still has", async () => {
    const own = await cloneDatabase();
    const host = await startIsoHost();
    const past = () => instant(Date.now() - 420 * DAY);
    const gateway = await startTestGateway({ database: own, now: past });
    try {
      const { id, key } = await gateway.newMerchant();
      const account = await addIsoAccount(own, id, host.port);
      const shop = shopOf(gateway, key);
      const { transactionId, paid } = await payOnce(shop, { amount: 4_300 });
      assert.equal(paid.state, "approved");
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment: { amount: 100 } }));
      await eventually("the refund is approved", async () => {
        ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
        return (await getTransaction(shop, transactionId)).payment.refundedAmount === 100;
      });
      await gateway.stop();
      await inContext(own, async (ctx) => {
        const differences = async (now: () => Instant, atMost = 100) =>
          reconcileAccount({ ...ctx, now }, (await findAccount(ctx.db, account)) ?? assert.fail(), atMost);
        const messages = () => own.rows("select from iso8583_messages");
        assert.deepEqual(await differences(past), []);
        assert.equal((await messages()).length, 2);
        const chore = CHORES.find(({ name }) => name.includes("ISO 8583")) ?? assert.fail();
        await chore.run({ ...ctx, now: () => later(past(), 409 * DAY) });
        assert.equal((await messages()).length, 2);
        await chore.run(ctx);
        assert.equal((await messages()).length, 0);
        assert.deepEqual(await differences(ctx.now), []);
        const then = await differences(past);
        assert.equal(then?.length, 2, "without the limit of age both would differ");
        assert.equal((await differences(past, 1))?.length, 1);
      });
    } finally {
      await gateway.stop().catch(() => {});
      await host.stop();
      await own.drop();
    }
  });
});
