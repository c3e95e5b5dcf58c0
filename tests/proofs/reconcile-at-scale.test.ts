import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { findPayout, payoutCsv, reconcile } from "../../src/features/payouts/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { heapGrowth } from "../support/live-heap.ts";
import { makeRefunds, makeTransactions } from "../support/many-payments.ts";
import { inContext, makeKey, makeMerchant } from "../support/operator.ts";
import { declareProof, sized } from "../support/proof.ts";

const ROWS = sized(60_000, 300_000);
const proof = declareProof("reconciliation and payout files over many transactions, in bounded memory", [
  "I23",
]);
proof.count({ "transactions to reconcile": ROWS });

/** What the driver and the portions in hand may take; all rows at once take more than 100. */
const MEGABYTES = 30;
const DAY = 86_400_000;

let gateway: TestGateway;
const merchants: string[] = [];
let bigPayout: string;

async function asSuperuser(statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: gateway.database.url });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Lines of every record, as the triggers write them; fees of one cent; every 500th transaction was returned, although not a debit. */
const LINES = [
  "update transactions set fee = 1 where captured > 0 and right(reference, 1) = '7'",
  "update transactions set code = 'D10005', status = 'declined', capture_status = null where captured > 0 and right(reference, 3) = '500'",
  `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
   select merchant_id, 'payment', id, id, currency, captured, updated_at from transactions where captured > 0
   union all select merchant_id, 'fee', id, id, currency, -fee, updated_at from transactions where fee > 0
   union all select merchant_id, 'return', id, id, currency, -captured, updated_at from transactions
     where captured > 0 and code = 'D10005'
   union all select merchant_id, 'refund', id, transaction_id, currency, -amount, updated_at from refunds
     where status = 'approved'`,
];

/** One payout for the older lines of a merchant. */
const payOut = (merchantId: string, payoutId: string) => [
  `update payout_lines set payout_id = '${payoutId}' where merchant_id = '${merchantId}'
     and at < now() - interval '10 days'`,
  `insert into payouts (merchant_id, id, currency, day, amount, lines, payments, refunds, returns, fees, created_at)
   select merchant_id, payout_id, currency, current_date, sum(amount), count(*),
     sum(amount) filter (where kind = 'payment'), coalesce(sum(amount) filter (where kind = 'refund'), 0),
     coalesce(sum(amount) filter (where kind = 'return'), 0), coalesce(sum(amount) filter (where kind = 'fee'), 0), now()
   from payout_lines where payout_id = '${payoutId}' group by 1, 2, 3`,
];

const bruteForce = () =>
  gateway.database.rows(
    `with moved as (
       select merchant_id, currency, captured as payments, 0::bigint as refunds,
         case when code = 'D10005' then captured else 0 end as returns, fee as fees, 0::bigint as paid, 0::bigint as held
       from transactions where captured > 0
       union all select merchant_id, currency, 0, amount, 0, 0, 0, 0 from refunds where status = 'approved'
       union all select merchant_id, currency, 0, 0, 0, 0, amount, 0 from payouts
       union all select merchant_id, currency, 0, 0, 0, 0, 0, amount from payout_lines
         where payout_id is null or payout_id not in (select id from payouts)
     )
     select merchant_id as "merchantId", currency, sum(payments)::float8 as payments, sum(refunds)::float8 as refunds,
       sum(returns)::float8 as returns, sum(fees)::float8 as fees, 0::float8 as disputes, sum(paid)::float8 as "paidOut",
       sum(held)::float8 as held, true as balanced
     from moved group by 1, 2 order by 1, 2`,
  );

