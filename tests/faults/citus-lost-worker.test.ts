import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { instant, later, toIso } from "../../src/kernel/time.ts";
import { createRequest, payOnce, shopOf } from "../support/checkout.ts";
import {
  type ClusterWorker,
  cannotCut,
  cloneBehindProxies,
  type DatabaseBehindProxies,
} from "../support/cluster-outage.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { settle } from "../support/settle.ts";
import { type ShopWithWebhook, shopWithWebhook } from "../support/webhooks.ts";

const WITHIN_MS = 30_000;

describe("while one worker of a cluster is away", { skip: cannotCut }, () => {
  let cluster: DatabaseBehindProxies;
  let gateway: TestGateway;
  before(async () => {
    cluster = await cloneBehindProxies();
    gateway = await startTestGateway({ database: cluster.database });
  });
  afterEach(() => {
    for (const { proxy } of cluster.workers) proxy.set("pass");
  });
  after(async () => {
    await gateway.stop();
    await cluster.drop();
  });

  async function shopOn(worker: ClusterWorker): Promise<ShopWithWebhook> {
    for (;;) {
      const shop = await shopWithWebhook(gateway, undefined, "*");
      if (await worker.serves(shop.id)) return shop;
    }
  }
  const create = (shop: ShopWithWebhook) => shop.post("/paymentrequests", CHECKOUT);
  /** A request that expires within some seconds. Moved now: a clock moves on every server. */
  async function endingSoon(shop: ShopWithWebhook): Promise<string> {
    const expiryDateTime = toIso(later(instant(Date.now()), 65_000));
    const { id } = await createRequest(shopOf(gateway, shop.key), { expiryDateTime });
    await shop.advance(60);
    return id;
  }
  const has = ({ receiver }: ShopWithWebhook, id: string, status: string) =>
    receiver.received.some(({ body }) => body.includes(id) && body.includes(`"${status}"`));

  for (const which of [0, 1])
    test(`merchants on the other servers go on, and all settles when it is back: worker ${which + 1}`, async () => {
      const lost = cluster.workers[which];
      const other = cluster.workers[1 - which];
      assert.ok(lost !== undefined && other !== undefined);
      const [dark, lit] = [await shopOn(lost), await shopOn(other)];
      // The vault makes keys at the first payment, on every server.
      for (const { key } of [dark, lit]) await payOnce(shopOf(gateway, key));
      const [late, due] = [await endingSoon(dark), await endingSoon(lit)];
      // Deliveries of disabled subscriptions are closed on all servers, so not now; others' go on.
      const { id: disabled } = (await lit.post("/webhooks", { event: "*", url: "http://127.0.0.1:65001/" }))
        .body;
      await lit.create();
      await cluster.database.rows(
        "update webhooks set status = 'disabled' where merchant_id = $1 and id = $2",
        [lit.id, disabled],
      );
      // Outcomes of the lost merchant's deliveries wait while others' are written.
      dark.receiver.answer((response) => void setTimeout(() => response.end(), 1_500));
      const inFlight = await dark.create();
      await eventually("its event is on its way", async () => has(dark, inFlight, "created"));

      lost.proxy.set("refuse");
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, index) => create(index % 2 === 0 ? dark : lit)),
      );
      assert.deepEqual(
        made.map(({ status }) => status),
        made.map((_, index) => (index % 2 === 0 ? 503 : 200)),
      );
      const { requestId } = await payOnce(shopOf(gateway, lit.key));
      await eventually("its events arrive", async () => has(lit, requestId, "completed"), WITHIN_MS);
      await eventually(
        "its deliveries are on record",
        async () => {
          const rows = await cluster.database.rows(
            "select from deliveries where merchant_id = $1 and webhook_id <> $2 and status <> 'delivered'",
            [lit.id, disabled],
          );
          return rows.length === 0;
        },
        WITHIN_MS,
      );
      await eventually("its request expires by itself", async () => has(lit, due, "expired"), WITHIN_MS);
      assert.equal(has(dark, late, "expired"), false);

      lost.proxy.set("pass");
      await eventually(
        "the lost merchant's request expires",
        async () => has(dark, late, "expired"),
        WITHIN_MS,
      );
      assert.equal((await create(dark)).status, 200);
      await payOnce(shopOf(gateway, dark.key));
      await settle(cluster.database, Date.now());
      await assertInvariants(cluster.database);
    });
});
