import { type Id, parseId } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { earliest, HOUR, type Instant, later } from "../../kernel/time.ts";

export const TOKEN_STATUSES = ["created", "initialised", "processed"] as const;
export type TokenStatus = (typeof TOKEN_STATUSES)[number];
export type TokenTrigger = "initialise" | "process" | "reopen";

/**
 * Specification section 3, "One-time token lifecycle". A reload initialises it again. An attempt processes it; a decline
 * with attempts left reopens it. Beside this, a token expires in any state.
 */
export const lifecycle: Lifecycle<TokenStatus, TokenTrigger> = {
  created: { initialise: "initialised" },
  initialised: { initialise: "initialised", process: "processed" },
  processed: { reopen: "initialised" },
};

/** A stored one-time token. The database has the hash of its secret, never the secret. */
export type OneTimeToken = {
  readonly id: Id<"oneTimeToken">;
  readonly merchantId: Id<"merchant">;
  readonly paymentRequestId: Id<"paymentRequest">;
  readonly status: TokenStatus;
  /** The last attempt of the token's current session. */
  readonly transactionId: Id<"transaction"> | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
};

/** Whether a session of the token can still pay, or change anything. */
export function isOpen(
  { status, expiresAt }: Pick<OneTimeToken, "status" | "expiresAt">,
  now: Instant,
): boolean {
  return status === "initialised" && now < expiresAt;
}

/**
 * The first part of a token is public. The loader reads from it which merchant's frame to load, and from a `w` whether the
 * request offers a wallet: the loader has to grant the frame payment rights before it loads.
 */
export function publicPart(merchantId: Id<"merchant">, methods: readonly string[] = []): string {
  const wallets = methods.some((method) => method !== "card");
  return `tok_${merchantId.slice("mer_".length)}${wallets ? "w" : ""}`;
}

/** The merchant that a token names. */
export function merchantOfToken(secret: string): Id<"merchant"> | undefined {
  const [, hint = ""] = /^tok_([0-9a-z]{29})w?_/.exec(secret) ?? [];
  return merchantOfHint(hint);
}

/** The secret of a session: whose it is, and a part that can't be guessed. */
export function sessionSecret(merchantId: Id<"merchant">, unguessable: string): string {
  return `${merchantId.slice("mer_".length)}.${unguessable}`;
}

/** The merchant that a session names; sessions from before migration 65 name none. */
export function merchantOfSession(secret: string): Id<"merchant"> | undefined {
  const [hint = "", rest] = secret.split(".");
  return rest === undefined ? undefined : merchantOfHint(hint);
}

export function merchantOfHint(hint: string): Id<"merchant"> | undefined {
  return parseId("merchant", `mer_${hint}`);
}

const LIFETIME = HOUR;

/** An hour, or until the payment request expires if that is sooner. */
export function tokenExpiry(now: Instant, requestExpiry: Instant): Instant {
  return earliest(later(now, LIFETIME), requestExpiry);
}