describe(`with ${ROWS} transactions`, () => {
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_ROLES: "api" } });
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    for (const rows of [ROWS - 20_000, 10_000, 10_000]) {
      const { id } = await makeMerchant(gateway.database, "sandbox", "AU");
      merchants.push(id);
      const many = { merchantId: id, rows, until: Date.now() - DAY, span: 90 * DAY };
      await makeTransactions(run, many);
      await makeRefunds(run, many);
    }
    await client.end();
    const [big = "", small = "", building = ""] = merchants;
    bigPayout = newId("payout", instant(Date.now()));
    const built = newId("payout", instant(Date.now()));
    await asSuperuser([
      ...LINES,
      ...payOut(big, bigPayout),
      ...payOut(small, newId("payout", instant(Date.now()))),
      `update payout_lines set payout_id = '${built}' where merchant_id = '${building}' and at < now() - interval '50 days'`,
      `insert into payout_builds (merchant_id, currency, cut_off, phase, payout_id)
       values ('${building}', 'AUD', now(), 'taking', '${built}')`,
      "analyze",
    ]);
  });
  after(() => gateway.stop());

  test("reconcile finds what adding all of it up finds, in bounded memory", async () => {
    await inContext(gateway.database, async (ctx) => {
      let found: Awaited<ReturnType<typeof reconcile>> | undefined;
      const growth = await heapGrowth(async () => {
        found = await reconcile(ctx);
      });
      assert.deepEqual(found?.faults, []);
      assert.deepEqual(found?.balances, await bruteForce());
      assert.ok(growth < MEGABYTES, `${growth.toFixed(1)} MB`);
    });
  });

  test("reconcile sees one state of the database, although records change while it reads", async () => {
    await inContext(gateway.database, async (ctx) => {
      const done = { is: false };
      const [small = ""] = merchants.slice(1);
      const changing = (async () => {
        for (let n = 0; !done.is; n += 1) {
          const id = `txn_${String(n).padStart(10, "z")}`;
          await asSuperuser([
            `with made as (
               insert into transactions select (json_populate_record(t, json_build_object('id', '${id}',
                 'reference', 'r', 'payment_request_id', null))).* from (select t from transactions t
                 where merchant_id = '${small}' and captured > 0 order by id desc limit 1) as one (t)
               returning merchant_id, id, currency, captured, updated_at)
             insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
             select merchant_id, 'payment', id, id, currency, captured, updated_at from made`,
          ]);
        }
        return asSuperuser([
          `delete from payout_lines where subject_id like 'txn_zzz%'`,
          `delete from transactions where id like 'txn_zzz%'`,
        ]);
      })();
      const { balances, faults } = await reconcile(ctx);
      done.is = true;
      await changing;
      assert.deepEqual([faults, balances.filter(({ balanced }) => !balanced)], [[], []]);
    });
  });

  test("reconcile finds faults wherever they are", async () => {
    const [big = "", small = "", building = ""] = merchants;
    const pick = async (where: string) => {
      const [row] = await gateway.database.rows<{ id: string }>(
        `select subject_id as id from payout_lines where ${where} order by subject_id limit 1`,
      );
      assert.ok(row);
      return row.id;
    };
    const first = await pick(`merchant_id = '${big}' and kind = 'payment'`);
    const paid = await pick(`merchant_id = '${small}' and kind = 'refund' and payout_id is not null`);
    const fee = await pick(`merchant_id = '${building}' and kind = 'fee'`);
    await asSuperuser([
      "create table kept as select * from payout_lines",
      `delete from payout_lines where subject_id = '${first}'`,
      `update payout_lines set amount = amount - 1 where subject_id = '${paid}'`,
      `update payout_lines set payout_id = 'po_nowhere' where subject_id = '${fee}' and kind = 'fee'`,
      `insert into payout_lines (merchant_id, kind, subject_id, transaction_id, currency, amount, at)
       values ('${small}', 'payment', 'txn_nothing', 'txn_nothing', 'AUD', 5, now())`,
    ]);
    const { faults, balances } = await inContext(gateway.database, reconcile);
    await asSuperuser([
      "truncate payout_lines",
      "insert into payout_lines select * from kept",
      "drop table kept",
    ]);
    const [{ id: smallPayout } = { id: "" }] = await gateway.database.rows<{ id: string }>(
      `select id from payouts where merchant_id = '${small}'`,
    );
    const expected = [
      [big, first, "money in the records has no line"],
      [big, bigPayout, "a payout is not the sum of its lines"],
      [small, paid, "a line differs from the recorded amount"],
      [small, smallPayout, "a payout is not the sum of its lines"],
      [small, "txn_nothing", "a line has no money in the records"],
      [building, "po_nowhere", "a line names a payout that does not exist"],
    ].toSorted(([one = "", two = ""], [other = "", another = ""]) =>
      `${one}${two}` < `${other}${another}` ? -1 : 1,
    );
    assert.deepEqual(
      faults.map(({ merchantId, subjectId, about }) => [merchantId, subjectId, about]),
      expected,
    );
    const broken = balances.filter(({ balanced }) => !balanced).map(({ merchantId }) => merchantId);
    assert.deepEqual(broken, [small, building].toSorted());
  });

  test("the CSV of a payout has every line once, in bounded memory", async () => {
    await inContext(gateway.database, async (ctx) => {
      const [big = ""] = merchants;
      const payout = await findPayout(ctx.db, big as never, bigPayout as never);
      assert.ok(payout !== undefined && payout.lines > 0.8 * (ROWS - 20_000));
      let sum = 0;
      let lines = -1;
      const growth = await heapGrowth(async () => {
        for await (const portion of payoutCsv(ctx.db, payout)) {
          for (const row of portion.split("\r\n").slice(0, -1)) {
            lines += 1;
            if (lines > 0) sum += Number(row.split(",")[5]);
          }
        }
      });
      assert.deepEqual([lines, sum], [payout.lines, payout.amount]);
      assert.ok(growth < MEGABYTES, `${growth.toFixed(1)} MB`);
    });
  });

  test("the API sends it as it is read, and a reader that stops ends it", async () => {
    const [big = ""] = merchants;
    const { key } = await makeKey(gateway.database, big, ["read"]);
    const url = `${gateway.baseUrl}/payouts/${bigPayout}/lines`;
    const seen: string[] = [];
    const growth = await heapGrowth(async () => {
      const answer = await fetch(url, { headers: { "x-api-key": key } });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-length"), null);
      let rows = 0;
      let last = "";
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        rows += chunk.split("\n").length - 1;
        last = chunk.slice(-2);
      }
      seen.push(String(rows), last);
    });
    const [{ lines } = { lines: 0 }] = await gateway.database.rows<{ lines: number }>(
      "select lines from payouts where id = $1",
      [bigPayout],
    );
    assert.deepEqual(seen, [String(lines + 1), "\r\n"]);
    assert.ok(growth < MEGABYTES, `${growth.toFixed(1)} MB`);
    const stopped = new AbortController();
    const answer = await fetch(url, { headers: { "x-api-key": key }, signal: stopped.signal });
    await answer.body?.getReader().read();
    stopped.abort();
    const again = await fetch(`${gateway.baseUrl}/payouts`, { headers: { "x-api-key": key } });
    assert.equal(again.status, 200);
  });
});
