import assert from "node:assert/strict";
import { callApi, type Shop, startDay } from "../../support/checkout.ts";
import type { TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/gateway.ts";
import { aMinutePasses, type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { count, type Model } from "./model.ts";

/** Gateways on one database, one after the other: each is killed, and the next is running by then. */
export type Real = {
  readonly shop: () => Shop;
  readonly crash: () => Promise<void>;
  readonly database: TestDatabase;
  /** Where webhooks arrive. */
  readonly receiver: Receiver;
  readonly stop: () => Promise<void>;
};

/** Nothing settles by itself within a sequence: only when the model says so. */
const A_DAY = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "86400" };

/**
 * A batch that a gateway was handing over when it died counts as under way until the bank's deadline, and until then a run of
 * the settlements leaves its debits pending.
 */
const HAND_OVERS_END = `update debit_batches set submitting_since = submitting_since - interval '60 seconds'
  where submitting_since is not null`;

/** A start that the machine was too busy for is tried once more. */
async function start(database: TestDatabase): Promise<GatewayProcess> {
  const once = () => startGatewayProcess(database, undefined, A_DAY);
  return once().catch(once);
}

export async function startReal(database: TestDatabase): Promise<Real> {
  const receiver = await startReceiver();
  let current: GatewayProcess = await start(database);
  let next = start(database);
  // The payout of midnight falls into no sequence.
  await startDay(current.shop);
  return {
    database,
    receiver,
    shop: () => current.shop,
    crash: async () => {
      const dying = current;
      await dying.kill();
      await database.rows(HAND_OVERS_END);
      current = await next;
      next = start(database);
    },
    stop: async () => {
      await current.kill();
      await (await next).kill();
    },
  };
}

export type Write = {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Milliseconds after which the gateway is killed. */
  readonly crashAfter?: number | undefined;
  /** The status of the refusal that the model expects. */
  readonly refused?: 400 | 403 | 404 | 409 | undefined;
};

/** What a change made. The answer is missing if the gateway was killed before it was sent. */
export type Made = { readonly id: string; readonly answer?: Answer };

let keys = 0;

/**
 * Sends a change once, whatever happens: if the gateway is killed meanwhile, the same request with the same key goes to the
 * next gateway, and a repeat names what the first made. It is refused if and only if the model says so; then it returns
 * undefined.
 */
export async function write(model: Model, real: Real, input: Write): Promise<Made | undefined> {
  const { method, path, body, refused } = input;
  keys += 1;
  const key = `model-${process.pid}-${keys}`;
  const send = () => callApi({ ...real.shop(), headers: { "x-idempotency-key": key } }, method, path, body);
  count(model, "calls");
  const made = await onceDespiteCrash(model, real, input, send);
  if ("answer" in made) {
    assert.equal(made.answer.status, refused ?? 200, JSON.stringify(made.answer.body));
    if (refused !== undefined) return undefined;
  } else assert.equal(refused, undefined, "a refused call left its key used");
  const id = "answer" in made ? made.answer.body.id : made.id;
  if (method === "POST") model.keys.push({ key, path, body, id: id ?? null });
  return { ...made, id };
}

/** `write`, where the model expects no refusal. */
export async function make(model: Model, real: Real, input: Omit<Write, "refused">): Promise<Made> {
  return (await write(model, real, input)) ?? assert.fail();
}

async function onceDespiteCrash(
  model: Model,
  real: Real,
  { method, path, crashAfter }: Write,
  send: () => Promise<Answer>,
): Promise<{ readonly answer: Answer } | { readonly id: string }> {
  const first = send().catch(() => undefined);
  if (crashAfter !== undefined) await crashDuring(model, real, crashAfter);
  const answer = await first;
  if (answer !== undefined) return { answer };
  assert.ok(crashAfter !== undefined, `no answer to ${method} ${path}`);
  return eventually(
    `a repeat of ${method} ${path} is answered`,
    async () => {
      const repeat = await send();
      if (repeat.body.original === undefined) return { answer: repeat };
      assert.equal(repeat.status, 409);
      const { status, id } = repeat.body.original;
      if (status === "done") return { id };
      await aMinutePasses(real.database);
      return undefined;
    },
    40_000,
  );
}

/** Kills the gateway a few milliseconds after a call began. Recoveries that wait for a bank's deadline begin at once. */
export async function crashDuring(model: Model, real: Real, milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  await real.crash();
  count(model, "crashes");
  await aMinutePasses(real.database);
}
