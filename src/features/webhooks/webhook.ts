import type { Id } from "../../kernel/ids.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { DAY, type Instant } from "../../kernel/time.ts";

/** Subscribes to every event value, also to those that later versions add. */
export const ALL_EVENTS = "*";

export const WEBHOOK_STATUSES = ["active", "disabled"] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** A subscription. The merchant enables and disables it; the gateway disables it when its endpoint is gone or dead. */
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

/** The gateway disables a subscription after this long without one success. */
export const DISABLED_AFTER = 5 * DAY;

/** For this long after a rotation the previous key signs deliveries, too. */
export const KEY_OVERLAP = DAY;

/** A stored signing key, sealed. */
export type SigningKey = {
  readonly merchantId: Id<"merchant">;
  readonly sealedKey: string;
  readonly createdAt: Instant;
  readonly sealedPrevious: string | null;
  readonly previousUntil: Instant | null;
};

export const CREDENTIAL_HEADERS = ["Authorization", "X-Authorization"] as const;
export type CredentialHeader = (typeof CREDENTIAL_HEADERS)[number];

/** Basic credentials for the merchant's endpoints; the password is stored sealed. */
export type Credentials = {
  readonly merchantId: Id<"merchant">;
  readonly username: string | null;
  readonly sealedPassword: string | null;
  readonly header: CredentialHeader;
};

/** The settings of a merchant who has set none. */
export function noCredentials(merchantId: Id<"merchant">): Credentials {
  return { merchantId, username: null, sealedPassword: null, header: "Authorization" };
}
