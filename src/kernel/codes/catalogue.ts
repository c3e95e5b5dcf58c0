import { ACCOUNT_CODES } from "./accounts.ts";
import { CHECKOUT_CODES } from "./checkout.ts";
import type { Code } from "./code.ts";
import { CUSTOMER_CODES } from "./customers.ts";
import { DASHBOARD_USER_CODES } from "./dashboard-users.ts";
import { DISPUTE_CODES } from "./disputes.ts";
import { HOSTED_PAGE_CODES } from "./hosted-pages.ts";
import { HTTP_CODES } from "./http.ts";
import { INCOMING_TRANSFER_CODES } from "./incoming-transfers.ts";
import { METADATA_CODES } from "./metadata.ts";
import { PAYMENT_INSTRUMENT_CODES } from "./payment-instruments.ts";
import { PAYMENT_REQUEST_CODES } from "./payment-requests.ts";
import { PAYOUT_CODES } from "./payouts.ts";
import { TRANSACTION_CODES } from "./transactions.ts";
import { WALLET_DOMAIN_CODES } from "./wallet-domains.ts";
import { WEBHOOK_CODES } from "./webhooks.ts";

/** Every code that the gateway returns, by name. The docs page of codes is generated from it. */
export const CATALOGUE = {
  ...HTTP_CODES,
  ...METADATA_CODES,
  ...PAYMENT_REQUEST_CODES,
  ...HOSTED_PAGE_CODES,
  ...ACCOUNT_CODES,
  ...TRANSACTION_CODES,
  ...DISPUTE_CODES,
  ...CHECKOUT_CODES,
  ...CUSTOMER_CODES,
  ...PAYMENT_INSTRUMENT_CODES,
  ...PAYOUT_CODES,
  ...WEBHOOK_CODES,
  ...INCOMING_TRANSFER_CODES,
  ...WALLET_DOMAIN_CODES,
  ...DASHBOARD_USER_CODES,
} as const satisfies Record<string, Code>;

export type CodeName = keyof typeof CATALOGUE;
/** The number that callers see, such as `V11010`. Inside the gateway codes go by name; numbers belong to the HTTP edge. */
export type CodeId = (typeof CATALOGUE)[CodeName]["id"];

/** A code as the API description and the docs publish it. */
export type PublishedCode = Omit<Code, "id"> & { readonly message: CodeName };

/** The catalogue by number, in order. */
export const CODES_BY_ID = Object.fromEntries(
  Object.entries(CATALOGUE)
    .map(([message, { id, status, meaning }]) => [id, { message, status, meaning }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
) as Readonly<Record<CodeId, PublishedCode>>;

export function codeId(name: CodeName): CodeId {
  return CATALOGUE[name].id;
}
