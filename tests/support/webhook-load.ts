import assert from "node:assert/strict";
import { type BadEndpoint, startBadEndpoints } from "./bad-endpoints.ts";
import { eventually } from "./eventually.ts";
import type { TestGateway } from "./gateway.ts";
import type { Received } from "./receiver.ts";
import { type ShopWithWebhook, shopWithWebhook } from "./webhooks.ts";

/** Milliseconds from the answer to a create until its event arrives, at shops with healthy endpoints. */
async function timeHealthy(
  shops: readonly ShopWithWebhook[],
  eventsEach: number,
): Promise<readonly number[]> {
  const made = new Map<string, number>();
  await Promise.all(
    shops.map(async (shop) => {
      for (let count = 0; count < eventsEach; count += 1) made.set(await shop.create(), Date.now());
    }),
  );
  const arrivals = () => shops.flatMap(({ receiver }) => receiver.received);
  const arrived = await eventually(
    "every event has arrived",
    async () => {
      const mine = arrivals().filter((one) => made.has(resourceOf(one)));
      return mine.length >= made.size && mine;
    },
    60_000,
  );
  return arrived.map((one) => Math.max(0, one.at - (made.get(resourceOf(one)) ?? one.at)));
}

function p99(latencies: readonly number[]): number {
  const sorted = latencies.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}

const resourceOf = ({ body }: Received): string => JSON.parse(body).payload.id;

export type BadShop = BadEndpoint & {
  readonly merchantId: string;
  readonly webhookId: string;
  readonly key: string;
};

/** Creates a merchant for every bad endpoint, each with `eventsEach` undelivered events. */
async function loadBadEndpoints(gateway: TestGateway, eventsEach: number): Promise<readonly BadShop[]> {
  const shops: BadShop[] = [];
  for (const endpoint of await startBadEndpoints()) {
    const { id: merchantId, key } = await gateway.newMerchant();
    const made = await gateway.post("/webhooks", { event: "payment_requests", url: endpoint.url }, { key });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    shops.push({ ...endpoint, merchantId, key, webhookId: made.body.id });
  }
  for (const { merchantId } of shops) await writeEvents(gateway, merchantId, eventsEach);
  return shops;
}

/** Writes events as the gateway does, but without payment requests: the fastest way to many deliveries. */
export async function writeEvents(
  gateway: Pick<TestGateway, "database">,
  merchantId: string,
  count: number,
  after = 0,
): Promise<void> {
  await gateway.database.rows(
    `insert into events (merchant_id, id, event, resource_id, created_at, body)
     select $1, event_id, 'payment_requests', resource_id, now(), json_build_object('id', event_id, 'reference', 'load',
       'created', now(), 'version', '1.0.0', 'event', 'payment_requests', 'payload', json_build_object('id', resource_id))
     from (select 'evt_01k' || lpad(n::text, 13, '0') || right($1, 13) as event_id,
             'pr_01k' || lpad(n::text, 13, '0') || right($1, 13) as resource_id
           from generate_series($3::int + 1, $3::int + $2::int) n) as made`,
    [merchantId, count, after],
  );
}

type Standing = { readonly status: string; readonly attempts: number; readonly error: string | null };

/** Asserts that the first attempt at each bad endpoint had the expected outcome, and that no delivery is lost. */
async function assertOnRecord(
  gateway: TestGateway,
  shops: readonly BadShop[],
  eventsEach: number,
): Promise<void> {
  for (const shop of shops) {
    const one = await eventually(`a first outcome at the endpoint of kind ${shop.kind}`, async () => {
      const rows = await gateway.database.rows<Standing>(
        `select status, attempts, error from deliveries where webhook_id = $1 and attempts > 0
           order by (status = $2) desc limit 1`,
        [shop.webhookId, shop.expected.status],
      );
      return rows[0];
    });
    assert.equal(one.status, shop.expected.status, shop.kind);
    if (shop.expected.error === null) assert.equal(one.error, null, shop.kind);
    else assert.match(one.error ?? "", shop.expected.error, shop.kind);
    const [total] = await gateway.database.rows<{ count: number }>(
      "select count(*)::int as count from deliveries where webhook_id = $1",
      [shop.webhookId],
    );
    assert.equal(total?.count, eventsEach, shop.kind);
  }
}

/** Proves I12 on one gateway: bad endpoints of every kind do not delay deliveries to healthy ones. */
export async function proveIsolation(
  gateway: TestGateway,
  sizes: { readonly healthy: number; readonly bad: number },
): Promise<{ readonly baseline: number; readonly underLoad: number }> {
  const healthy = await Promise.all(Array.from({ length: 3 }, () => shopWithWebhook(gateway)));
  await timeHealthy(healthy, 3);
  const baseline = p99(await timeHealthy(healthy, sizes.healthy));
  const bad = await loadBadEndpoints(gateway, sizes.bad);
  const first = p99(await timeHealthy(healthy, sizes.healthy));
  const most = 2 * baseline + 1_000;
  // Bad endpoints would delay the second round, too; what else the machine does seldom spoils both.
  const underLoad = first <= most ? first : Math.min(first, p99(await timeHealthy(healthy, sizes.healthy)));
  assert.ok(underLoad <= most, `healthy p99 is ${underLoad} ms with bad endpoints, ${baseline} ms without`);
  await assertOnRecord(gateway, bad, sizes.bad);
  return { baseline, underLoad };
}
