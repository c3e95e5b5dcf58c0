import type { Code } from "./code.ts";

/** Domains of Apple Pay. */
export const WALLET_DOMAIN_CODES = {
  V12100: {
    message: "wallet_domains_invalid",
    status: 400,
    meaning: "`domains` is a list of 1 to 50 domain names.",
  },
  V12101: {
    message: "wallet_domain_invalid",
    status: 400,
    meaning:
      "A full domain name such as `shop.example`: no scheme, path, port, wildcard or address; letters beyond ASCII as punycode. In the sandbox `localhost` too.",
  },
  V12102: {
    message: "wallet_domains_too_many",
    status: 400,
    meaning: "A merchant account has at most 50 domains; remove some first.",
  },
  V12103: {
    message: "wallet_domain_unknown",
    status: 404,
    meaning: "This domain is not registered.",
  },
  V12104: {
    message: "wallet_domains_capability_missing",
    status: 403,
    meaning: "The merchant account has no Apple Pay (`applePay`).",
  },
  S12100: {
    message: "wallet_domain_verification_failed",
    status: 500,
    meaning: "The association file of `domain` could not be fetched or is not right; `reason` says why.",
  },
} as const satisfies Record<string, Code>;
