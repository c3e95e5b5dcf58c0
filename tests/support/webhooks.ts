import assert from "node:assert/strict";
import type { Answer } from "./calls.ts";
import { eventually } from "./eventually.ts";
import type { TestGateway } from "./gateway.ts";
import { type Receiver, type Reply, startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";

/** A new merchant with an endpoint that is subscribed to its payment requests. */
export type ShopWithWebhook = {
  readonly id: string;
  readonly key: string;
  readonly webhookId: string;
  readonly receiver: Receiver;
  /** Creates a payment request; returns its id. */
  readonly create: () => Promise<string>;
  readonly cancel: (requestId: string) => Promise<void>;
  readonly advance: (seconds: number) => Promise<void>;
  /** The event of the newest change of a resource. */
  readonly eventOf: (resourceId: string) => Promise<string>;
  readonly attemptsOf: (eventId: string) => Promise<readonly ShownAttempt[]>;
  /** Waits until the newest attempt of an event has that number (and status). */
  readonly untilAttempt: (eventId: string, attempt: number, status?: string) => Promise<ShownAttempt>;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
  readonly put: (path: string, body?: unknown) => Promise<Answer>;
};

export type ShownAttempt = {
  readonly webhookId: string;
  readonly attempt: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
  readonly attemptedDateTime: string | null;
  readonly nextAttemptDateTime: string | null;
};

export async function shopWithWebhook(
  gateway: TestGateway,
  reply?: Reply,
  event = "payment_requests",
): Promise<ShopWithWebhook> {
  const { id, key } = await gateway.newMerchant();
  const receiver = await startReceiver(reply);
  const get = (path: string) => gateway.get(path, { key });
  const post = (path: string, body?: unknown) => gateway.post(path, body, { key });
  const made = await post("/webhooks", { event, url: receiver.url });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const attemptsOf = async (eventId: string): Promise<readonly ShownAttempt[]> =>
    (await get(`/events/${eventId}/deliveries`)).body.deliveries;
  return {
    id,
    key,
    webhookId: made.body.id,
    receiver,
    create: async () => {
      const answer = await post("/paymentrequests", CHECKOUT);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.id;
    },
    cancel: async (requestId) => {
      assert.equal((await post(`/paymentrequests/${requestId}/cancel`)).status, 200);
    },
    advance: async (seconds) => {
      assert.equal((await post("/sandbox/clock/advance", { seconds })).status, 200);
    },
    eventOf: async (resourceId) => (await get(`/events?resourceid=${resourceId}`)).body.events[0].id,
    attemptsOf,
    untilAttempt: (eventId, attempt, status) =>
      eventually(`attempt ${attempt} of ${eventId} ${status ?? ""}`, async () => {
        const [newest] = await attemptsOf(eventId);
        return newest?.attempt === attempt && (status === undefined || newest.status === status) && newest;
      }),
    get,
    post,
    put: (path, body) => gateway.put(path, body, { key }),
  };
}
