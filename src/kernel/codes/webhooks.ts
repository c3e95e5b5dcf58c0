import type { Code } from "./code.ts";

/** Webhook subscriptions, their keys and credentials, and redelivery. */
export const WEBHOOK_CODES = {
  webhook_event_invalid: {
    id: "V11900",
    status: 400,
    meaning:
      "Use `transactions`, `payouts`, `customers`, `payment_instruments`, `payment_requests` or `disputes`, or `*` to subscribe to all.",
  },
  webhook_url_invalid: {
    id: "V11901",
    status: 400,
    meaning: "Use an absolute http or https URL of at most 2048 characters, without credentials.",
  },
  webhook_url_scheme_invalid: {
    id: "V11902",
    status: 400,
    meaning: "Use an https URL; live merchants need one.",
  },
  webhook_url_address_invalid: {
    id: "V11903",
    status: 400,
    meaning:
      "Use a URL with a public address; this one is private, link-local, reserved, or this machine (the operator decides whether the sandbox reaches it).",
  },
  webhook_url_port_invalid: {
    id: "V11904",
    status: 400,
    meaning: "Use port 443 or 8443; in the sandbox 80, 443, or 1024 and up.",
  },
  webhook_status_invalid: { id: "V11905", status: 400, meaning: "Use `active` or `disabled` as `status`." },
  webhook_event_conflict: {
    id: "V11910",
    status: 409,
    meaning: "Change the subscription that exists for this event value; there can be only one.",
  },
  webhook_test_in_progress: {
    id: "V11911",
    status: 409,
    meaning: "Wait for one of the four test pings of this subscription that are in progress to end.",
  },
  webhook_settings_username_invalid: {
    id: "V11920",
    status: 400,
    meaning: "Use 1 to 255 characters without a colon, together with a password; null clears both.",
  },
  webhook_settings_password_invalid: {
    id: "V11921",
    status: 400,
    meaning: "Use 1 to 255 characters, together with a user name; null clears both.",
  },
  webhook_settings_header_invalid: {
    id: "V11922",
    status: 400,
    meaning: "Use `Authorization`, `X-Authorization`, or null for the first.",
  },
  event_redelivery_subscription_conflict: {
    id: "V11930",
    status: 409,
    meaning: "Create a subscription for this event, or set it to `active`; none is active.",
  },
  event_redelivery_from_invalid: {
    id: "V11931",
    status: 400,
    meaning: "Use an ISO 8601 date and time with its zone as `createdFrom`; it is included.",
  },
  event_redelivery_to_invalid: {
    id: "V11932",
    status: 400,
    meaning:
      "Use an ISO 8601 date and time with its zone as `createdTo`, after `createdFrom`; it is not included.",
  },
  event_redelivery_range_conflict: {
    id: "V11933",
    status: 409,
    meaning: "Choose a shorter period; more than 10000 events lie in this one.",
  },
  event_redelivery_event_invalid: {
    id: "V11934",
    status: 400,
    meaning:
      "Use `transactions`, `payouts`, `customers`, `payment_instruments`, `payment_requests` or `disputes`, or leave `event` out for all.",
  },
} as const satisfies Record<string, Code>;
