import { isObject } from "../protocol/is-object.ts";
import type { CallGateway, Reply } from "./call-gateway.ts";
import { pause } from "./pause.ts";

const TIMEOUT_MS = 45_000;
const MAX_ATTEMPTS = 8;

/** How a step at the bank ended, as far as this browser knows. */
export type AfterBank = { readonly methodCompletion: "Y" | "N" } | { readonly cres: string } | object;

/**
 * Only this call, with the sealed data, can continue the payment, so it is repeated if it was lost, or the bank has not
 * reported the challenge's result yet. The gateway answers a repeat with the current state of the attempt.
 */
export async function continuePayment(call: CallGateway, sealed: string, after: AfterBank): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await call("/checkout/continue", { sealed, ...after }, TIMEOUT_MS);
    if (!isOpen(reply) || attempt === MAX_ATTEMPTS) return reply;
    await pause(attempt * 1_000);
  }
}

/** An answer without a result has no next step either. */
function isOpen(reply: Reply): boolean {
  if (reply.kind !== "answered") return reply.kind === "lost";
  return isObject(reply.body) && reply.body["state"] === "challenge" && !reply.body["challenge"];
}
