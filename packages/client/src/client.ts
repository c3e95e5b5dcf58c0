import { callsOf } from "./call.ts";
import { settingsOf, type TidegateOptions } from "./options.ts";
import { accountOf } from "./resources/account.ts";
import { customersOf } from "./resources/customers.ts";
import { disputesOf } from "./resources/disputes.ts";
import { eventsOf } from "./resources/events.ts";
import { paymentInstrumentsOf } from "./resources/payment-instruments.ts";
import { paymentRequestsOf } from "./resources/payment-requests.ts";
import { payoutsOf } from "./resources/payouts.ts";
import { refundsOf } from "./resources/refunds.ts";
import { sandboxOf } from "./resources/sandbox.ts";
import { tokensOf } from "./resources/tokens.ts";
import { transactionsOf } from "./resources/transactions.ts";
import { walletDomainsOf } from "./resources/wallet-domains.ts";
import { webhooksOf } from "./resources/webhooks.ts";

export type Tidegate = ReturnType<typeof createTidegate>;

/** A client for one merchant's API key. It holds no connection and no state: create one and share it. */
export function createTidegate(options: TidegateOptions) {
  const call = callsOf(settingsOf(options));
  return {
    paymentRequests: paymentRequestsOf(call),
    tokens: tokensOf(call),
    transactions: transactionsOf(call),
    refunds: refundsOf(call),
    disputes: disputesOf(call),
    customers: customersOf(call),
    paymentInstruments: paymentInstrumentsOf(call),
    webhooks: webhooksOf(call),
    events: eventsOf(call),
    payouts: payoutsOf(call),
    account: accountOf(call),
    walletDomains: walletDomainsOf(call),
    sandbox: sandboxOf(call),
  };
}
