import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { callApi, getTransaction, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { storedAccount } from "../support/debits.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariantsAndStop } from "../support/invariants.ts";
import { payIdRequestBody } from "../support/request-bodies.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import type { Point } from "../support/watched-context.ts";

/** The acquirer's time to answer, and five seconds. */
const RECOVERY_BEGINS_WITHIN_SECONDS = 20;
/** The bound in the guide for other languages. */
const DONE_WITHIN_MS = 30_000;

describe("contract 2: `original.status` of a key whose request was killed", { concurrency: 3 }, () => {
  let survivor: TestGateway;
  let shop: Shop;
  before(async () => {
    survivor = await startTestGateway();
    shop = shopOf(survivor);
  });
  after(() => assertInvariantsAndStop(survivor));

  /** Sends the request to a gateway that is killed meanwhile. Returns how another gateway answers a repeat. */
  async function killDuring(crashAt: Point, path: string, body?: object) {
    const headers = { "x-idempotency-key": `killed-at-${crashAt}` };
    const dying = await startGatewayProcess(survivor.database, crashAt, { TIDEGATE_ROLES: "api" });
    try {
      await assert.rejects(callApi({ ...dying.shop, headers }, "POST", path, body), TypeError);
      await dying.untilGone();
    } finally {
      await dying.kill();
    }
    return async () => {
      const repeat = await callApi({ ...shop, headers }, "POST", path, body);
      assert.equal(repeat.status, 409);
      assert.equal(repeat.body.result.codes[0].id, "V10018");
      return repeat.body.original as { readonly id: string; readonly status: string };
    };
  }

  /** Asserts that the recovery begins in time, and brings it forward. */
  async function assertRecoversInTime(transactionId: string): Promise<void> {
    const { rows } = survivor.database;
    const jobs = `kind in ('checkout_recover', 'transaction_operation') and subject_id in (
      select $1 union all select id from transaction_operations where transaction_id = $1)`;
    const [last] = await rows<{ seconds: number }>(
      `select extract(epoch from max(due_at) - now())::float8 as seconds from jobs where ${jobs}`,
      [transactionId],
    );
    assert.ok(last !== undefined && last.seconds > 0 && last.seconds <= RECOVERY_BEGINS_WITHIN_SECONDS);
    await rows(`update jobs set due_at = now() where ${jobs}`, [transactionId]);
  }

  test("is `done` for a direct debit as soon as it is committed", async () => {
    const account = await storedAccount(shop);
    const repeat = await killDuring(
      "transaction_insert_with_job:committed",
      "/transactions",
      chargeOf(account),
    );
    const original = await repeat();
    assert.equal(original.status, "done");
    assert.equal((await getTransaction(shop, original.id)).category.source, "direct_debit");
  });

  test("is `processing` until the job that registers a PayID begins", async () => {
    const repeat = await killDuring(
      "payment_request_insert_payid:committed",
      "/paymentrequests",
      payIdRequestBody("killed-payid"),
    );
    const { id, status } = await repeat();
    assert.equal(status, "processing");
    const bringForward = `update jobs set due_at = now() where kind = 'payid_register' and subject_id = $1
      and due_at < now() + make_interval(secs => $2) returning true`;
    const jobs = await survivor.database.rows(bringForward, [id, RECOVERY_BEGINS_WITHIN_SECONDS]);
    assert.equal(jobs.length, 1);
    await eventually("the key is done", async () => (await repeat()).status === "done");
  });

  test("is `processing` for a minute for a test ping, which nothing recovers", async () => {
    const url = "http://127.0.0.1:65001/";
    const { id } = (await callApi(shop, "POST", "/webhooks", { event: "payouts", url })).body;
    const repeat = await killDuring("idempotency_claim:committed", `/webhooks/${id}/test`);
    const age = (seconds: number) =>
      survivor.database.rows(
        `update idempotency_keys set created_at = now() - make_interval(secs => $1)
         where key = 'killed-at-idempotency_claim:committed'`,
        [seconds],
      );
    await age(30);
    assert.equal((await repeat()).status, "processing");
    await age(61);
    assert.equal((await repeat()).status, "done");
  });

  test("is `processing` until the recovery has finished a charge, at most 30 seconds after the request", async () => {
    const card = await storedCard(shop);
    // What the request takes is not counted: its gateway starts first.
    const repeat = await killDuring("authorise:after", "/transactions", chargeOf(card));
    const killedAt = Date.now();
    const { id, status } = await repeat();
    assert.equal(status, "processing");
    assert.equal((await getTransaction(shop, id)).result.status, "pending");
    await eventually("the key is done", async () => (await repeat()).status === "done", 2 * DONE_WITHIN_MS);
    assert.ok(Date.now() - killedAt < DONE_WITHIN_MS, `${Date.now() - killedAt} ms`);
    assert.equal((await getTransaction(shop, id)).result.status, "approved");
  });

  for (const [verb, call, after] of [
    ["capture", "capture", "captured"],
    ["cancel", "void", "voided"],
  ] as const)
    test(`is \`processing\` until the recovery has finished a ${call}`, async () => {
      const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
      const repeat = await killDuring(`${call}:after`, `/transactions/${transactionId}/${verb}`);
      assert.equal((await repeat()).status, "processing");
      await assertRecoversInTime(transactionId);
      await eventually("the key is done", async () => (await repeat()).status === "done");
      assert.equal((await getTransaction(shop, transactionId)).captureStatus, after);
    });
});
