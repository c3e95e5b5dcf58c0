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
      "Send a full domain name such as `shop.example`: no scheme, path, port, wildcard or IP address, and punycode for letters beyond ASCII. The sandbox also accepts `localhost`.",
  },
  wallet_domains_too_many: {
    id: "V12102",
    status: 400,
    meaning: "A merchant account has at most 50 domains; remove some first.",
  },
  wallet_domain_unknown: {
    id: "V12103",
    status: 404,
    meaning: "This domain is not registered.",
  },
  wallet_domains_capability_missing: {
    id: "V12104",
    status: 403,
    meaning: "The merchant account does not have Apple Pay (`applePay`).",
  },
  wallet_domain_verification_failed: {
    id: "S12100",
    status: 500,
    meaning: "The association file of `domain` could not be fetched or is wrong; `reason` says why.",
  },
} as const satisfies Record<string, Code>;
