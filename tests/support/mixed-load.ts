import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import type { Answer } from "./calls.ts";
import { callsTo } from "./calls.ts";
import {
  advanceClock,
  answerChallenge,
  callApi,
  createRequest,
  getRequest,
  ok,
  openFrame,
  payOnce,
  type RequestOverrides,
  type Shop,
} from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import { runSettlements, storedAccount } from "./debits.ts";
import { makeMerchant } from "./operator.ts";
import { payIdShop } from "./payid.ts";
import { pick } from "./random.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";
import { chargeOf, type Stored } from "./stored-cards.ts";

/** Where a node listens. */
export type LoadNode = Pick<Shop, "baseUrl" | "hostedUrl">;

/** A merchant of the load, with an endpoint for every event. */
export type LoadMerchant = { readonly id: string; readonly key: string; readonly receiver: Receiver };

/** Everything that gateways have answered as done; none of it may be lost or undone. */
export type Answered = {
  readonly approved: string[];
  readonly captured: string[];
  readonly voided: string[];
  readonly refunds: string[];
  readonly debits: string[];
  readonly cancelled: string[];
  readonly paidByTransfer: string[];
  /** References of requests that were created by a repeated call with one idempotency key. */
  readonly once: string[];
  readonly counts: { payments: number; requests: number; interrupted: number };
};

export type Load = {
  readonly answered: Answered;
  /** Lets each lane finish its step. Throws the first wrong answer. */
  readonly stop: () => Promise<void>;
  /** Throws a wrong answer, if there was one. */
  readonly check: () => void;
  /** Lanes finish what they do and begin nothing new until this promise ends. */
  readonly hold: (until: Promise<unknown>) => void;
  /** Whether a step that is under way has called the node. */
  readonly isUsing: (node: LoadNode) => boolean;
};

type Lane = {
  /** The merchant at one of the nodes. */
  readonly at: () => Shop;
  readonly random: () => number;
  readonly answered: Answered;
  readonly name: string;
  card?: Stored | undefined;
  account?: Stored | undefined;
};

/** Payments from one address with one card, of which many are declined, look like card testing. */
export const NO_LIMITS = `update merchants set card_testing = '{"address": 1000000, "bin": 1000000, "card": 1000000, "merchant": 1000000}'`;

/** Creates merchants whose endpoints receive every event. */
export async function openMerchants(
  database: TestDatabase,
  node: LoadNode,
  count: number,
): Promise<readonly LoadMerchant[]> {
  const merchants: LoadMerchant[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id, key } = await makeMerchant(database, "sandbox", "AU");
    const receiver = await startReceiver();
    ok(await callApi({ ...node, key }, "POST", "/webhooks", { event: "*", url: receiver.url }));
    merchants.push({ id, key, receiver });
  }
  await database.rows(NO_LIMITS);
  return merchants;
}

/** Uses every rail at once, in several lanes, at whichever nodes there are, until it is stopped. */
export function startLoad(options: {
  readonly nodes: () => readonly LoadNode[];
  readonly merchants: readonly LoadMerchant[];
  readonly random: () => number;
  readonly lanes: number;
  /** False for gateways whose clocks the test moves itself. */
  readonly movesClocks?: boolean;
  /** Receives each broken connection and each 503. */
  readonly onInterruption?: (error: unknown) => void;
}): Load {
  const { nodes, merchants, random, lanes, movesClocks = true, onInterruption = () => {} } = options;
  const answered: Answered = {
    approved: [],
    captured: [],
    voided: [],
    refunds: [],
    debits: [],
    cancelled: [],
    paidByTransfer: [],
    once: [],
    counts: { payments: 0, requests: 0, interrupted: 0 },
  };
  let running = true;
  let held: Promise<unknown> | undefined;
  let wrong: unknown;
  const scenarios = SCENARIOS.filter(([, scenario]) => movesClocks || scenario !== expiring).flatMap(
    ([weight, scenario]) => Array.from({ length: weight }, () => scenario),
  );
  const used = Array.from({ length: lanes }, () => new Set<string>());
  const runLane = async (number: number) => {
    const merchant = merchants[number % merchants.length] as LoadMerchant;
    const at = (): Shop => {
      answered.counts.requests += 1;
      const there = nodes();
      if (there.length === 0) throw new Interrupted();
      const node = pick(random, there);
      used[number]?.add(node.baseUrl);
      return { ...node, key: merchant.key };
    };
    const lane: Lane = { at, random, answered, name: `lane-${number}` };
    while (running && wrong === undefined) {
      await held;
      try {
        used[number]?.clear();
        await pick(random, scenarios)(lane);
      } catch (error) {
        if (!isInterruption(error)) {
          wrong = error;
          return;
        }
        answered.counts.interrupted += 1;
        onInterruption(error);
        await pause(20);
      }
    }
  };
  const all = Array.from({ length: lanes }, (_, number) => runLane(number));
  const check = () => {
    if (wrong !== undefined) throw wrong instanceof Error ? wrong : new Error(inspect(wrong));
  };
  return {
    answered,
    check,
    hold: (until) => {
      held = until.catch(() => {});
    },
    isUsing: ({ baseUrl }) => used.some((nodesInUse) => nodesInUse.has(baseUrl)),
    stop: async () => {
      running = false;
      await Promise.all(all);
      check();
    },
  };
}

