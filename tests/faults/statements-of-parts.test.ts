import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import type { Tx } from "../../src/platform/db/database.ts";
import { DISTRIBUTED_TABLES } from "../../src/platform/db/distribution.ts";
import { SUCCESSES } from "../spec/described-calls.ts";
import { payOnce, shopOf } from "../support/checkout.ts";
import { disputeOf } from "../support/disputes.ts";
import { startTestGateway } from "../support/gateway.ts";
import { createHosted } from "../support/hosted-page.ts";
import { everyStatement, OF_PARTS, readStatement } from "../support/merchant-scopes.ts";
import { payIdShop } from "../support/payid.ts";
import { CARD_FORM, visitPage } from "../support/visit-page.ts";

/** Needs an acquirer that approves after the gateway has given up; it takes both values from one transaction. */
const NOT_RUN = "transaction_change_late_approval";

/** Kinds of calls of which each statement of parts has one. */
const CALLS = [
  "createTransaction",
  "captureTransaction",
  "cancelTransaction",
  "createRefund",
  "cancelPaymentRequest",
  "createCustomer",
  "changeCustomer",
  "createPaymentInstrument",
  "changePaymentInstrument",
  "deletePaymentInstrument",
];

type Run = { readonly text: string; readonly parameters: readonly unknown[] };

test("a statement of parts takes the same merchant for each of them", async () => {
  const runs = new Map<string, Run[]>();
  const watched = <Watched extends Tx>(tx: Watched): Watched => ({
    ...tx,
    rows: (statement, parameters) => {
      if (OF_PARTS.includes(statement.name)) {
        const one = { text: statement.text, parameters };
        runs.set(statement.name, [...(runs.get(statement.name) ?? []), one]);
      }
      return tx.rows(statement, parameters);
    },
  });
  const gateway = await startTestGateway({
    wrapContext: (ctx) => ({
      ...ctx,
      db: { ...watched(ctx.db), transaction: (work) => ctx.db.transaction((tx) => work(watched(tx))) },
    }),
  });
  const client = new pg.Client({ connectionString: gateway.database.url });
  await client.connect();
  try {
    const shop = shopOf(gateway);
    await payOnce(shop);
    await disputeOf(shop);
    const payIds = payIdShop(gateway);
    await payIds.pay((await payIds.request()).payId, 3000);
    await visitPage(shop, (await createHosted(shop)).hostedPaymentPage.url, CARD_FORM);
    const calls: string[] = [];
    for (const name of CALLS)
      for (const { path, body } of (await SUCCESSES[name]?.(gateway)) ?? assert.fail(name)) {
        const method = /^(change|delete)/.exec(name)?.[1];
        const answer = await gateway.call(path, {
          method: method === undefined ? "POST" : method === "change" ? "PUT" : "DELETE",
          ...(body === undefined ? {} : { body }),
        });
        calls.push(`${name} ${answer.status}`);
      }
    assert.deepEqual(
      calls.filter((call) => !/ 20\d$/.test(call)),
      [],
    );

    await client.query("set plan_cache_mode = force_generic_plan");
    const distributed = new Set<string>(DISTRIBUTED_TABLES);
    const found = await everyStatement();
    for (const name of OF_PARTS.filter((one) => one !== NOT_RUN)) {
      const all = runs.get(name) ?? assert.fail(`${name} was not run`);
      assert.ok(found.some((one) => one.name === name));
      const { merchants } = await readStatement(client, all[0]?.text ?? "", distributed);
      assert.ok(merchants.size > 1, `${name} has no parts`);
      for (const { parameters } of all) {
        const values = [...merchants].map((place) => parameters[Number(place.slice(1)) - 1]);
        assert.match(String(values[0]), /^mer_/, `${name} takes no merchant`);
        assert.equal(new Set(values).size, 1, `${name} takes ${values.join(" and ")}`);
      }
    }
  } finally {
    await client.end();
    await gateway.stop();
  }
});
