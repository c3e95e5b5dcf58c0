import assert from "node:assert/strict";
import { callApi, type Shop } from "../../support/checkout.ts";
import type { TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/gateway.ts";
import { aMinutePasses, type GatewayProcess, startGatewayProcess } from "../../support/gateway-process.ts";
import { count, type Model } from "./model.ts";

/** Gateways on one database, one after the other: each is killed, and the next is running by then. */
export type Real = {
  readonly shop: () => Shop;
  readonly crash: () => Promise<void>;
  readonly database: TestDatabase;
  readonly stop: () => Promise<void>;
};

/** A start that the machine was too busy for is tried once more. */
async function start(database: TestDatabase): Promise<GatewayProcess> {
  return startGatewayProcess(database).catch(() => startGatewayProcess(database));
}

export async function startReal(database: TestDatabase): Promise<Real> {
  let current: GatewayProcess = await start(database);
  let next = start(database);
  return {
    database,
    shop: () => current.shop,
    crash: async () => {
      const dying = current;
      await dying.kill();
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
};

let keys = 0;

/**
 * Sends a change once, whatever happens: if the gateway is killed meanwhile, the same request with the same key goes to the
 * next gateway, and a repeat names what the first made. Returns the answer, or the id that the first request made.
 */
export async function write(
  model: Model,
  real: Real,
  { method, path, body, crashAfter }: Write,
): Promise<{ readonly answer: Answer } | { readonly id: string }> {
  keys += 1;
  const key = `model-${process.pid}-${keys}`;
  const send = () => callApi({ ...real.shop(), headers: { "x-idempotency-key": key } }, method, path, body);
  const remember = (id: string) => model.keys.push({ key, path, body, id });
  count(model, "calls");
  const first = send().catch(() => undefined);
  if (crashAfter !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, crashAfter));
    await real.crash();
    count(model, "crashes");
    // Recoveries that wait for a bank's deadline begin at once.
    await aMinutePasses(real.database);
  }
  const answer = await first;
  if (answer !== undefined) {
    if (answer.status === 200 && method === "POST") remember(answer.body.id);
    return { answer };
  }
  assert.ok(crashAfter !== undefined, `no answer to ${method} ${path}`);
  return eventually(
    `a repeat of ${method} ${path} is answered`,
    async () => {
      const repeat = await send();
      if (repeat.body.original === undefined) {
        if (repeat.status === 200 && method === "POST") remember(repeat.body.id);
        return { answer: repeat };
      }
      assert.equal(repeat.status, 409);
      const { status, id } = repeat.body.original;
      if (status !== "done") {
        await aMinutePasses(real.database);
        return undefined;
      }
      if (method === "POST") remember(id);
      return { id };
    },
    40_000,
  );
}
