export { createTidegate, type Tidegate } from "./client.ts";
export {
  type OriginalRequest,
  type TidegateCode,
  TidegateConnectionError,
  TidegateError,
} from "./errors.ts";
export type {
  Account,
  CodeId,
  CreateCustomerBody,
  CreatePaymentInstrumentBody,
  CreatePaymentRequestBody,
  CreateTransactionBody,
  Customer,
  Dispute,
  PaymentInstrument,
  PaymentRequest,
  Payout,
  Refund,
  Token,
  Transaction,
  Webhook,
} from "./generated/api.ts";
export type { CallOptions, TidegateOptions } from "./options.ts";
export {
  type RejectionReason,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookRejected,
  type WebhookRequest,
} from "./webhook-event.ts";
