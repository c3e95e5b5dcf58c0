import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { DAY, type Instant } from "../../kernel/time.ts";

export const WEBHOOK_STATUSES = ["active", "disabled"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A subscription. The merchant disables and enables it; so does the gateway when an endpoint is gone or dead. */
export const lifecycle: Lifecycle<WebhookStatus, "disable" | "enable"> = {
  active: { disable: "disabled" },
  disabled: { enable: "active" },
};

export type Webhook = {
  readonly id: Id<"webhook">;
  readonly merchantId: Id<"merchant">;
  readonly event: string;
  readonly url: string;
  readonly status: WebhookStatus;
  /** The first failure since the last success, on the merchant's clock. */
  readonly failingSince: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** An endpoint that failed for so long without one success is given up. */
export const GIVEN_UP_AFTER = 5 * DAY;

/** For so long after a rotation deliveries are signed with the key before it, too. */
export const KEY_OVERLAP = DAY;

/** A signing key as it is kept: sealed. */
export type SigningKey = {
  readonly merchantId: Id<"merchant">;
  readonly sealedKey: string;
  readonly createdAt: Instant;
  readonly sealedPrevious: string | null;
  readonly previousUntil: Instant | null;
};

export const CREDENTIAL_HEADERS = ["Authorization", "X-Authorization"] as const;
export type CredentialHeader = (typeof CREDENTIAL_HEADERS)[number];

/** Basic credentials for the merchant's endpoints; the password is kept sealed. */
export type Credentials = {
  readonly merchantId: Id<"merchant">;
  readonly username: string | null;
  readonly sealedPassword: string | null;
  readonly header: CredentialHeader;
};

/** What a merchant without settings has. */
export function noCredentials(merchantId: Id<"merchant">): Credentials {
  return { merchantId, username: null, sealedPassword: null, header: "Authorization" };
}
