import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createRequest, payOnce, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

type Changes = Readonly<Record<string, readonly string[]>>;

/** For each rule of refuse_invalid_transaction, changes of an approved card payment that break each of its clauses. */
const TRANSACTIONS: Changes = {
  amount: ["amount = 100000000000", "amount = -1", "amount = 0", "method = 'verification'"],
  surcharge: ["surcharge = -1"],
  approved_amount: [
    "approved_amount = amount + surcharge",
    "approved_amount = -1, captured = -1",
    "approved_amount = captured - 1",
  ],
  captured_or_returned: ["capture_status = 'uncaptured'", "capture_status = 'voided', code = 'D10005'"],
  disputed: ["disputed = captured + 1", "disputed = captured, refunds_held = 1", "disputed = -1"],
  fee_of_something: ["fee = -1", "fee = 1, captured = 0"],
  settled_when_final: ["phase = 'calling'"],
  code_when_final: ["code = null"],
  capture_status_when_approved: [
    "capture_status = null, captured = 0",
    "capture_status = 'captured', method = 'verification', amount = 0, captured = 0",
  ],
  returned: ["code = 'D10005'"],
  verification: [
    "method = 'verification', capture_status = null, amount = 0, captured = 0, source = 'apple_pay'",
    "method = 'verification', capture_status = null, amount = 0, captured = 0, surcharge = 1",
  ],
  payid: [`payid = '{"type":"email"}'`, "source = 'payid'"],
  instrument_of_customer: ["payment_instrument_id = 'ins', customer_id = null"],
  updated_at: ["updated_at = '2020-01-01T00:00:00Z'"],
  currency: ["currency = 'USD'"],
  method: ["method = 'gift'"],
  source: ["source = 'cheque'"],
  origin: ["origin = 'fax'"],
  frequency: ["frequency = 'twice'"],
  capture_type: ["capture_type = 'later'"],
  authentication: ["authentication = 'perhaps'"],
};

/** The same for a pending payment: the state of an approved one is final. */
const PENDING_TRANSACTIONS: Changes = {
  captured_or_returned: [
    "status = 'declined', phase = 'settled', code = 'D04451', captured = amount + surcharge",
    "status = 'declined', phase = 'settled', code = 'D10005', source = 'direct_debit', captured = 1",
  ],
  settled_when_final: ["phase = 'settled'"],
  code_when_final: ["code = 'A02000'"],
  capture_status_when_approved: ["capture_status = 'uncaptured'"],
};

/** For each rule of refuse_invalid_payment_request, changes of an open request of the embedded checkout. */
const PAYMENT_REQUESTS: Changes = {
  amount: ["amount = -1", "amount = 100000000000", "amount = 0, flow = 'payid', payid_value = 'a@b.example'"],
  flow: ["flow = 'fax'"],
  page: ["page_key = 'key'", "flow = 'hosted_page', logo_hash = 'hash'"],
  logo: ["logo_hash = 'hash'", "logo = 'logo'", "flow = 'hosted_page', page_key = 'key'"],
  payid: ["payid_value = 'a@b.example'", "flow = 'payid'"],
  payid_returns: ["payid_returns = '{}'"],
  completed_when_paid: ["approved_transaction_id = 'txn'"],
  stored: ["customer_id = 'cus'", "payment_instrument_id = 'ins'"],
  stored_when_paid: ["payment_instrument_id = 'ins', customer_id = 'cus'"],
  updated_at: ["updated_at = '2020-01-01T00:00:00Z'"],
};

describe("proof 2: rules of money that a trigger checks", () => {
  let gateway: TestGateway;
  let ids: { readonly transactions: string; readonly payment_requests: string };
  before(async () => {
    gateway = await startTestGateway();
    const shop = shopOf(gateway);
    ids = {
      transactions: (await payOnce(shop)).transactionId,
      payment_requests: (await createRequest(shop)).id,
    };
    const pending = { status: "pending", phase: "calling", code: null, capture_status: null, captured: 0 };
    await insertCopy("transactions", { id: "pending", ...pending });
  });
  after(() => gateway.stop());

  type Table = keyof typeof ids;
  const change = (table: Table, to: string, id = ids[table]) =>
    gateway.database.rows(`update ${table} set ${to} where id = $1 returning id`, [id]);

  async function insertCopy(table: Table, changes: object) {
    const [row] = await gateway.database.rows<{ copy: object }>(
      `select to_jsonb(t) as copy from ${table} t where id = $1`,
      [ids[table]],
    );
    return gateway.database.rows(
      `insert into ${table} select * from jsonb_populate_record(null::${table}, $1) returning id`,
      [{ ...row?.copy, payment_request_id: null, ...changes }],
    );
  }

  for (const [table, trigger, changes, ofPending] of [
    ["transactions", "refuse_invalid_transaction", TRANSACTIONS, PENDING_TRANSACTIONS],
    ["payment_requests", "refuse_invalid_payment_request", PAYMENT_REQUESTS, {}],
  ] as const) {
    test(`every rule of ${trigger} has its line here`, async () => {
      const [row] = await gateway.database.rows<{ source: string }>(
        "select prosrc as source from pg_proc where proname = $1",
        [trigger],
      );
      const rules = [...(row?.source ?? "").matchAll(/\n\s+then '(\w+)'/g)].map((match) => match[1] ?? "");
      assert.deepEqual(rules.toSorted(), Object.keys(changes).toSorted());
    });

    const broken = (rule: string) => ({ code: "23514", message: new RegExp(`"${table}_${rule}"$`) });
    for (const [rule, ways] of Object.entries<readonly string[]>(changes))
      for (const to of ways)
        test(`${table}: ${rule} is refused: ${to}`, () => assert.rejects(change(table, to), broken(rule)));
    for (const [rule, ways] of Object.entries<readonly string[]>(ofPending))
      for (const to of ways)
        test(`${table}: ${rule} is refused in a pending one: ${to}`, () =>
          assert.rejects(change(table, to, "pending"), broken(rule)));

    test(`${table}: a new row that breaks a rule is refused`, async () => {
      await assert.rejects(insertCopy(table, { id: "copy", amount: -1 }), broken("amount"));
      assert.deepEqual(await insertCopy(table, { id: "copy" }), [{ id: "copy" }]);
    });

    test(`${table}: a valid change is accepted`, async () => {
      assert.deepEqual(await change(table, "updated_at = updated_at"), [{ id: ids[table] }]);
    });
  }
});
