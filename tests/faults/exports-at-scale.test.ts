import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { heapGrowth } from "../support/live-heap.ts";
import { makeTransactions } from "../support/many-payments.ts";

const ROWS = 40_000;
const MEGABYTES = 16;

describe("an export of many rows", () => {
  let gateway: TestGateway;
  let key: string;
  before(async () => {
    gateway = await startTestGateway();
    const merchant = await gateway.newMerchant();
    key = merchant.key;
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);
    await makeTransactions(run, { merchantId: merchant.id, rows: ROWS, until: Date.now(), span: 86_400_000 });
    await client.end();
  });
  after(() => gateway.stop());

  for (const [order, query] of [
    ["creation", ""],
    ["change", "?updatedFrom=2020-01-01T00:00:00Z"],
  ] as const) {
    test(`by ${order} has every row once, in bounded memory`, async () => {
      const ids = new Uint8Array(ROWS);
      let lines = 0;
      const growth = await heapGrowth(async () => {
        const answer = await fetch(`${gateway.baseUrl}/transactions.csv${query}`, {
          headers: { "x-api-key": key },
        });
        assert.equal(answer.headers.get("content-length"), null);
        let rest = "";
        for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const parts = (rest + chunk).split("\r\n");
          rest = parts.pop() ?? "";
          for (const line of parts) {
            lines += 1;
            const number = /,order-(\d+),/.exec(line)?.[1];
            if (number !== undefined) ids[Number(number) - 1] = 1;
          }
        }
      });
      assert.equal(lines, ROWS + 1);
      assert.ok(ids.every((seen) => seen === 1));
      assert.ok(growth < MEGABYTES, `${growth.toFixed(1)} MB`);
    });
  }
});
