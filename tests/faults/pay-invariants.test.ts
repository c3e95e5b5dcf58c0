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
import {
  EVERY_RULE,
  EVERY_RULE_AT_REST,
  findInDatabase,
  findUnsettled,
  findViolations,
} from "../support/invariants.ts";
import {
  testPlantedViolations,
  type UnsettledState,
  violationFixture,
} from "../support/planted-violations.ts";
import { PLANTED_INSTRUMENTS } from "./instrument-violations.ts";
import { type Made, PLANTED } from "./pay-violations.ts";
import { PLANTED_PAYIDS, payByPayId, UNSETTLED_PAYIDS } from "./payid-violations.ts";

/** Makes a refund pending, with a job that is due in 45 seconds. */
const withJob = (refund: string, { tries }: { readonly tries: number }) =>
  `with refund as (
     update refunds set status = 'pending', code = null where id = '${refund}' returning merchant_id, id)
   insert into jobs (kind, merchant_id, subject_id, due_at, tries)
   select 'refund_settle', merchant_id, id, now() + interval '45 seconds', ${tries} from refund`;

const UNSETTLED: readonly UnsettledState<Made>[] = [
  [
    "an attempt has no known outcome",
    "an attempt is pending",
    (made) =>
      `update transactions set status = 'pending', phase = 'calling', code = null, capture_status = null
       where id = '${made.held}'`,
  ],
  [
    "a capture or a void is unfinished",
    "a capture is pending",
    () => "update transaction_operations set status = 'pending'",
  ],
  [
    "a refund is not settled",
    "no job sends a refund",
    (made) => `update refunds set status = 'pending', code = null where id = '${made.refund}'`,
  ],
  [
    "a refund is not settled",
    "a node died while it sent a refund",
    (made) => withJob(made.refund, { tries: 1 }),
  ],
  [
    "a debit batch is under way",
    "a node died in the hand-over of a batch",
    (made) =>
      `insert into debit_batches (merchant_id, id, rail, currency, day, debits, total, created_at, status, submitting_since)
       select merchant_id, 'bat_dead', 'connector', currency, current_date, 1, amount, now(), 'submitting', now()
       from transactions where id = '${made.paid}'`,
  ],
  [
    "a debit is not settled",
    "a debit is in no batch",
    (made) =>
      `update transactions set source = 'direct_debit', status = 'pending', code = null, capture_status = null
       where id = '${made.held}'`,
  ],
  [
    "a late approval is not reversed",
    "a payment that was approved late is not reversed",
    (made) => `update transactions set late_approval = '{"amount":1}' where id = '${made.declined}'`,
  ],
  [
    "a late approval is not reversed",
    "a refund that was approved late is not reversed",
    (made) =>
      `update refunds set status = 'declined', late_approval = '{"amount":1}' where id = '${made.refund}'`,
  ],
  [
    "an idempotency key is still processing",
    "a key is processing",
    () => "update idempotency_keys set status = 'processing'",
  ],
  [
    "a request is open past its expiry",
    "a request is open past its expiry",
    (made) =>
      `update payment_requests set expires_at = created_at - interval '1 hour' where id = '${made.openRequest}'`,
  ],
  [
    "an authorisation is open past its end",
    "an authorisation is open past its end",
    (made) => `update transactions set created_at = created_at - interval '8 days' where id = '${made.held}'`,
  ],
  [
    "a dispute waits for evidence past its due date",
    "a dispute waits for evidence past its due date",
    (made) =>
      `insert into disputes (merchant_id, id, transaction_id, reference, reason, amount, currency, status, evidence_due_at,
         created_at, updated_at)
       select merchant_id, 'dsp_late', id, 'late', 'fraud', 1, currency, 'needs_response', now() - interval '1 hour',
         created_at, created_at from transactions where id = '${made.paid}'`,
  ],
  ["a job is overdue", "a job is overdue", () => "update jobs set due_at = now() - interval '1 minute'"],
  [
    "a job has begun and not ended",
    "a job is leased again and again",
    () => "update jobs set due_at = now() + interval '45 seconds', tries = 9, problem = null",
  ],
  [
    "a job failed and has not succeeded since",
    "a job fails again and again",
    () =>
      "update jobs set due_at = now() + interval '1 minute', tries = 9, problem = 'the bank does not answer'",
  ],
];

/** A history with every kind of record that the rules check. */
async function makeHistory(gateway: TestGateway): Promise<Made> {
  const shop = shopOf(gateway);
  const manual = { category: { captureType: "manual" } };
  const [paid, declined, captured, voided, held, refunded, verified] = await Promise.all([
    payOnce(shop),
    payOnce(shop, { amount: 14_451 }),
    payOnce(shop, manual),
    payOnce(shop, manual),
    payOnce(shop, manual),
    payOnce(shop),
    payOnce(shop, { amount: 0, customerRequest: { paymentInstrument: "create" } }, { consent: true }),
  ]);
  ok(await callApi(shop, "POST", `/transactions/${captured.transactionId}/capture`));
  ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
  const key = { "x-idempotency-key": "the-only-one" };
  const refunds = `/transactions/${refunded.transactionId}/refunds`;
  const refund = ok(await callApi({ ...shop, headers: key }, "POST", refunds, { payment: { amount: 700 } }));
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
    verified: verified.transactionId,
    refund: refund.id,
    paidRequest: paid.requestId,
    declinedRequest: declined.requestId,
    openRequest: (await createRequest(shop)).id,
    ...(await storeAccounts(gateway)),
    ...(await payByPayId(gateway)),
  };
}

