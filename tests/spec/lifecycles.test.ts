import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { lifecycle as accountLifecycle } from "../../src/features/acquirer-accounts/acquirer-account.ts";
import { lifecycle as deliveryLifecycle } from "../../src/features/deliveries/delivery.ts";
import { batchLifecycle } from "../../src/features/direct-debits/direct-debit.ts";
import { lifecycle as disputeLifecycle } from "../../src/features/disputes/dispute.ts";
import { lifecycle as incomingTransferLifecycle } from "../../src/features/incoming-transfers/incoming-transfer.ts";
import { lifecycle as paymentRequestLifecycle } from "../../src/features/payment-requests/payment-request.ts";
import { buildLifecycle } from "../../src/features/payouts/payout.ts";
import { lifecycle as refundLifecycle } from "../../src/features/refunds/refund.ts";
import { lifecycle as tokenLifecycle } from "../../src/features/tokens/token.ts";
import { operationLifecycle } from "../../src/features/transactions/operations/operation.ts";
import {
  captureLifecycle,
  phaseLifecycle,
  lifecycle as transactionLifecycle,
} from "../../src/features/transactions/transaction.ts";
import { lifecycle as webhookLifecycle } from "../../src/features/webhooks/webhook.ts";
import { CODES_BY_ID } from "../../src/kernel/codes/catalogue.ts";
import { keyLifecycle } from "../../src/platform/idempotency/queries.ts";
import { findLifecycles } from "../../tools/docs/find-lifecycles.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";

/** The column of each lifecycle. A new lifecycle gets its line here. */
const COLUMNS = [
  { lifecycle: paymentRequestLifecycle, table: "payment_requests", column: "status" },
  { lifecycle: tokenLifecycle, table: "one_time_tokens", column: "status" },
  { lifecycle: transactionLifecycle, table: "transactions", column: "status" },
  { lifecycle: phaseLifecycle, table: "transactions", column: "phase" },
  { lifecycle: captureLifecycle, table: "transactions", column: "capture_status" },
  { lifecycle: operationLifecycle, table: "transaction_operations", column: "status" },
  { lifecycle: refundLifecycle, table: "refunds", column: "status" },
  { lifecycle: accountLifecycle, table: "acquirer_accounts", column: "status" },
  { lifecycle: disputeLifecycle, table: "disputes", column: "status" },
  { lifecycle: webhookLifecycle, table: "webhooks", column: "status" },
  { lifecycle: deliveryLifecycle, table: "deliveries", column: "status" },
  { lifecycle: batchLifecycle, table: "debit_batches", column: "status" },
  { lifecycle: incomingTransferLifecycle, table: "incoming_transfers", column: "status" },
  { lifecycle: buildLifecycle, table: "payout_builds", column: "phase" },
  { lifecycle: keyLifecycle, table: "idempotency_keys", column: "status" },
] as const;

describe("spec 3: states and transitions", () => {
  let database: TestDatabase;
  before(async () => {
    database = await cloneDatabase();
  });
  after(() => database.drop());

  /** The values that single-column check constraints allow. */
  async function allowedIn(table: string, column: string): Promise<readonly string[]> {
    const checks = await database.rows<{ definition: string }>(
      `select pg_get_constraintdef(k.oid) as definition from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
       where k.contype = 'c' and k.conrelid = $1::regclass and a.attname = $2`,
      [table, column],
    );
    return checks.flatMap(({ definition }) =>
      [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value ?? ""),
    );
  }

  test("every lifecycle in the code has its column here", async () => {
    const found = (await findLifecycles()).map(({ table }) => table);
    assert.equal(found.length, COLUMNS.length);
    for (const { lifecycle } of COLUMNS)
      assert.ok(found.some((table) => isDeepStrictEqual(table, lifecycle)));
  });

  test("every column of a state has its lifecycle here", async () => {
    // Citus names the copy of a table on one server after it, with a number.
    const columns = await database.rows<{ table: string; column: string }>(
      `select distinct k.conrelid::regclass::text as table, a.attname as column from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
       where k.contype = 'c' and a.attname ~ '^(.*_)?(status|phase)$' and pg_get_constraintdef(k.oid) like '%= ANY%'
         and k.conrelid::regclass::text !~ '_[0-9]{6,}$'`,
    );
    const named = (all: readonly { table: string; column: string }[]) =>
      all.map(({ table, column }) => `${table}.${column}`).toSorted();
    assert.deepEqual(named(columns), named(COLUMNS));
  });

  test("the database allows exactly the lifecycle's states, and every transition ends in one of them", async () => {
    for (const { lifecycle, table, column } of COLUMNS) {
      const known: readonly string[] = Object.keys(lifecycle).toSorted();
      assert.deepEqual((await allowedIn(table, column)).toSorted(), known, `${table}.${column}`);
      const transitions: readonly Readonly<Record<string, string>>[] = Object.values(lifecycle);
      for (const to of transitions.flatMap((triggers) => Object.values(triggers))) {
        assert.ok(known.includes(to));
      }
    }
    assert.deepEqual((await allowedIn("payment_requests", "currency")).toSorted(), ["AUD", "NZD"]);
  });
});

describe("contract 2: the catalogue of codes", () => {
  const entries = Object.entries(CODES_BY_ID);
  /** Numbers defined by the specification or the gateway family; all others are V11000 and up. */
  const EXTERNAL = /^([ADS]\d{5}|V10(004|018|08[6-9]|090|21[4-9]))$/;

  test("a code is a letter and five digits, and one that we define is V11000 or above", () => {
    for (const [id] of entries) {
      assert.match(id, /^[ADVS]\d{5}$/);
      assert.ok(EXTERNAL.test(id) || (id.startsWith("V") && Number(id.slice(1)) >= 11_000), id);
    }
    assert.doesNotMatch("V10500", EXTERNAL);
  });

  test("every message is in snake_case and unique", () => {
    const messages = entries.map(([, { message }]) => message);
    for (const message of messages) assert.match(message, /^[a-z0-9]+(_[a-z0-9]+)*$/);
    assert.deepEqual(messages, [...new Set(messages)]);
  });

  test("every meaning is a sentence", () => {
    for (const [id, { meaning }] of entries) assert.match(meaning, /^\S.*\.$/, id);
  });
});
