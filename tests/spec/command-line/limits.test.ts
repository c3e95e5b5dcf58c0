import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DECLARATIONS } from "../../../src/cli/generated/declarations.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { typeCommand } from "../../support/typed-command.ts";

describe("command line: a list with a limit says whether it is complete", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  async function list(field: string, ...words: readonly string[]) {
    const { json, warnings } = await typeCommand(gateway, ...words);
    const { complete, [field]: rows } = json as Record<string, readonly unknown[]>;
    return [rows?.length, complete, warnings];
  }

  test("1,000 transfers without a payment request", async () => {
    const insert = (from: number, to: number) =>
      gateway.database.rows(
        `insert into incoming_transfers (id, mode, message, payid, amount, status, reason, received_at)
         select 'tr_' || n, 'live', 'm' || n, 'x@y.example', 1, 'returned', 'unknown', now()
         from generate_series($1::int, $2::int) n`,
        [from, to],
      );
    const name = DECLARATIONS.find((one) => one.name.startsWith("payid "))?.name.split(" ") ?? [];
    await insert(1, 1_000);
    assert.deepEqual(await list("transfers", ...name), [1_000, true, []]);
    await insert(1_001, 1_001);
    const warnings = ["only the first 1000 are listed"];
    assert.deepEqual(await list("transfers", ...name), [1_000, false, warnings]);
  });

  test("100 batches of bank files", async () => {
    const { id } = await gateway.newMerchant({ mode: "live" });
    const insert = (from: number, to: number) =>
      gateway.database.rows(
        `insert into debit_batches (merchant_id, id, rail, currency, day, debits, total, created_at, status)
         select $3, 'bat_' || n, 'file', 'AUD', current_date, 1, 1, now(), 'submitted'
         from generate_series($1::int, $2::int) n`,
        [from, to, id],
      );
    await insert(1, 100);
    assert.deepEqual(await list("batches", "debit", "batches", "--merchant", id), [100, true, []]);
    await insert(101, 101);
    const warnings = ["only the first 100 are listed"];
    assert.deepEqual(await list("batches", "debit", "batches", "--merchant", id), [100, false, warnings]);
  });
});