/** A customer whose new e-mail address looks like the old one, with a bank account, and one that was deleted. */
async function storeAccounts(gateway: TestGateway) {
  const { id: customer } = (await gateway.post("/customers", { name: "Ann", email: "ann@example.com" })).body;
  assert.equal((await gateway.put(`/customers/${customer}`, { email: "amy@example.com" })).status, 200);
  const all = `/customers/${customer}/paymentinstruments`;
  const bankAccount = { accountName: "Ann", bsb: "062000", number: "12345678" };
  const account = (await gateway.post(all, { bankAccount })).body.id;
  const deletedAccount = (await gateway.post(all, { bankAccount })).body.id;
  await gateway.call(`${all}/${deletedAccount}`, { method: "DELETE" });
  return { customer, account, deletedAccount };
}

describe("PROOF: the invariant checker reports violations", () => {
  const ground = violationFixture({ TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" }, makeHistory);
  const { reader, made, planted } = ground;

  test("reports nothing on a valid history", async () => {
    assert.deepEqual(await findViolations(reader), []);
    assert.deepEqual(await findUnsettled(reader), []);
  });

  testPlantedViolations(ground, [...PLANTED, ...PLANTED_INSTRUMENTS, ...PLANTED_PAYIDS], EVERY_RULE);

  const states: readonly UnsettledState<Made>[] = [...UNSETTLED, ...UNSETTLED_PAYIDS];
  const unsettled = async () => (await findUnsettled(reader)).map(({ about }) => about);
  for (const [rule, how, plant] of states) {
    test(`reports I21 when ${how}`, () =>
      planted(plant(made()), async () => {
        assert.ok((await unsettled()).includes(rule), `reported only ${(await unsettled()).join(", ")}`);
      }));
  }

  test("every rule at rest has a planted state", () => {
    const rules = new Set(states.map(([rule]) => rule));
    assert.deepEqual(rules, new Set(EVERY_RULE_AT_REST));
  });

  test("a refund that waits for the settlement delay of the sandbox is no unsettled one", () =>
    planted(withJob(made().refund, { tries: 0 }), async () => {
      assert.ok(!(await unsettled()).includes("a refund is not settled"));
    }));

  test("a debit that the bank has and that settles later is no unsettled one", () =>
    planted(
      `with debit as (
         update transactions set source = 'direct_debit', status = 'pending', code = null, capture_status = null
         where id = '${made().held}' returning merchant_id, id)
       insert into jobs (kind, merchant_id, subject_id, due_at, tries)
       select 'debit_follow', merchant_id, id, now() + interval '45 seconds', 0 from debit`,
      async () => assert.ok(!(await unsettled()).includes("a debit is not settled")),
    ));

  test("the job of a payment that was settled meanwhile is no unsettled one, whether it has begun or failed", async () => {
    const recovery = (status: string, problem: string) =>
      `with payment as (
         update transactions set status = '${status}', code = null, capture_status = null
         where id = '${made().paid}' and '${status}' = 'pending')
       insert into jobs (kind, merchant_id, subject_id, due_at, tries, problem)
       select 'checkout_recover', merchant_id, id, now() + interval '45 seconds', 1, ${problem}
       from transactions where id = '${made().paid}'`;
    for (const [problem, rule] of [
      ["null", "a job has begun and not ended"],
      ["'the bank does not answer'", "a job failed and has not succeeded since"],
    ] as const)
      for (const status of ["approved", "pending"])
        await planted(recovery(status, problem), async () =>
          assert.equal((await unsettled()).includes(rule), status === "pending"),
        );
  });

  test("names the table that holds a card number, in clear or encoded", async () => {
    const number = "4929000000006";
    const leaks = [
      ["events", `update events set body = body || 'x${number}y' where resource_id = '${made().paid}'`],
      ["jobs", `update jobs set subject_id = encode('..${number}', 'hex')`],
      [
        "sealing_keys",
        `insert into sealing_keys (id, sealed_key, created_at) values ('x', '${number}', now())`,
      ],
      ["payment_requests", `update payment_requests set reference = encode('${number}', 'base64')`],
    ] as const;
    assert.deepEqual(await findInDatabase(reader, number), []);
    for (const [table, plant] of leaks) {
      await planted(plant, async () => assert.deepEqual(await findInDatabase(reader, number), [table]));
    }
  });
});
