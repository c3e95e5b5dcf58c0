import { isObject } from "../protocol/is-object.ts";
import { type RefusalCode, readCodes } from "./read-responses.ts";

/**
 * `answered`: the gateway did what was asked. `refused`: it did not, and says why. `lost`: nobody knows; whether
 * something happened must be asked, never guessed.
 */
export type Reply =
  | { readonly kind: "answered"; readonly body: unknown }
  | { readonly kind: "refused"; readonly codes: readonly RefusalCode[]; readonly body: unknown }
  | { readonly kind: "lost"; readonly codes: readonly RefusalCode[] };

const LOST: Reply = { kind: "lost", codes: [] };

export type CallGateway = (path: string, body: object, patienceMs: number) => Promise<Reply>;

/** All questions go to our own origin. The session is a header: inside a foreign page a cookie would not arrive. */
export function createCall(session: string | undefined): CallGateway {
  return async (path, body, patienceMs) => {
    try {
      return await within(patienceMs, send(path, body, session));
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
  // A server error says nothing about what was done before it.
  if (response.status >= 500) return { kind: "lost", codes };
  return { kind: "refused", codes, body: answer };
}

/** The request itself is not cut off: the oldest browsers can't, and a payment should not be. */
function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer in time")), milliseconds);
    work.then(resolve, reject).then(() => clearTimeout(timer), reject);
  });
}
