import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";

/** What a key allows: reading, changing, and changing the account itself. */
export type KeyScope = "read" | "write" | "admin";
export const ALL_SCOPES: readonly KeyScope[] = ["read", "write", "admin"];

/** When a key ends, and from where it works. */
export type KeyLimits = {
  /** The key is unknown from this moment on; null: it has no end. */
  readonly expiresAt: Instant | null;
  /** The ranges of addresses that may use the key; empty: any address may. */
  readonly addresses: readonly string[];
};

export const NO_LIMITS: KeyLimits = { expiresAt: null, addresses: [] };
/** So that the check of a request stays short. */
export const ADDRESSES_AT_MOST = 50;

export type ApiKey = KeyLimits & {
  readonly id: Id<"apiKey">;
  readonly merchantId: Id<"merchant">;
  /** The end of the key, so that people can distinguish keys. The key itself is not stored. */
  readonly hint: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  /** The minute of the last accepted request; null: never used, or not since this is recorded. */
  readonly lastUsedAt: Instant | null;
};

export function isExpired({ expiresAt }: Pick<KeyLimits, "expiresAt">, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Whether the key still opens the API from the right address. */
export function isActive(key: Pick<ApiKey, "revokedAt" | "expiresAt">, now: Instant): boolean {
  return key.revokedAt === null && !isExpired(key, now);
}
