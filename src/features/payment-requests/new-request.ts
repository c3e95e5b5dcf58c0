import type { Id } from "../../kernel/ids.ts";
import { dayInZone, type Instant, later, parseDateTime } from "../../kernel/time.ts";
import { hostedPageOf } from "../hosted-pages/index.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import {
  type Agreement,
  type Details,
  type Flow,
  type PaymentRequest,
  STANDARD_LIFE,
} from "./payment-request.ts";
import type { PaymentRequestAsk } from "./wire.ts";

/** The payment request that a checked ask makes, with every default filled in. Pure. */
export function newRequest(
  ask: PaymentRequestAsk,
  merchant: Merchant,
  facts: { readonly id: Id<"paymentRequest">; readonly pageKey: string | null; readonly now: Instant },
): PaymentRequest {
  const flow = flowOf(ask);
  const expiry = ask.expiryDateTime === undefined ? undefined : parseDateTime(ask.expiryDateTime);
  return {
    id: facts.id,
    merchantId: merchant.id,
    reference: ask.reference ?? facts.id,
    externalReference: ask.externalReference ?? null,
    flow,
    status: "created",
    amount: ask.payment.amount,
    currency: ask.payment.currencyCode ?? merchant.currency,
    details: flow === "payid" ? describe(ask) : payable(ask, merchant, facts.now),
    logo: ask.hostedPaymentPage?.logo ?? null,
    pageKey: flow === "hosted_page" ? facts.pageKey : null,
    payIdValue: ask.payment.instrument?.payId.value ?? null,
    payIdReturns: [],
    approvedTransactionId: null,
    failedTransactionIds: [],
    customerId: null,
    paymentInstrumentId: null,
    expiresAt: expiry ?? later(facts.now, STANDARD_LIFE),
    createdAt: facts.now,
    updatedAt: facts.now,
  };
}

function flowOf(ask: PaymentRequestAsk): Flow {
  if (ask.payment.instrument !== undefined) return "payid";
  return ask.hostedPaymentPage === undefined ? "checkout" : "hosted_page";
}

function describe({ payment }: PaymentRequestAsk): Details {
  return payment.description === undefined ? {} : { description: payment.description };
}

/** The details of a request that is paid by card or wallet. */
function payable(ask: PaymentRequestAsk, merchant: Merchant, now: Instant): Details {
  const category = ask.transactionRequest?.category ?? {};
  return {
    ...describe(ask),
    paymentMethods: ask.paymentMethods ?? ["card"],
    category: { frequency: "single", captureType: "auto", ...category },
    ...(ask.customerRequest === undefined ? {} : { customerRequest: ask.customerRequest }),
    ...(ask.agreementDetails === undefined
      ? {}
      : { agreement: agreementOf(ask.agreementDetails, merchant, now) }),
    ...(ask.hostedPaymentPage === undefined
      ? {}
      : { hostedPage: hostedPageOf(ask.hostedPaymentPage, merchant.name) }),
  };
}

function agreementOf(
  ask: NonNullable<PaymentRequestAsk["agreementDetails"]>,
  merchant: Merchant,
  now: Instant,
): Agreement {
  return { startDate: dayInZone(now, zoneOf(merchant)), amount: 0, ...ask };
}
