import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { createTidegate, type Tidegate } from "../../../packages/client/src/index.ts";
import { CARD, callFrame, MERCHANT_PAGE, type Shop } from "../checkout.ts";

/** Everything that gateways have acknowledged; none of it may be lost. */
export type Acknowledged = {
  readonly requests: string[];
  readonly approved: string[];
  readonly declined: string[];
  readonly captured: string[];
  readonly refunds: string[];
};

export type Load = {
  readonly acknowledged: Acknowledged;
  /** Answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  /** Payments whose outcome the payer did not learn at once: answered with 503, or as pending. */
  readonly unanswered: () => number;
  readonly slowestMs: () => number;
  readonly payments: () => number;
  /** Lists, each of which showed the request that was created before it. */
  readonly lists: () => number;
  /** Ends every payer after the payment at hand; throws what went wrong. */
  readonly stop: () => Promise<void>;
};

type Plan = {
  readonly nodes: readonly Shop[];
  readonly keys: readonly string[];
  readonly random: () => number;
};

const PAYERS = 4;
const PAUSE_MS = 300;
/** More than the other payers create while one waits for its list. */
const LISTED = 100;
const REQUESTS = [
  { amount: 3000, category: {} },
  { amount: 14_451, category: {} },
  { amount: 7_700, category: { captureType: "manual" } },
] as const;

/**
 * Merchants' servers with the client of `packages/client`, and payers in their frames: create, list, pay, capture, refund. Each
 * call goes to one node or the other, as behind a balancer.
 */
export function startLoad({ nodes, keys, random }: Plan): Load {
  const acknowledged: Acknowledged = { requests: [], approved: [], declined: [], captured: [], refunds: [] };
  const answers = new Map<number, number>();
  let [unanswered, slowestMs, payments, lists, stopped] = [0, 0, 0, 0, false];
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

  async function timed<Result extends { readonly status: number }>(call: () => Promise<Result>) {
    const from = performance.now();
    const answer = await call();
    slowestMs = Math.max(slowestMs, performance.now() - from);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    return answer;
  }

  const balanced: typeof fetch = (input, init) => {
    assert.ok(typeof input === "string" || input instanceof URL);
    const address = new URL(input);
    address.port = new URL(pick(nodes).baseUrl).port;
    return timed(() => fetch(address, init));
  };
  const clients = keys.map((apiKey) =>
    createTidegate({
      apiKey,
      baseUrl: nodes[0]?.baseUrl,
      fetch: balanced,
      maxRetries: 1_000,
      giveUpAfterMs: 180_000,
    }),
  );

  /** Opens a frame; with another token if the first one met the failover. */
  async function openSession(client: Tidegate, paymentRequestId: string): Promise<string> {
    for (;;) {
      const { token } = await client.tokens.create({ paymentRequestId });
      const body = { token, parentOrigin: MERCHANT_PAGE, version: "1.0.0" };
      const shown = await timed(() => callFrame(pick(nodes), "/checkout/initialise", body));
      if (shown.status === 200) return shown.body.session;
      assert.equal(shown.status, 503, JSON.stringify(shown.body));
      await setTimeout(PAUSE_MS);
    }
  }

  async function payOne(client: Tidegate): Promise<void> {
    const { amount, category } = pick(REQUESTS);
    const made = await client.paymentRequests.create({
      payment: { amount },
      paymentMethods: ["card"],
      transactionRequest: { category },
    });
    acknowledged.requests.push(made.id);
    const { paymentRequests } = await client.paymentRequests.list({ limit: LISTED });
    const isListed = paymentRequests.some(({ id }) => id === made.id);
    assert.ok(isListed, `a list lacks ${made.id}, which was created before it`);
    lists += 1;
    const session = await openSession(client, made.id);
    const body = { method: "card", card: CARD, total: amount, consent: false };
    const paid = await timed(() => callFrame(pick(nodes), "/checkout/pay", body, session));
    assert.ok(paid.status === 200 || paid.status === 503, JSON.stringify(paid.body));
    payments += 1;
    const { state, transactionId } = paid.body;
    if (state === "declined") acknowledged.declined.push(transactionId);
    else if (state !== "approved") unanswered += 1;
    if (state !== "approved") return;
    acknowledged.approved.push(transactionId);
    if ("captureType" in category) {
      await client.transactions.capture(transactionId);
      acknowledged.captured.push(transactionId);
    }
    if (random() < 0.5) {
      const refund = await client.transactions.refund(transactionId, { payment: { amount: 100 } });
      acknowledged.refunds.push(refund.id);
    }
  }

  const payers = Array.from({ length: PAYERS }, async () => {
    while (!stopped) {
      await payOne(pick(clients));
      await setTimeout(PAUSE_MS * random());
    }
  });
  // What a payer meets is thrown by `stop`, and ends the others.
  const ended = Promise.all(payers).finally(() => {
    stopped = true;
  });
  ended.catch(() => {});
  return {
    acknowledged,
    answers,
    unanswered: () => unanswered,
    slowestMs: () => slowestMs,
    payments: () => {
      if (stopped) throw new Error("a payer has met a wrong answer", { cause: ended });
      return payments;
    },
    lists: () => lists,
    stop: async () => {
      stopped = true;
      await ended;
    },
  };
}
