import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createRequest, payOnce, shopOf } from "../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

/** What breaks each rule of refuse_invalid_transaction in an approved card payment. */
const TRANSACTIONS: Readonly<Record<string, string>> = {
  amount: "amount = 100000000000",
  surcharge: "surcharge = -1",
  approved_amount: "approved_amount = amount + surcharge",
  captured_or_returned: "capture_status = 'uncaptured'",
  disputed: "disputed = captured + 1",
  fee_of_something: "fee = -1",
  settled_when_final: "phase = 'calling'",
  code_when_final: "code = null",
  capture_status_when_approved: "capture_status = null, captured = 0",
  returned: "code = 'D10005'",
  verification:
    "method = 'verification', capture_status = null, amount = 0, captured = 0, source = 'apple_pay'",
  payid: `payid = '{"type":"email"}'`,
  instrument_of_customer: "payment_instrument_id = 'ins', customer_id = null",
  updated_at: "updated_at = '2020-01-01T00:00:00Z'",
  currency: "currency = 'USD'",
  method: "method = 'gift'",
  source: "source = 'cheque'",
  origin: "origin = 'fax'",
  frequency: "frequency = 'twice'",
  capture_type: "capture_type = 'later'",
  authentication: "authentication = 'perhaps'",
};

/** What breaks each rule of refuse_invalid_payment_request in an open request of the embedded checkout. */
const PAYMENT_REQUESTS: Readonly<Record<string, string>> = {
  amount: "amount = -1",
  flow: "flow = 'fax'",
  page: "page_key = 'key'",
  logo: "logo_hash = 'hash'",
  payid: "payid_value = 'a@b.example'",
  payid_returns: "payid_returns = '{}'",
  completed_when_paid: "approved_transaction_id = 'txn'",
  stored: "customer_id = 'cus'",
  stored_when_paid: "payment_instrument_id = 'ins', customer_id = 'cus'",
  updated_at: "updated_at = '2020-01-01T00:00:00Z'",
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
  });
  after(() => gateway.stop());

  for (const [table, trigger, changes] of [
    ["transactions", "refuse_invalid_transaction", TRANSACTIONS],
    ["payment_requests", "refuse_invalid_payment_request", PAYMENT_REQUESTS],
  ] as const) {
    const change = (to: string) =>
      gateway.database.rows(`update ${table} set ${to} where id = $1 returning id`, [ids[table]]);

    test(`every rule of ${trigger} has its line here`, async () => {
      const [row] = await gateway.database.rows<{ source: string }>(
        "select prosrc as source from pg_proc where proname = $1",
        [trigger],
      );
      const rules = [...(row?.source ?? "").matchAll(/\n\s+then '(\w+)'/g)].map((match) => match[1] ?? "");
      assert.deepEqual(rules.toSorted(), Object.keys(changes).toSorted());
    });

    for (const [rule, to] of Object.entries(changes)) {
      test(`${table}: ${rule} is refused: ${to}`, async () => {
        await assert.rejects(change(to), { code: "23514", message: new RegExp(`"${table}_${rule}"$`) });
      });
    }

    test(`${table}: a new row that breaks a rule is refused`, async () => {
      const [row] = await gateway.database.rows<{ copy: object }>(
        `select to_jsonb(t) as copy from ${table} t where id = $1`,
        [ids[table]],
      );
      const insert = (changes: object) =>
        gateway.database.rows(
          `insert into ${table} select * from jsonb_populate_record(null::${table}, $1) returning id`,
          [{ ...row?.copy, id: "copy", payment_request_id: null, ...changes }],
        );
      await assert.rejects(insert({ amount: -1 }), {
        code: "23514",
        message: new RegExp(`"${table}_amount"$`),
      });
      assert.deepEqual(await insert({}), [{ id: "copy" }]);
    });

    test(`${table}: a valid change is accepted`, async () => {
      assert.deepEqual(await change("updated_at = updated_at"), [{ id: ids[table] }]);
    });
  }
});
