import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AdyenGateway, startAdyenGateway } from "../support/adyen-gateway.ts";
import { callApi, getTransaction, ok, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { storedAccount } from "../support/debits.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { findBesideHost } from "../support/iso-host/find-beside-host.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { payIdRequestBody } from "../support/request-bodies.ts";
import { chargeOf, storedCard } from "../support/stored-cards.ts";
import type { Point } from "../support/watched-context.ts";

/** When the recovery begins, by the guide for other languages, after a call with these times to answer. */
const begins = (...timesToAnswer: readonly number[]) => timesToAnswer.reduce((sum, one) => sum + one, 5);
const [SIMULATOR, ADYEN] = [15, 15];
/** With `responseSeconds` 1. */
const ISO8583 = 2 * 1 + 2;
/** What the guide leaves for a recovery that is answered at once: a node finds the job, and asks. */
const AT_ONCE_SECONDS = 10;

// Each waits in real time; nothing is brought forward.
describe("contract 2: `original.status` of a key whose request was killed", { concurrency: 12 }, () => {
  let survivor: TestGateway;
  let shop: Shop;
  let adyen: AdyenGateway;
  let host: IsoHost;
  let besideHost: { readonly id: string; readonly key: string };
  let made = 0;
  before(async () => {
    survivor = await startTestGateway();
    shop = shopOf(survivor);
    adyen = await startAdyenGateway();
    host = await startIsoHost();
    besideHost = await survivor.newMerchant();
    await addIsoAccount(survivor.database, besideHost.id, host.port, { responseSeconds: 1 });
  });
  after(async () => {
    try {
      assert.deepEqual(await findBesideHost(survivor.database, besideHost.id), []);
    } finally {
      await adyen.stop();
      await survivor.stop();
      await host.stop();
    }
  });

  /**
   * Sends the request to a gateway that is killed meanwhile. Returns how another gateway answers a repeat, and when the request
   * was sent and killed.
   */
  async function killDuring(
    crashAt: Point,
    path: string,
    { body, as = shop, at = survivor }: { body?: object; as?: Shop; at?: Pick<TestGateway, "database"> } = {},
  ) {
    made += 1;
    const headers = { "x-idempotency-key": `killed-${made}` };
    const dying = await startGatewayProcess(at.database, crashAt, { TIDEGATE_ROLES: "api" });
    const sentAt = Date.now();
    try {
      await assert.rejects(callApi({ ...dying.shop, key: as.key, headers }, "POST", path, body), TypeError);
      await dying.untilGone();
    } finally {
      await dying.kill();
    }
    const killedAt = Date.now();
    const repeat = async () => {
      const answer = await callApi({ ...as, headers }, "POST", path, body);
      assert.equal(answer.status, 409);
      assert.equal(answer.body.result.codes[0].id, "V10018");
      return answer.body.original as { readonly id: string; readonly status: string };
    };
    return { repeat, key: headers["x-idempotency-key"], sentAt, killedAt };
  }

  /** Asserts that the key is `processing` until the recovery begins, and `done` soon after that. Returns the id that it names. */
  async function assertDoneAfter(
    beginsAfter: number,
    { repeat, sentAt, killedAt }: Awaited<ReturnType<typeof killDuring>>,
  ): Promise<string> {
    const { id, status } = await repeat();
    assert.equal(status, "processing");
    const most = 1_000 * (beginsAfter + AT_ONCE_SECONDS);
    await eventually("the key is done", async () => (await repeat()).status === "done", 2 * most);
    const [sinceSent, sinceKilled] = [Date.now() - sentAt, Date.now() - killedAt];
    assert.ok(sinceSent >= 1_000 * beginsAfter, `already ${sinceSent} ms after the request`);
    assert.ok(sinceKilled < most, `${sinceKilled} ms`);
    return id;
  }

  test("is `done` for a direct debit as soon as it is committed", async () => {
    const body = chargeOf(await storedAccount(shop));
    const { repeat } = await killDuring("transaction_insert_with_job:committed", "/transactions", { body });
    const original = await repeat();
    assert.equal(original.status, "done");
    assert.equal((await getTransaction(shop, original.id)).category.source, "direct_debit");
  });

  test("is `done` for a refund as soon as it is committed", async () => {
    const { transactionId } = await payOnce(shop);
    const path = `/transactions/${transactionId}/refunds`;
    const { repeat } = await killDuring("refund_insert:committed", path, { body: {} });
    const original = await repeat();
    assert.equal(original.status, "done");
    assert.equal(ok(await callApi(shop, "GET", `/refunds/${original.id}`)).transactionId, transactionId);
  });

  test("is `processing` until the job that registers a PayID begins, 20 seconds after the request", async () => {
    const body = payIdRequestBody("killed-payid");
    const killed = await killDuring("payment_request_insert_payid:committed", "/paymentrequests", { body });
    await assertDoneAfter(20, killed);
  });

  test("is `processing` for a minute for a test ping, which nothing recovers", async () => {
    const url = "http://127.0.0.1:65001/";
    const { id } = (await callApi(shop, "POST", "/webhooks", { event: "payouts", url })).body;
    const { repeat, key } = await killDuring("idempotency_claim:committed", `/webhooks/${id}/test`);
    const age = (seconds: number) =>
      survivor.database.rows(
        "update idempotency_keys set created_at = now() - make_interval(secs => $1) where key = $2",
        [seconds, key],
      );
    await age(30);
    assert.equal((await repeat()).status, "processing");
    await age(61);
    assert.equal((await repeat()).status, "done");
  });

  test("is `processing` until the recovery has finished a charge", async () => {
    const body = chargeOf(await storedCard(shop));
    const killed = await killDuring("authorise:after", "/transactions", { body });
    const id = await assertDoneAfter(begins(SIMULATOR), killed);
    assert.equal((await getTransaction(shop, id)).result.status, "approved");
  });

  for (const accounts of [1, 2])
    test(`is \`processing\` until the recovery of a charge with ${accounts} of Adyen's accounts has begun, and \`done\` although its outcome is not known`, async () => {
      const own = Array.from({ length: accounts }, () => ({}));
      const { shop: as } = await adyen.newShop(...own);
      const body = chargeOf(await storedCard(as));
      const killed = await killDuring("authorise:after", "/transactions", { body, as, at: adyen.gateway });
      const id = await assertDoneAfter(begins(...own.map(() => ADYEN)), killed);
      // Adyen notifies of the reversal, and nothing delivers that here.
      assert.equal((await getTransaction(as, id)).result.status, "pending");
    });

  test("is `processing` until the recovery has reversed a charge over ISO 8583", async () => {
    const as = shopOf(survivor, besideHost.key);
    const body = chargeOf(await storedCard(as));
    const killed = await killDuring("authorise:after", "/transactions", { body, as });
    const id = await assertDoneAfter(begins(ISO8583), killed);
    assert.equal((await getTransaction(as, id)).result.status, "declined");
  });

  test("is `processing` until the recovery has found that the account of a charge cannot be opened", async () => {
    const {
      shop: as,
      accounts: [account],
    } = await adyen.newShop();
    const body = chargeOf(await storedCard(as));
    const killed = await killDuring("authorise:after", "/transactions", { body, as, at: adyen.gateway });
    const { rows } = adyen.gateway.database;
    await rows("update acquirer_accounts set sealed_settings = 'key.AAAA.AAAA' where id = $1", [account]);
    await rows("update cache_versions set version = version + 1");
    const id = await assertDoneAfter(begins(ADYEN), killed);
    const failed = "select 1 from jobs where subject_id = $1 and problem like '%AccountUnusable%'";
    await eventually("the recovery has failed", async () => (await rows(failed, [id])).length > 0);
    assert.equal((await getTransaction(as, id)).result.status, "pending");
  });

  for (const [verb, call, after] of [
    ["capture", "capture", "captured"],
    ["cancel", "void", "voided"],
  ] as const)
    test(`is \`processing\` until the recovery has finished a ${call}`, async () => {
      const { transactionId } = await payOnce(shop, { category: { captureType: "manual" } });
      const killed = await killDuring(`${call}:after`, `/transactions/${transactionId}/${verb}`);
      await assertDoneAfter(begins(SIMULATOR), killed);
      assert.equal((await getTransaction(shop, transactionId)).captureStatus, after);
    });

  test("is `processing` for a capture until its outcome is known, also after its answer `pending`", async () => {
    const { shop: as, accounts } = await adyen.newShop();
    const { transactionId } = await payOnce(as, { category: { captureType: "manual" } });
    const capture = () =>
      callApi(
        { ...as, headers: { "x-idempotency-key": "pending-capture" } },
        "POST",
        `/transactions/${transactionId}/capture`,
      );
    assert.equal(ok(await capture()).result.status, "pending");
    assert.equal((await capture()).body.original.status, "processing");
    for (const body of adyen.fake.takeNotifications()) await adyen.notify(accounts[0] ?? "", body);
    assert.equal((await capture()).body.original.status, "done");
    assert.equal((await getTransaction(as, transactionId)).captureStatus, "captured");
  });
});
