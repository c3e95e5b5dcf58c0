import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  advanceClock,
  callApi,
  createRequest,
  getTransaction,
  ok,
  openFrame,
  payOnce,
  shopOf,
} from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import type { TestGateway } from "../support/gateway.ts";
import { EVERY_RULE, findInDatabase, findUnsettled, findViolations } from "../support/invariants.ts";
import { type Plant, plantingGround, testPlants } from "../support/planting-ground.ts";
import { type MadePayIds, PLANTED_PAYIDS, payByPayId, UNSETTLED_PAYIDS } from "./payid-plants.ts";

/** A stray row like an existing one. */
const copyOf = (table: string, id: string, changes: string) =>
  `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || ${changes})).*
   from ${table} one where id = '${id}'`;

type Made = Readonly<Record<"paid" | "declined" | "captured" | "voided" | "held" | "refunded", string>> &
  MadePayIds & {
    readonly refund: string;
    readonly paidRequest: string;
    readonly declinedRequest: string;
    readonly openRequest: string;
    readonly customer: string;
    readonly account: string;
    readonly deletedAccount: string;
  };

/** One planted violation per rule of the checker: the invariant that must be named, and how to break it. */
const PLANTED: readonly Plant<Made>[] = [
  [
    "I1",
    "a request is approved twice",
    (made) => copyOf("transactions", made.paid, `jsonb_build_object('id', 'txn_twin')`),
  ],
  [
    "I1",
    "the acquirer approves a request twice",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       select book, kind, 'txn_twin', belongs_to, amount, facts from sandbox_books
       where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I2",
    "a request is completed by nothing",
    (made) => `update payment_requests set status = 'completed' where id = '${made.openRequest}'`,
  ],
  [
    "I2",
    "a request names an approval that is none",
    (made) =>
      `update payment_requests set approved_transaction_id = '${made.declined}' where id = '${made.paidRequest}'`,
  ],
  [
    "I2",
    "a paid request is cancelled",
    (made) =>
      `update payment_requests set status = 'cancelled', approved_transaction_id = null where id = '${made.paidRequest}'`,
  ],
  [
    "I2",
    "a failed attempt is an approved one",
    (made) =>
      `update payment_requests set failed_transaction_ids = array['${made.paid}'] where id = '${made.declinedRequest}'`,
  ],
  [
    "I3",
    "a declined payment becomes approved",
    (made) =>
      `update events set body = replace(body, '"status":"pending"', '"status":"declined"')
       where resource_id = '${made.paid}'`,
  ],
  [
    "I4",
    "the acquirer is asked twice",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'authorisation', 'txn_more', '${made.declinedRequest}', 1, '{"code":"D04405"}')`,
  ],
  [
    "I4",
    "a request has two attempts",
    (made) => copyOf("transactions", made.declined, `jsonb_build_object('id', 'txn_more')`),
  ],
  [
    "I5",
    "refunds are above what was captured",
    (made) => `update refunds set amount = 99999 where id = '${made.refund}'`,
  ],
  [
    "I5",
    "a refund is not held",
    (made) => `update transactions set refunds_held = 0, refunded = 0 where id = '${made.refunded}'`,
  ],
  ["I5", "a refund is of nothing", (made) => `update refunds set amount = 0 where id = '${made.refund}'`],
  [
    "I5",
    "the acquirer gives back too much",
    (made) =>
      `update sandbox_books set amount = 99999 where kind = 'refund' and belongs_to = '${made.refunded}'`,
  ],
  [
    "I6",
    "more is captured than was authorised",
    (made) => `update transactions set captured = captured + 1 where id = '${made.captured}'`,
  ],
  ["I6", "a void is captured", (made) => `update transactions set captured = 1 where id = '${made.voided}'`],
  [
    "I6",
    "a capture is told after a void",
    (made) =>
      `update events set body = replace(body, '"captureStatus":"uncaptured"', '"captureStatus":"voided"')
       where resource_id = '${made.captured}'`,
  ],
  [
    "I6",
    "the acquirer captures twice",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       select book, kind, 'mov_more', belongs_to, amount, facts from sandbox_books
       where kind = 'capture' and belongs_to = '${made.captured}'`,
  ],
  [
    "I6",
    "the acquirer captures after a reversal",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'capture', 'mov_more', '${made.voided}', 1, '{"code":"A02000"}')`,
  ],
  [
    "I7",
    "the acquirer takes money that nobody asked for",
    () =>
      `insert into sandbox_books (book, kind, reference, amount, facts)
       values ('acquirer', 'authorisation', 'txn_stranger', 5, '{"code":"A02000"}')`,
  ],
  [
    "I7",
    "the acquirer never heard of a payment",
    (made) => `delete from sandbox_books where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I7",
    "the acquirer took another amount",
    (made) =>
      `update sandbox_books set amount = amount + 1 where kind = 'authorisation' and reference = '${made.paid}'`,
  ],
  [
    "I7",
    "a decline was an approval",
    (made) =>
      `update sandbox_books set facts = '{"code":"A02000","captured":"true"}'
       where kind = 'authorisation' and reference = '${made.declined}'`,
  ],
  [
    "I7",
    "the acquirer gave a payment back",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'reversal', '${made.paid}', '${made.paid}', 3000, '{}')`,
  ],
  [
    "I7",
    "a void never reached the acquirer",
    (made) => `delete from sandbox_books where kind = 'reversal' and reference = '${made.voided}'`,
  ],
  [
    "I7",
    "a capture never reached the acquirer",
    (made) => `delete from sandbox_books where kind = 'capture' and belongs_to = '${made.captured}'`,
  ],
  [
    "I7",
    "a refund never reached the acquirer",
    (made) => `delete from sandbox_books where kind = 'refund' and reference = '${made.refund}'`,
  ],
  [
    "I7",
    "the acquirer gives back what nobody asked for",
    (made) =>
      `insert into sandbox_books (book, kind, reference, belongs_to, amount, facts)
       values ('acquirer', 'refund', 'rfd_stranger', '${made.paid}', 1, '{"code":"A02000"}')`,
  ],
  [
    "I9",
    "a customer was changed in silence",
    (made) => `update customers set updated_at = updated_at + interval '1 s' where id = '${made.customer}'`,
  ],
  [
    "I9",
    "an instrument came back",
    (made) => `update payment_instruments set deleted_at = null where id = '${made.deletedAccount}'`,
  ],
  [
    "I15",
    "an account has lost its number",
    (made) => `delete from vault_secrets where instrument_id = '${made.account}'`,
  ],
  [
    "I15",
    "a deleted account still has its number",
    (made) =>
      `update vault_secrets set instrument_id = '${made.deletedAccount}' where instrument_id = '${made.account}'`,
  ],
  ["I8", "a key is used up by nothing", () => `update idempotency_keys set resource_id = 'pr_gone'`],
  [
    "I9",
    "a change has no event",
    (made) => `delete from events where id = (select max(id) from events where resource_id = '${made.paid}')`,
  ],
  [
    "I9",
    "a change has two events",
    (made) =>
      `insert into events select merchant_id, id || 'x', event, resource_id, created_at, body from events
       where id = (select max(id) from events where resource_id = '${made.refund}')`,
  ],
  [
    "I9",
    "an event tells another state",
    (made) =>
      `update events set body = replace(body, 'completed', 'created') where resource_id = '${made.paidRequest}'`,
  ],
  [
    "I9",
    "two changes have one time",
    (made) =>
      `update events set body = regexp_replace(body, '"updatedDateTime":"[^"]+"', '"updatedDateTime":"2026-01-01T00:00:00Z"')
       where resource_id = '${made.paid}'`,
  ],
  [
    "I13",
    "a token pays twice",
    (made) =>
      `update one_time_tokens set transaction_id = '${made.paid}' where transaction_id = '${made.declined}'`,
  ],
  [
    "I13",
    "a token pays after its end",
    (made) => `update one_time_tokens set expires_at = created_at where transaction_id = '${made.paid}'`,
  ],
  [
    "I13",
    "a payment has no token",
    (made) => `delete from one_time_tokens where transaction_id = '${made.held}'`,
  ],
  [
    "I21",
    "a request has nobody to end it",
    (made) => `delete from jobs where subject_id = '${made.openRequest}'`,
  ],
];

const UNSETTLED: readonly (readonly [how: string, plant: (made: Made) => string])[] = [
  [
    "an attempt is pending",
    (made) =>
      `update transactions set status = 'pending', phase = 'calling', code = null, capture_status = null
       where id = '${made.held}'`,
  ],
  ["a capture is pending", () => "update transaction_movements set status = 'pending'"],
  [
    "a request is past its time",
    (made) =>
      `update payment_requests set expires_at = created_at - interval '1 hour' where id = '${made.openRequest}'`,
  ],
  ["work is overdue", () => "update jobs set due_at = now() - interval '1 minute'"],
];

/** Something of everything that the rules speak of. */
async function payEveryWay(gateway: TestGateway): Promise<Made> {
  const shop = shopOf(gateway);
  const manual = { category: { captureType: "manual" } };
  const [paid, declined, captured, voided, held, refunded] = await Promise.all([
    payOnce(shop),
    payOnce(shop, { amount: 14_451 }),
    payOnce(shop, manual),
    payOnce(shop, manual),
    payOnce(shop, manual),
    payOnce(shop),
  ]);
  ok(await callApi(shop, "POST", `/transactions/${captured.transactionId}/capture`));
  ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
  const key = { "x-idempotency-key": "the-only-one" };
  const refunds = `/transactions/${refunded.transactionId}/refunds`;
  const refund = ok(await callApi(shop, "POST", refunds, { payment: { amount: 700 } }, key));
  const cancelled = await createRequest(shop);
  ok(await callApi(shop, "POST", `/paymentrequests/${cancelled.id}/cancel`));
  const late = shopOf(gateway, (await gateway.newMerchant()).key);
  await openFrame(late);
  await advanceClock(late, 2 * 24 * 60 * 60);
  await eventually("the refund is settled and the late request expired", async () => {
    const { payment } = await getTransaction(shop, refunded.transactionId);
    return payment.refundedAmount === 700 && (await findUnsettled(gateway.database)).length === 0;
  });
  return {
    paid: paid.transactionId,
    declined: declined.transactionId,
    captured: captured.transactionId,
    voided: voided.transactionId,
    held: held.transactionId,
    refunded: refunded.transactionId,
    refund: refund.id,
    paidRequest: paid.requestId,
    declinedRequest: declined.requestId,
    openRequest: (await createRequest(shop)).id,
    ...(await storeAccounts(gateway)),
    ...(await payByPayId(gateway)),
  };
}

/** A customer with a bank account, and one that was deleted. */
async function storeAccounts(gateway: TestGateway) {
  const { id: customer } = (await gateway.post("/customers", { name: "Ann", email: "ann@example.com" })).body;
  const all = `/customers/${customer}/paymentinstruments`;
  const bankAccount = { accountName: "Ann", bsb: "062000", number: "12345678" };
  const account = (await gateway.post(all, { bankAccount })).body.id;
  const deletedAccount = (await gateway.post(all, { bankAccount })).body.id;
  await gateway.call(`${all}/${deletedAccount}`, { method: "DELETE" });
  return { customer, account, deletedAccount };
}

describe("PROOF: the checker of the invariants", () => {
  const ground = plantingGround({ TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" }, payEveryWay);
  const { reader, made, planted } = ground;

  test("when nothing is wrong, it finds nothing", async () => {
    assert.deepEqual(await findViolations(reader), []);
    assert.deepEqual(await findUnsettled(reader), []);
  });

  testPlants(ground, [...PLANTED, ...PLANTED_PAYIDS], EVERY_RULE);

  for (const [how, plant] of [...UNSETTLED, ...UNSETTLED_PAYIDS]) {
    test(`when ${how}, it names I21`, () =>
      planted(plant(made()), async () => {
        assert.deepEqual([...new Set((await findUnsettled(reader)).map(({ id }) => id))], ["I21"]);
      }));
  }

  test("when a card number lies anywhere, in clear or encoded, it names the table", async () => {
    const number = "4929000000006";
    const hides = [
      ["events", `update events set body = body || 'x${number}y' where resource_id = '${made().paid}'`],
      ["jobs", `update jobs set subject_id = encode('..${number}', 'hex')`],
      [
        "sealing_keys",
        `insert into sealing_keys (id, sealed_key, created_at) values ('x', '${number}', now())`,
      ],
      ["payment_requests", `update payment_requests set reference = encode('${number}', 'base64')`],
    ] as const;
    assert.deepEqual(await findInDatabase(reader, number), []);
    for (const [table, plant] of hides) {
      await planted(plant, async () => assert.deepEqual(await findInDatabase(reader, number), [table]));
    }
  });
});
