import assert from "node:assert/strict";
import { type Answer, type Call, TEST_KEY, type TestGateway } from "./gateway.ts";

let made = 0;

/** A merchant with PayIDs, and its payers. */
export function payIdShop(gateway: Pick<TestGateway, "call" | "get" | "post">, key = TEST_KEY) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  const ok = (answer: Answer): any => {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const send = (payId: unknown, amount: unknown, more: object = {}, call: Call = {}) =>
    gateway.post("/sandbox/payid/transfers", { payId, amount, ...more }, { key, ...call });
  return {
    key,
    /** Creates a PayID request; returns its id and the PayID that a payer enters. */
    request: async ({ amount = 3000, value = `shop-${process.pid}-${made++}`, ...more }: Overrides = {}) => {
      const payment = { amount, instrument: { payId: { type: "single", value } } };
      const body = ok(await gateway.post("/paymentrequests", { payment, ...more }, { key }));
      const { id } = body as { id: string };
      const payId = body.payment.instrument.payId.email as string;
      /** The request's page in the sandbox's bank app. */
      const bankApp = `/sandbox/bankapp/${id}?${new URLSearchParams({ payId }).toString()}`;
      return { id, payId, value, body, bankApp };
    },
    send,
    /** Sends a transfer that the gateway accepts for processing; returns its outcome. */
    pay: async (payId: string, amount: number, more: object = {}) => ok(await send(payId, amount, more)),
    read: async (id: string) => ok(await gateway.get(`/paymentrequests/${id}`, { key })),
    cancel: (id: string) => gateway.post(`/paymentrequests/${id}/cancel`, undefined, { key }),
    advance: async (seconds: number) =>
      ok(await gateway.post("/sandbox/clock/advance", { seconds }, { key })),
    transaction: async (id: string) => ok(await gateway.get(`/transactions/${id}`, { key })),
    refund: (id: string, amount?: number) =>
      gateway.post(`/transactions/${id}/refunds`, amount === undefined ? {} : { payment: { amount } }, {
        key,
      }),
    refundOf: async (id: string, refundId: string) =>
      ok(await gateway.get(`/transactions/${id}/refunds/${refundId}`, { key })),
    /** The events of a resource, oldest first. */
    // biome-ignore lint/suspicious/noExplicitAny: payloads are of every shape.
    eventsOf: async (resourceId: string): Promise<any[]> =>
      ok(await gateway.get(`/events?resourceid=${resourceId}&limit=100`, { key })).events.toReversed(),
  };
}

type Overrides = {
  readonly amount?: number;
  readonly value?: string;
  readonly expiryDateTime?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

export const DAY_SECONDS = 24 * 60 * 60;
