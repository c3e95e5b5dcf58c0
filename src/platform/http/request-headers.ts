import { createHash, randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Problem } from "../../kernel/refusal.ts";
import { holdsCardNumber } from "../cards/card-number-in-text.ts";

const REQUEST_ID = /^[\x21-\x7e]{1,64}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The caller's own request id where it can be kept, else a new one: it is logged, so it must not hold a card number. */
export function requestIdOf(request: IncomingMessage): string {
  const own = request.headers["x-request-id"];
  return typeof own === "string" && REQUEST_ID.test(own) && !holdsCardNumber(own) ? own : randomUUID();
}

export type KeyHeader = { readonly key?: string; readonly problems: readonly Problem[] };

/**
 * The idempotency key under either of its names; two names must agree. A problem is reported together with the others. A key
 * that may be a card number is known by its hash, because keys are stored in clear.
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): KeyHeader {
  const given = [headers["x-idempotency-key"], headers["idempotency-key"]].filter((one) => one !== undefined);
  const [key] = given;
  if (key === undefined) return { problems: [] };
  const isKey = typeof key === "string" && IDEMPOTENCY_KEY.test(key);
  if (!isKey || given.some((one) => one !== key))
    return { problems: [{ code: "header_idempotency_key_invalid" }] };
  return { key: holdsCardNumber(key) ? hashOf(key) : key, problems: [] };
}

function hashOf(key: string): string {
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

/** Two Host headers are how one server is made to see another address than the proxy before it. */
export function hasOneHost(request: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  // Only the old version of HTTP may leave it out.
  return hosts === 1 || (hosts === 0 && request.httpVersion === "1.0");
}
