import { isObject } from "../protocol/is-object.ts";
import { pause } from "./pause.ts";
import { type RefusalCode, readCodes } from "./read-responses.ts";

/**
 * `answered`: the gateway did it. `refused`: it did not, and `codes` say why. `lost`: the outcome is unknown and must be
 * queried, never guessed.
 */
export type Reply =
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "refused"; readonly codes: readonly RefusalCode[]; readonly body: unknown }
  | { readonly kind: "lost"; readonly codes: readonly RefusalCode[] };

const LOST: Reply = { kind: "lost", codes: [] };

export type CallGateway = (path: string, body: object, timeoutMs: number) => Promise<Reply>;

/** Calls our own origin. The session is a header because browsers block cookies inside another site's page. */
export function createCall(session: string | undefined): CallGateway {
  return async (path, body, timeoutMs) => {
    try {
      // Does not abort the request: the oldest supported browsers can't, and a payment should not be cut off.
      return await Promise.race([send(path, body, session), pause(timeoutMs).then(() => LOST)]);
    } catch (_broken) {
      return LOST;
    }
  };
}

async function send(path: string, body: object, session: string | undefined): Promise<Reply> {
  const response = await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    cache: "no-store",
    redirect: "error",
    headers: {
      "Content-Type": "application/json",
      ...(session === undefined ? {} : { "X-Checkout-Session": session }),
    },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return { kind: "answered", body: answer };
  const codes = isObject(answer) ? readCodes(answer["result"]) : [];
  // A server error leaves open what was done before it.
  if (response.status >= 500) return { kind: "lost", codes };
  return { kind: "refused", codes, body: answer };
}
