import type { Code } from "./code.ts";

/** Apple Pay domains. */
export const WALLET_DOMAIN_CODES = {
  wallet_domains_invalid: {
    id: "V12100",
    status: 400,
    meaning: "Send `domains` as a list of 1 to 50 domain names.",
  },
  wallet_domain_invalid: {
    id: "V12101",
    status: 400,
    meaning:
      "Send a full domain name such as `shop.example`: no scheme, path, port, wildcard or IP address, punycode for letters beyond ASCII, and `localhost` in the sandbox only.",
  },
  wallet_domains_too_many: {
    id: "V12102",
    status: 400,
    meaning: "Remove some domains first; a merchant account has at most 50.",
  },
  wallet_domain_unknown: {
    id: "V12103",
    status: 404,
    meaning: "Send a domain that is registered; this one is not.",
  },
  wallet_domains_capability_missing: {
    id: "V12104",
    status: 403,
    meaning: "Have Apple Pay (`applePay`) enabled; the merchant account does not have it.",
  },
  wallet_domain_verification_failed: {
    id: "S12100",
    status: 500,
    meaning:
      "Host the association file on `domain` as the guide describes, then register again; `reason` says why it could not be verified.",
  },
} as const satisfies Record<string, Code>;
