import { createHash } from "node:crypto";
import { type Instant, MINUTE } from "../../kernel/time.ts";

export type Verb = "authorise" | "verify" | "capture" | "void" | "refund" | "cancel" | "reverse";

/** Adyen's limit. */
const LONGEST = 64;

/**
 * The same call has the same key, on every node. A reversal is a new call every minute: Adyen would answer the old one
 * from its records, and a payment that arrived after that one would stay.
 */
export function idempotencyKey(verb: Verb, reference: string, now: Instant): string {
  const again = verb === "cancel" || verb === "reverse" ? `-${Math.floor(now / MINUTE).toString(36)}` : "";
  return keyOf(`${verb}-${reference}${again}`);
}

export function keyOf(key: string): string {
  return key.length <= LONGEST ? key : createHash("sha256").update(key).digest("base64url");
}