class Interrupted extends Error {}

/** A broken connection, or 503: the caller knows that its call may not have happened. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof Interrupted) return true;
  if (error instanceof assert.AssertionError) return error.actual === 503;
  return error instanceof TypeError && /fetch failed|terminated|other side closed/.test(error.message);
}

/** The statuses of an answer that a step allows; 503 interrupts the step. */
function allow(answer: Answer, ...statuses: readonly number[]): Answer {
  if (answer.status === 503) throw new Interrupted();
  assert.ok(statuses.includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Calls at the same moment. Interrupted ones are left out; a wrong answer throws. */
async function atOnce(calls: readonly Promise<Answer>[], ...statuses: readonly number[]) {
  const settled = await Promise.allSettled(calls);
  const answers: Answer[] = [];
  for (const one of settled) {
    try {
      if (one.status === "rejected") throw one.reason;
      answers.push(allow(one.value, ...statuses));
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }
  return answers;
}

const SECURE = { authenticationType: "3d_secure" };
const MANUAL = { captureType: "manual" };
/** Approved, declined, authenticated, challenged, approved without an answer, unreachable, approved in part, disputed. */
const CARD_REQUESTS: readonly RequestOverrides[] = [
  {},
  {},
  { amount: 14_451 },
  { category: SECURE },
  { amount: 14_418, category: SECURE },
  { amount: 14_481 },
  { amount: 14_482 },
  { amount: 14_410 },
  { amount: 14_490 },
];

/** Pays in a frame, sometimes with a double click at two nodes; returns the approved transaction. */
async function payByCard({ at, random, answered }: Lane, options: RequestOverrides) {
  const frame = await openFrame(at(), options);
  const presses = random() < 0.3 ? [1, 2] : [1];
  const answers = await atOnce(
    presses.map(() => frame.at(at()).pay()),
    200,
    409,
  );
  const paid = answers.filter(({ status }) => status === 200);
  assert.ok(paid.length <= 1, "two payments of one session were accepted");
  if (paid[0] === undefined) throw new Interrupted();
  answered.counts.payments += 1;
  let { body } = paid[0];
  if (body.state === "challenge") {
    ok(await answerChallenge(at(), body.challenge.url, random() < 0.8 ? "approve" : "fail"));
    body = allow(await frame.at(at()).continue(body.challenge.sealed), 200, 409).body;
  }
  if (body.state !== "approved") return undefined;
  answered.approved.push(body.transactionId);
  return body.transactionId as string;
}

async function card(lane: Lane): Promise<void> {
  const { at, random, answered } = lane;
  const id = await payByCard(lane, pick(random, CARD_REQUESTS));
  if (id === undefined || random() < 0.3) return;
  // Sometimes three refunds at once, of which two would exceed the payment.
  const amounts = random() < 0.3 ? [2_000, 2_000, 2_000] : [100];
  const answers = await atOnce(
    amounts.map((amount) => callApi(at(), "POST", `/transactions/${id}/refunds`, { payment: { amount } })),
    200,
    409,
    422,
  );
  for (const { status, body } of answers) if (status === 200) answered.refunds.push(body.id);
}

async function manual(lane: Lane): Promise<void> {
  const { at, random, answered } = lane;
  const id = await payByCard(lane, { category: MANUAL });
  if (id === undefined) return;
  const verbs = pick(random, [["capture"], ["cancel"], ["capture", "cancel"], ["capture", "capture"]]);
  const answers = await atOnce(
    verbs.map((verb) => callApi(at(), "POST", `/transactions/${id}/${verb}`)),
    200,
    409,
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length <= 1, `${verbs.join(" and ")} were both accepted`);
  if (done[0]?.body.captureStatus === "captured") answered.captured.push(id);
  if (done[0]?.body.captureStatus === "voided") answered.voided.push(id);
}

async function directDebit(lane: Lane): Promise<void> {
  const { at, random, answered } = lane;
  lane.account ??= await storedAccount(at());
  const amount = pick(random, [700, 11_001, 11_005]);
  const { id } = ok(await callApi(at(), "POST", "/transactions", chargeOf(lane.account, { amount })));
  answered.counts.payments += 1;
  answered.debits.push(id);
  if (random() < 0.2) lane.account = undefined;
  if (random() < 0.5) await runSettlements(at());
  if (random() < 0.5) return;
  const refund = await callApi(at(), "POST", `/transactions/${id}/refunds`, { payment: { amount: 300 } });
  if (allow(refund, 200, 409).status === 200) answered.refunds.push(refund.body.id);
}

async function payId({ at, random, answered }: Lane): Promise<void> {
  const shop = () => {
    const { baseUrl, key } = at();
    return payIdShop(callsTo(baseUrl), key);
  };
  const { id, payId: address } = await shop().request();
  const amounts = pick(random, [[3_000], [3_000, 3_000], [2_999], [3_001, 3_000]]);
  const answers = await atOnce(
    amounts.map((amount) => shop().send(address, amount)),
    200,
    // The PayID is not registered yet, or the request was closed.
    404,
    409,
    422,
  );
  const accepted = answers.filter(({ body }) => body.status === "accepted");
  assert.ok(accepted.length <= 1, "two transfers paid one request");
  if (accepted.length === 1) {
    answered.counts.payments += 1;
    answered.paidByTransfer.push(id);
    const { transactionResult } = await shop().read(id);
    if (random() < 0.5) return;
    const refund = allow(await shop().refund(transactionResult.id, 500), 200, 409);
    if (refund.status === 200) answered.refunds.push(refund.body.id);
  } else if (random() < 0.5) {
    if (allow(await shop().cancel(id), 200, 409).status === 200) answered.cancelled.push(id);
  }
}

/** Stores a card by a payment or a verification; one that is not approved stores none. */
async function storeCard(shop: Shop, random: () => number): Promise<Stored> {
  const options = {
    customerRequest: { paymentInstrument: "create" },
    ...(random() < 0.5 ? { amount: 0 } : {}),
  };
  const { requestId, paid } = await payOnce(shop, options, { consent: true });
  const { customerResult } = await getRequest(shop, requestId);
  if (paid.state !== "approved") throw new Interrupted();
  return { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId };
}

async function charge(lane: Lane): Promise<void> {
  const { at, random, answered } = lane;
  lane.card ??= await storeCard(at(), random);
  const stored = lane.card;
  const charged = await callApi(at(), "POST", "/transactions", chargeOf(stored));
  const { result, id } = allow(charged, 200).body;
  answered.counts.payments += 1;
  if (result.status === "approved") answered.approved.push(id);
  if (random() < 0.8) return;
  lane.card = undefined;
  const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
  await atOnce(
    [callApi(at(), "DELETE", path), callApi(at(), "POST", "/transactions", chargeOf(stored))],
    200,
    // The instrument is gone.
    400,
    404,
    409,
    422,
  );
}

async function cancel({ at, answered }: Lane): Promise<void> {
  const { id } = await createRequest(at());
  if (allow(await callApi(at(), "POST", `/paymentrequests/${id}/cancel`), 200, 409).status === 200)
    answered.cancelled.push(id);
}

/** A caller that lost its answer repeats the call with its key until it has one: there is one request in the end. */
async function once({ at, random, answered, name }: Lane): Promise<void> {
  const reference = `${name}-${Math.floor(random() * 2 ** 32)}`;
  const headers = { "x-idempotency-key": reference };
  for (;;) {
    try {
      const made = await callApi(at(), "POST", "/paymentrequests", { ...CHECKOUT, reference }, headers);
      allow(made, 200, 409);
      if (made.status === 409) assert.equal(made.body.result.codes[0].id, "V10018");
      answered.once.push(reference);
      return;
    } catch (error) {
      if (!isInterruption(error)) throw error;
      await pause(50);
    }
  }
}

async function expiring({ at }: Lane): Promise<void> {
  await openFrame(at(), { expiryDateTime: new Date(Date.now() + 86_400_000).toISOString() });
  await advanceClock(at(), 5);
}

async function read({ at, random }: Lane): Promise<void> {
  const path = pick(random, ["/paymentrequests", "/transactions?limit=20", "/events?limit=20", "/payouts"]);
  ok(await callApi(at(), "GET", path));
}

const SCENARIOS: readonly (readonly [weight: number, scenario: (lane: Lane) => Promise<void>])[] = [
  [6, card],
  [4, manual],
  [3, directDebit],
  [3, payId],
  [3, charge],
  [1, cancel],
  [2, once],
  [1, expiring],
  [1, read],
];

/** Asserts that everything that was answered is on record as it was answered. */
export async function assertKept(database: TestDatabase, answered: Answered): Promise<void> {
  const missing = async (what: string, text: string, ids: readonly string[]) => {
    const rows = await database.rows<{ id: string }>(
      `select want.id from unnest($1::text[]) as want(id) where not exists (${text})`,
      [ids],
    );
    assert.deepEqual(rows, [], `answered as ${what}, but not on record`);
  };
  const transaction = (where: string) => `select from transactions t where t.id = want.id and ${where}`;
  await missing("approved", transaction("t.status = 'approved'"), answered.approved);
  await missing("captured", transaction("t.capture_status = 'captured'"), answered.captured);
  await missing("voided", transaction("t.capture_status = 'voided'"), answered.voided);
  await missing("a debit", transaction("t.source = 'direct_debit'"), answered.debits);
  await missing("a refund", "select from refunds f where f.id = want.id", answered.refunds);
  const request = (status: string) =>
    `select from payment_requests r where r.id = want.id and r.status = '${status}'`;
  await missing("cancelled", request("cancelled"), answered.cancelled);
  await missing("paid by a transfer", request("completed"), answered.paidByTransfer);
  const repeated = await database.rows(
    `select want.id from unnest($1::text[]) as want(id) where 1 <>
       (select count(*) from payment_requests r where r.reference = want.id)`,
    [answered.once],
  );
  assert.deepEqual(repeated, [], "one idempotency key made no request, or several");
}
