import { chargeRoutes } from "../features/charges/index.ts";
import { customerRoutes } from "../features/customers/index.ts";
import { deliveryRoutes } from "../features/deliveries/index.ts";
import { disputeRoutes } from "../features/disputes/index.ts";
import { eventRoutes } from "../features/events/index.ts";
import { incomingTransferRoutes } from "../features/incoming-transfers/index.ts";
import { type Caller, merchantRoutes } from "../features/merchants/index.ts";
import { instrumentsOfCustomers, paymentInstrumentRoutes } from "../features/payment-instruments/index.ts";
import { paymentRequestRoutes } from "../features/payment-requests/index.ts";
import { payoutRoutes } from "../features/payouts/index.ts";
import { refundRoutes } from "../features/refunds/index.ts";
import { sandboxRoutes } from "../features/sandbox/index.ts";
import { tokenRoutes } from "../features/tokens/index.ts";
import { transactionRoutes } from "../features/transactions/index.ts";
import { walletDomainRoutes } from "../features/wallet-domains/index.ts";
import { webhookRoutes } from "../features/webhooks/index.ts";
import type { Route } from "../platform/http/route.ts";

/** Every endpoint of the API, in the order of the reference. */
export const API_ROUTES: readonly Route<Caller>[] = [
  ...paymentRequestRoutes,
  ...tokenRoutes,
  ...chargeRoutes,
  ...transactionRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...payoutRoutes,
  ...customerRoutes(instrumentsOfCustomers),
  ...paymentInstrumentRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...deliveryRoutes,
  ...merchantRoutes,
  ...walletDomainRoutes,
  ...sandboxRoutes,
  ...incomingTransferRoutes,
];
