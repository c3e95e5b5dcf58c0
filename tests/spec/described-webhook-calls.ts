import type { TestGateway } from "../support/gateway.ts";
import { CHECKOUT } from "../support/request-bodies.ts";

/** A call to an operation: its path with ids filled in, and its body. */
export type DescribedCall = {
  readonly path: string;
  readonly body?: unknown;
  /** Another merchant's, or another gateway. */
  readonly key?: string;
  readonly at?: TestGateway;
};

export type DescribedCalls = (gateway: TestGateway) => Promise<readonly DescribedCall[]>;

export type Refused = readonly [operationId: string, code: string, call: DescribedCall];

/** No server listens there. */
const URL = "http://127.0.0.1:65001/hook";

async function clearWebhooks(gateway: TestGateway): Promise<void> {
  for (const { id } of (await gateway.get("/webhooks")).body.webhooks) {
    await gateway.call(`/webhooks/${id}`, { method: "DELETE" });
  }
}

async function newWebhook(gateway: TestGateway, event = "payment_requests"): Promise<string> {
  await clearWebhooks(gateway);
  return (await gateway.post("/webhooks", { event, url: URL })).body.id;
}

/** An event that has a subscription. */
async function newEvent(gateway: TestGateway): Promise<string> {
  await newWebhook(gateway);
  await gateway.post("/paymentrequests", CHECKOUT);
  return (await gateway.get("/events?limit=1&event=payment_requests")).body.events[0].id;
}

const lastHour = () => ({
  createdFrom: new Date(Date.now() - 3_600_000).toISOString(),
  createdTo: new Date(Date.now() + 3_600_000).toISOString(),
});

export const WEBHOOK_SUCCESSES: Readonly<Record<string, DescribedCalls>> = {
  createWebhook: async (gateway) => {
    await clearWebhooks(gateway);
    return [{ path: "/webhooks", body: { event: "transactions", url: URL } }];
  },
  listWebhooks: async (gateway) => {
    await newWebhook(gateway);
    return [{ path: "/webhooks" }, { path: "/webhooks?limit=1" }];
  },
  getWebhook: async (gateway) => [{ path: `/webhooks/${await newWebhook(gateway)}` }],
  changeWebhook: async (gateway) => {
    const path = `/webhooks/${await newWebhook(gateway)}`;
    return [
      { path, body: { url: "https://shop.example/hook", status: "disabled" } },
      { path, body: {} },
    ];
  },
  deleteWebhook: async (gateway) => [{ path: `/webhooks/${await newWebhook(gateway)}` }],
  testWebhook: async (gateway) => [{ path: `/webhooks/${await newWebhook(gateway)}/test` }],
  getWebhookSigningKey: async () => [{ path: "/webhooks/signingkey" }],
  rotateWebhookSigningKey: async () => [{ path: "/webhooks/signingkey/rotate" }],
  getWebhookSettings: async () => [{ path: "/webhooks/settings" }],
  changeWebhookSettings: async () => [
    { path: "/webhooks/settings", body: { username: "me", password: "word", header: "X-Authorization" } },
    { path: "/webhooks/settings", body: { username: null, password: null } },
  ],
  listDeliveries: async (gateway) => [{ path: `/events/${await newEvent(gateway)}/deliveries` }],
  redeliverEvent: async (gateway) => [{ path: `/events/${await newEvent(gateway)}/redeliver` }],
  redeliverEvents: async (gateway) => {
    await newEvent(gateway);
    return [{ path: "/events/redeliver", body: { ...lastHour(), event: "payment_requests" } }];
  },
};

export async function refusedWebhookCalls(gateway: TestGateway): Promise<readonly Refused[]> {
  const event = await newEvent(gateway);
  await clearWebhooks(gateway);
  const create = (body: unknown): DescribedCall => ({ path: "/webhooks", body });
  const settings = (body: unknown): DescribedCall => ({ path: "/webhooks/settings", body });
  await gateway.put("/webhooks/settings", { username: null, password: null });
  await gateway.post("/webhooks", { event: "customers", url: URL });
  return [
    ["createWebhook", "V11910", create({ event: "customers", url: URL })],
    ["createWebhook", "V11903", create({ event: "payouts", url: "http://10.0.0.1/" })],
    ["createWebhook", "V11904", create({ event: "payouts", url: "http://127.0.0.1:25/" })],
    ["createWebhook", "V11900", create({ event: "ping", url: URL })],
    ["changeWebhookSettings", "V11921", settings({ username: "me" })],
    ["changeWebhookSettings", "V11920", settings({ username: "a:b", password: "c" })],
    ["redeliverEvent", "V11930", { path: `/events/${event}/redeliver` }],
    [
      "redeliverEvents",
      "V11932",
      { path: "/events/redeliver", body: { ...lastHour(), createdTo: "2020-01-01T00:00:00Z" } },
    ],
    ["listDeliveries", "V11021", { path: `/events/${event}/deliveries?cursor=nonsense` }],
  ];
}
