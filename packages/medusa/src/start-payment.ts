import type { CreatePaymentRequestBody, PaymentRequest } from "@tidegate/client";
import type { Connection } from "./connection.ts";
import type { Currency } from "./money.ts";
import type { HostedPageOptions, TidegateProviderOptions } from "./options.ts";
import type { SessionData } from "./session-data.ts";

/** The pair of metadata that leads from a payment request, and from its transactions, to Medusa's session. */
export const SESSION_KEY = "medusa_session_id";

const DEFAULT_HOSTED_URL = "http://localhost:4001";
const DEFAULT_ATTEMPTS = 3;

export type Start = {
  readonly sessionId: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly locale: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** Creates the payment request of a session, and for the embedded checkout its token. */
export async function startPayment(connection: Connection, start: Start): Promise<SessionData> {
  const { tidegate, options } = connection;
  const body = requestOf(options, start);
  const request = await tidegate.paymentRequests.create(body, { idempotencyKey: start.idempotencyKey });
  return sessionOf(connection, start.sessionId, request);
}

/** The data of a session whose payment request is open, with a new token. */
export async function sessionOf(
  { tidegate, options }: Connection,
  sessionId: string,
  { id, payment, hostedPaymentPage }: PaymentRequest,
): Promise<SessionData> {
  // The client generates this key: the answer to a repeat under a key of ours would hold no token.
  const made =
    hostedPaymentPage === undefined ? await tidegate.tokens.create({ paymentRequestId: id }) : undefined;
  return {
    session_id: sessionId,
    payment_request_id: id,
    amount: payment.amount,
    currency_code: payment.currencyCode,
    hosted_url: new URL(options.hostedUrl ?? DEFAULT_HOSTED_URL).origin,
    token: made?.token ?? null,
    token_expires_at: made?.expiryDateTime ?? null,
    payment_page_url: hostedPaymentPage?.url ?? null,
    transaction_id: null,
    card: null,
  };
}

function requestOf(options: TidegateProviderOptions, start: Start): CreatePaymentRequestBody {
  const attempts = options.attempts ?? DEFAULT_ATTEMPTS;
  const category = {
    captureType: options.captureType ?? "auto",
    ...(options.authenticationType !== undefined && { authenticationType: options.authenticationType }),
  };
  const common = {
    reference: start.sessionId,
    metadata: { [SESSION_KEY]: start.sessionId },
    locale: start.locale,
    payment: { amount: start.amount, currencyCode: start.currency, description: options.description },
    paymentMethods: options.paymentMethods ?? ["card"],
  } as const;
  if (options.checkout !== "hosted" || options.hostedPage === undefined) {
    return { ...common, transactionRequest: { category, attempts } };
  }
  const hostedPaymentPage = { ...pageOf(options.hostedPage, start.sessionId), attempts };
  return { ...common, transactionRequest: { category }, hostedPaymentPage };
}

function pageOf(page: HostedPageOptions, sessionId: string): HostedPageOptions {
  const filled = (url: string | undefined) => url?.replaceAll("{session_id}", sessionId);
  return { ...page, redirectUrl: filled(page.redirectUrl), cancelUrl: filled(page.cancelUrl) };
}
