import type { Code } from "./code.ts";

/** Webhook subscriptions, their keys and credentials, and redelivery. */
export const WEBHOOK_CODES = {
  V11900: {
    message: "webhook_event_invalid",
    status: 400,
    meaning: "`transactions`, `payouts`, `customers`, `payment_instruments` or `payment_requests`.",
  },
  V11901: {
    message: "webhook_url_invalid",
    status: 400,
    meaning: "An absolute http or https URL of at most 2048 characters, without credentials.",
  },
  V11902: {
    message: "webhook_url_scheme_invalid",
    status: 400,
    meaning: "A live merchant's URL is https.",
  },
  V11903: {
    message: "webhook_url_address_invalid",
    status: 400,
    meaning:
      "The URL leads to an address that is not public: private, link-local, reserved, or this machine (which is allowed in the sandbox).",
  },
  V11904: {
    message: "webhook_url_port_invalid",
    status: 400,
    meaning: "The port is 443 or 8443; in the sandbox 80, 443, or 1024 and up.",
  },
  V11905: { message: "webhook_status_invalid", status: 400, meaning: "`active` or `disabled`." },
  V11910: {
    message: "webhook_event_conflict",
    status: 409,
    meaning: "There is a subscription for this event value already; change that one.",
  },
  V11911: {
    message: "webhook_test_in_progress",
    status: 409,
    meaning: "Four test pings of this subscription are under way; wait for one of them.",
  },
  V11920: {
    message: "webhook_settings_username_invalid",
    status: 400,
    meaning: "1 to 255 characters without a colon, together with a password; null clears both.",
  },
  V11921: {
    message: "webhook_settings_password_invalid",
    status: 400,
    meaning: "1 to 255 characters, together with a user name; null clears both.",
  },
  V11922: {
    message: "webhook_settings_header_invalid",
    status: 400,
    meaning: "`Authorization`, `X-Authorization`, or null for the first.",
  },
  V11930: {
    message: "event_redelivery_subscription_conflict",
    status: 409,
    meaning: "There is no active subscription for this event; create one, or set it to `active`.",
  },
  V11931: {
    message: "event_redelivery_from_invalid",
    status: 400,
    meaning: "`createdFrom` is a moment in ISO 8601 that names its zone; it is included.",
  },
  V11932: {
    message: "event_redelivery_to_invalid",
    status: 400,
    meaning:
      "`createdTo` is a moment in ISO 8601 that names its zone, after `createdFrom`; it is not included.",
  },
  V11933: {
    message: "event_redelivery_range_conflict",
    status: 409,
    meaning: "More than 10000 events lie between these moments; ask for a shorter stretch.",
  },
} as const satisfies Record<string, Code>;
