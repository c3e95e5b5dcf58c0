import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BANK_RULES } from "../support/bank-invariants.ts";
import { callApi, ok, type Shop, shopOf } from "../support/checkout.ts";
import { debit, runSettlements } from "../support/debits.ts";
import { findViolations } from "../support/invariants.ts";
import {
  type PlantedViolation,
  testPlantedViolations,
  violationFixture,
} from "../support/planted-violations.ts";

type Made = Readonly<Record<"approved" | "declined" | "returned" | "refund" | "payout", string>>;

const ledgerEntry = (line: string) =>
  `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts) values ('debit bank', ${line})`;

/** At least one planted violation per rule: the invariant that must be reported, and how to break it. */
const PLANTED: readonly PlantedViolation<Made>[] = [
  [
    "I3",
    "a declined debit is returned",
    (made) =>
      `update events set body = replace(body, '"status":"approved"', '"status":"pending"')
       where resource_id = '${made.returned}'`,
  ],
  [
    "I7",
    "the bank has a debit without a transaction",
    () => ledgerEntry(`'debit', 'txn_stranger', 'bat', 5, '{}'`),
  ],
  [
    "I7",
    "the bank has a credit without a refund",
    (made) => ledgerEntry(`'credit', 'rfd_stranger', '${made.approved}', 5, '{"code":"A02000"}'`),
  ],
  [
    "I7",
    "the bank never settled a debit",
    (made) => `delete from sandbox_ledger where kind = 'settlement' and reference = '${made.approved}'`,
  ],
  [
    "I7",
    "the bank settled another amount",
    (made) =>
      `update sandbox_ledger set amount = amount + 1 where kind = 'settlement' and reference = '${made.approved}'`,
  ],
  [
    "I7",
    "the bank approved a declined debit",
    (made) =>
      `update sandbox_ledger set facts = '{"code":"A02000"}'
       where kind = 'settlement' and reference = '${made.declined}'`,
  ],
  [
    "I7",
    "the bank has no return of a returned debit",
    (made) => `delete from sandbox_ledger where kind = 'return' and reference = '${made.returned}'`,
  ],
  [
    "I7",
    "a refund never reached the bank",
    (made) => `delete from sandbox_ledger where kind = 'credit' and reference = '${made.refund}'`,
  ],
  ["I7", "a batch is one cent short", () => "update debit_batches set total = total - 1"],
  ["I21", "no job follows a debit", (made) => `delete from jobs where subject_id = '${made.approved}'`],
  [
    "I21",
    "a submitted batch has a debit that never went out",
    (made) => `update debits set submitted_at = null where transaction_id = '${made.approved}'`,
  ],
  [
    "I21",
    "a batch that no bank has holds a submitted debit",
    (made) =>
      `update debit_batches set status = 'made'
       where id = (select batch_id from debits where transaction_id = '${made.approved}')`,
  ],
  [
    "I21",
    "a debit that is in a batch waits for one",
    (made) =>
      `insert into waiting_debits select merchant_id, currency, id from transactions where id = '${made.approved}'`,
  ],
  [
    "I21",
    "no job sees a waiting debit into a batch",
    (made) =>
      `with ended as (delete from jobs where subject_id = '${made.declined}')
       insert into waiting_debits select merchant_id, currency, id from transactions where id = '${made.declined}'`,
  ],
  ["I9", "a payout has no event", (made) => `delete from events where resource_id = '${made.payout}'`],
  [
    "I24",
    "a payment has no payout line",
    (made) => `delete from payout_lines where subject_id = '${made.approved}'`,
  ],
  [
    "I24",
    "a payout line has another amount",
    (made) => `update payout_lines set amount = amount - 1 where subject_id = '${made.refund}'`,
  ],
  [
    "I24",
    "a fee has no payout line",
    (made) => `update transactions set fee = 1 where id = '${made.approved}'`,
  ],
  [
    "I24",
    "a payout is one cent too high",
    (made) => `update payouts set amount = amount + 1 where id = '${made.payout}'`,
  ],
];

/** Changes that the database itself refuses. */
const REFUSED: readonly (readonly [how: string, statement: (made: Made) => string])[] = [
  [
    "an approved debit becomes declined by anything but a return",
    (made) =>
      `update transactions set status = 'declined', code = 'D10000', capture_status = null, captured = 0
       where id = '${made.approved}'`,
  ],
  [
    "a returned debit is approved again",
    (made) =>
      `update transactions set status = 'approved', code = 'A02000', capture_status = 'captured'
       where id = '${made.returned}'`,
  ],
  [
    "a transaction that is no debit has the code of a return",
    (made) => `update transactions set code = 'D10005', source = 'card' where id = '${made.declined}'`,
  ],
  [
    "a payout line changes its payout",
    (made) => `update payout_lines set payout_id = null where subject_id = '${made.approved}'`,
  ],
  ["a payout line is deleted", (made) => `delete from payout_lines where subject_id = '${made.approved}'`],
  [
    "a money operation has two payout lines",
    (made) =>
      `insert into payout_lines select merchant_id, kind, subject_id, transaction_id, currency, amount, at
       from payout_lines where subject_id = '${made.approved}'`,
  ],
  ["a declined debit has a fee", (made) => `update transactions set fee = 1 where id = '${made.declined}'`],
  [
    "a debit is in two batches",
    (made) => `insert into debits select * from debits where transaction_id = '${made.approved}'`,
  ],
];

async function makeHistory(shop: Shop): Promise<Made> {
  const { id: approved } = await debit(shop, 50_000);
  const { id: declined } = await debit(shop, 11_001);
  const { id: returned } = await debit(shop, 11_005);
  await runSettlements(shop);
  const { id: refund } = ok(
    await callApi(shop, "POST", `/transactions/${approved}/refunds`, { payment: { amount: 700 } }),
  );
  await runSettlements(shop);
  await debit(shop, 30_000);
  await runSettlements(shop);
  const [{ id: payout }] = ok(await callApi(shop, "GET", "/payouts")).payouts;
  return { approved, declined, returned, refund, payout };
}

describe("PROOF: the invariant checker reports violations on the bank side", () => {
  const ground = violationFixture({ TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "3600" }, (gateway) =>
    makeHistory(shopOf(gateway)),
  );
  const { reader, made, within } = ground;

  test("reports nothing on a valid history", async () => {
    assert.deepEqual(await findViolations(reader), []);
  });

  testPlantedViolations(
    ground,
    PLANTED,
    BANK_RULES.map(({ about }) => about),
  );

  for (const [how, statement] of REFUSED) {
    test(`the database refuses when ${how}`, () =>
      within(async (client) => assert.rejects(client.query(statement(made())))));
  }
});
