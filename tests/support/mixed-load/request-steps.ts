import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { advanceClock, callApi, createRequest, ok, openFrame } from "../checkout.ts";
import { pick } from "../random.ts";
import { CHECKOUT } from "../request-bodies.ts";
import { allow, isInterruption, type Lane } from "./lane.ts";

export async function cancelRequest({ at, done }: Lane): Promise<void> {
  const { id } = await createRequest(at());
  if (allow(await callApi(at(), "POST", `/paymentrequests/${id}/cancel`), 200, 409).status === 200)
    done("cancelled requests", id);
}

/** A caller that lost its answer repeats the call with its key until it has one: there is one request in the end. */
export async function createWithKey({ at, random, done, name }: Lane): Promise<void> {
  const reference = `${name}-${Math.floor(random() * 2 ** 32)}`;
  const headers = { "x-idempotency-key": reference };
  for (;;) {
    try {
      const made = await callApi({ ...at(), headers }, "POST", "/paymentrequests", {
        ...CHECKOUT,
        reference,
      });
      allow(made, 200, 409);
      if (made.status === 409) assert.equal(made.body.result.codes[0].id, "V10018");
      done("repeated creates", reference);
      return;
    } catch (error) {
      if (!isInterruption(error)) throw error;
      await pause(50);
    }
  }
}

/** Moves the clock a little while other lanes use the same merchant; nothing expires. */
export async function nudgeClock({ at }: Lane): Promise<void> {
  await openFrame(at());
  await advanceClock(at(), 5);
}

export async function read({ at, random }: Lane): Promise<void> {
  const path = pick(random, ["/paymentrequests", "/transactions?limit=20", "/events?limit=20", "/payouts"]);
  ok(await callApi(at(), "GET", path));
}
