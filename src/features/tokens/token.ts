import { type Id, parseId } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { earliest, HOUR, type Instant, later } from "../../kernel/time.ts";

export const TOKEN_STATUSES = ["created", "initialised", "processed"] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];
export type TokenTrigger = "initialise" | "process";

/** Specification section 3, "One-time token lifecycle". Beside this, a token expires in any state. */
export const lifecycle: Lifecycle<TokenStatus, TokenTrigger> = {
  created: { initialise: "initialised" },
  initialised: { process: "processed" },
  processed: {},
};

/** A one-time token as it is kept: by the hash of its secret, never the secret. */
export type OneTimeToken = {
  readonly id: Id<"oneTimeToken">;
  readonly merchantId: Id<"merchant">;
  readonly paymentRequestId: Id<"paymentRequest">;
  readonly status: TokenStatus;
  /** The attempt that used the token up. */
  readonly transactionId: Id<"transaction"> | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

/**
 * The first part of a token is no secret. It tells the loader whose frame to load, and by a `w` whether the request asks
 * for a wallet: a frame has to be allowed to open one before anything of it is loaded.
 */
export function openPart(merchantId: Id<"merchant">, methods: readonly string[] = []): string {
  const wallets = methods.some((method) => method !== "card");
  return `tok_${merchantId.slice("mer_".length)}${wallets ? "w" : ""}`;
}

export function merchantOfHint(hint: string): Id<"merchant"> | undefined {
  return parseId("merchant", `mer_${hint}`);
}

const LIFETIME = HOUR;

/** An hour, or until the payment request's own end when that is sooner. */
export function tokenExpiry(now: Instant, requestExpiry: Instant): Instant {
  return earliest(later(now, LIFETIME), requestExpiry);
}
