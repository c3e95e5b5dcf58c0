import { ACCOUNT_CODES } from "./accounts.ts";
import { CHECKOUT_CODES } from "./checkout.ts";
import type { Code } from "./code.ts";
import { CUSTOMER_CODES } from "./customers.ts";
import { DASHBOARD_USER_CODES } from "./dashboard-users.ts";
import { HOSTED_PAGE_CODES } from "./hosted-pages.ts";
import { HTTP_CODES } from "./http.ts";
import { INCOMING_TRANSFER_CODES } from "./incoming-transfers.ts";
import { PAYMENT_INSTRUMENT_CODES } from "./payment-instruments.ts";
import { PAYMENT_REQUEST_CODES } from "./payment-requests.ts";
import { PAYOUT_CODES } from "./payouts.ts";
import { TRANSACTION_CODES } from "./transactions.ts";
import { WALLET_DOMAIN_CODES } from "./wallet-domains.ts";
import { WEBHOOK_CODES } from "./webhooks.ts";

/** Every code that the gateway can answer. There are no others anywhere; the docs page of codes is made from this. */
export const CATALOGUE = {
  ...HTTP_CODES,
  ...PAYMENT_REQUEST_CODES,
  ...HOSTED_PAGE_CODES,
  ...ACCOUNT_CODES,
  ...TRANSACTION_CODES,
  ...CHECKOUT_CODES,
  ...CUSTOMER_CODES,
  ...PAYMENT_INSTRUMENT_CODES,
  ...PAYOUT_CODES,
  ...WEBHOOK_CODES,
  ...INCOMING_TRANSFER_CODES,
  ...WALLET_DOMAIN_CODES,
  ...DASHBOARD_USER_CODES,
} as const satisfies Record<string, Code>;

export type CodeId = keyof typeof CATALOGUE;
