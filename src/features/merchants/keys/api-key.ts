import type { Id } from "../../../kernel/ids.ts";
import type { Instant } from "../../../kernel/time.ts";

/** What a key allows: reading, changing, and changing the account itself. */
export type KeyScope = "read" | "write" | "admin";
export const ALL_SCOPES: readonly KeyScope[] = ["read", "write", "admin"];

export type ApiKey = {
  readonly id: Id<"apiKey">;
  readonly merchantId: Id<"merchant">;
  /** The end of the key, so that people can distinguish keys. The key itself is not stored. */
  readonly hint: string;
  readonly scopes: readonly KeyScope[];
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
};
