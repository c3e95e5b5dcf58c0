import { Agent } from "undici";
import { makeMerchant } from "../../tests/support/operator.ts";
import { query, queryOne } from "../stage/database.ts";

export type BenchShop = { readonly id: string; readonly key: string; readonly url: string };

/** As many connections as a busy merchant's server keeps; waiting for a free one is not counted. */
const client = new Agent({ connections: 32, headersTimeout: 60_000 });

const CREATE = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };

type ShopPlace = { readonly databaseUrl: string; readonly apiPort: number; readonly receiverPort: number };

/** Creates merchants, each with an endpoint that is subscribed to its payment requests. */
export async function openShops(
  { databaseUrl, apiPort, receiverPort }: ShopPlace,
  path: string,
  count: number,
): Promise<readonly BenchShop[]> {
  const shops: BenchShop[] = [];
  for (let place = 0; place < count; place += 1) {
    const { id, key } = await makeMerchant({ url: databaseUrl } as never, "sandbox", "AU");
    const url = `http://127.0.0.1:${receiverPort}${path}${place}`;
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

/** Writes numbered copies of an event for each shop, while the backlog is held. */
export async function writeBacklog(
  databaseUrl: string,
  shops: readonly BenchShop[],
  event: { readonly id: string; readonly body: string },
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  for (const { id } of shops) {
    await query(
      databaseUrl,
      `insert into events (merchant_id, id, event, resource_id, created_at, body)
       select '${id}', new_id, 'payment_requests', new_id, now(), replace('${event.body}', '${event.id}', new_id)
       from (select 'evt_01k' || lpad(n::text, 13, '0') || right('${id}', 13) as new_id
             from generate_series(${first}, ${last}) n) as made`,
    );
  }
  await query(databaseUrl, "analyze events");
  await query(databaseUrl, "analyze deliveries");
}

/** Takes the shops' leases from the gateway, as if another node held them. */
export async function holdBacklog(databaseUrl: string, shops: readonly BenchShop[]): Promise<void> {
  const ids = shops.map(({ id }) => `'${id}'`).join();
  await query(
    databaseUrl,
    `insert into delivery_leases (merchant_id, holder, until)
     select id, 'bench', now() + interval '1 hour' from merchants where id in (${ids})
     on conflict (merchant_id) do update
       set holder = excluded.holder, until = excluded.until, session_pid = null, session_start = null`,
  );
}

export async function releaseBacklog(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "delete from delivery_leases where holder = 'bench'");
}

/** How many deliveries to these shops are still pending. */
export async function countWaiting(databaseUrl: string, shops: readonly BenchShop[]): Promise<number> {
  const ids = shops.map(({ id }) => `'${id}'`).join();
  const { waiting } = await queryOne<{ waiting: number }>(
    databaseUrl,
    `select count(*)::int as waiting from deliveries where status = 'pending' and merchant_id in (${ids})`,
  );
  return waiting;
}
