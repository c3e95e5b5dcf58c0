import { Agent } from "undici";
import { makeMerchant } from "../../tests/support/operator.ts";
import { query, queryOne } from "../stage/database.ts";

export type BenchShop = { readonly id: string; readonly key: string; readonly url: string };

/** As many connections as a busy merchant's server keeps; what finds none waits, and its wait is not counted. */
const client = new Agent({ connections: 32, headersTimeout: 60_000 });

const CREATE = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };

/** Merchants with an endpoint each, subscribed to their payment requests. */
export async function openShops(
  databaseUrl: string,
  apiPort: number,
  receiverPort: number,
  count: number,
): Promise<readonly BenchShop[]> {
  const shops: BenchShop[] = [];
  for (let place = 0; place < count; place += 1) {
    const { id, key } = await makeMerchant({ url: databaseUrl } as never, "sandbox", "AU");
    const url = `http://127.0.0.1:${receiverPort}/shop/${place}`;
    await callApi(apiPort, key, "/webhooks", { event: "payment_requests", url });
    shops.push({ id, key, url });
  }
  return shops;
}

export async function createRequest(apiPort: number, { key }: BenchShop): Promise<void> {
  await callApi(apiPort, key, "/paymentrequests", CREATE);
}

async function callApi(port: number, key: string, path: string, body: object): Promise<void> {
  const response = await client.request({
    origin: `http://127.0.0.1:${port}`,
    path,
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
}

/** The envelope of one real event. */
export async function envelopeOf(
  databaseUrl: string,
  shop: BenchShop,
): Promise<{ id: string; body: string }> {
  return queryOne(databaseUrl, `select id, body from events where merchant_id = '${shop.id}' limit 1`);
}

/** Writes that many copies of an event for each shop, each with an id of its own, and lets nobody deliver meanwhile. */
export async function writeBacklog(
  databaseUrl: string,
  shops: readonly BenchShop[],
  event: { readonly id: string; readonly body: string },
  each: number,
): Promise<void> {
  const ids = shops.map(({ id }) => `'${id}'`).join();
  await query(
    databaseUrl,
    `insert into delivery_leases (merchant_id, holder, until)
     select id, 'bench', now() + interval '1 hour' from merchants where id in (${ids})
     on conflict (merchant_id) do update set holder = excluded.holder, until = excluded.until`,
  );
  for (const { id } of shops) {
    await query(
      databaseUrl,
      `insert into events (merchant_id, id, event, resource_id, created_at, body)
       select '${id}', new_id, 'payment_requests', new_id, now(), replace('${event.body}', '${event.id}', new_id)
       from (select 'evt_01k' || lpad(n::text, 13, '0') || right('${id}', 13) as new_id
             from generate_series(1, ${each}) n) as made`,
    );
  }
  await query(databaseUrl, "analyze events");
  await query(databaseUrl, "analyze deliveries");
}

export async function releaseBacklog(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "delete from delivery_leases where holder = 'bench'");
}

/** How many deliveries are not written down as delivered. */
export async function countWaiting(databaseUrl: string): Promise<number> {
  const { waiting } = await queryOne<{ waiting: number }>(
    databaseUrl,
    "select count(*)::int as waiting from deliveries where status <> 'delivered'",
  );
  return waiting;
}
