import { defined } from "../../kernel/defined.ts";
import type { Id } from "../../kernel/ids.ts";
import { metadataOf } from "../../kernel/metadata.ts";
import { cents } from "../../kernel/money.ts";
import { isRail } from "../../kernel/source.ts";
import { dayInZone, type Instant, later, parseDateTime } from "../../kernel/time.ts";
import { hostedPageOf } from "../hosted-pages/index.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { type Agreement, type Details, type PaymentRequest, STANDARD_LIFE } from "./payment-request.ts";
import { flowOf, RAIL_RULES } from "./rails.ts";
import type { PaymentRequestInput } from "./wire.ts";

/** The payment request of a checked input, with every default filled in. Pure. */
export function newRequest(
  merchant: Merchant,
  input: PaymentRequestInput,
  facts: { readonly id: Id<"paymentRequest">; readonly pageKey: string | null; readonly now: Instant },
): PaymentRequest {
  const flow = flowOf(input);
  const expiry = input.expiryDateTime === undefined ? undefined : parseDateTime(input.expiryDateTime);
  return {
    id: facts.id,
    merchantId: merchant.id,
    reference: input.reference ?? facts.id,
    externalReference: input.externalReference ?? null,
    metadata: metadataOf(input.metadata),
    flow,
    status: "created",
    amount: cents(input.payment.amount),
    currency: input.payment.currencyCode ?? (isRail(flow) ? RAIL_RULES[flow].currency : merchant.currency),
    details: isRail(flow) ? describe(input) : payable(merchant, input, facts.now),
    logo: input.hostedPaymentPage?.logo ?? null,
    pageKey: facts.pageKey,
    payIdValue: input.payment.instrument?.payId.value.toLowerCase() ?? null,
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

function describe({ payment, locale }: PaymentRequestInput): Details {
  return defined({ description: payment.description, locale });
}

/** The details of a request for cards or wallets. */
function payable(merchant: Merchant, input: PaymentRequestInput, now: Instant): Details {
  const category = input.transactionRequest?.category ?? {};
  return {
    ...describe(input),
    paymentMethods: input.paymentMethods ?? ["card"],
    category: { frequency: "single", captureType: "auto", ...category },
    ...defined({
      attempts: input.transactionRequest?.attempts,
      collectAddress: input.transactionRequest?.collectAddress,
      customerRequest: input.customerRequest,
      agreement: input.agreementDetails && agreementOf(merchant, input.agreementDetails, now),
      hostedPage: input.hostedPaymentPage && hostedPageOf(input.hostedPaymentPage, merchant.name),
    }),
  };
}

function agreementOf(
  merchant: Merchant,
  input: NonNullable<PaymentRequestInput["agreementDetails"]>,
  now: Instant,
): Agreement {
  const { amount = 0, ...rest } = input;
  return { startDate: dayInZone(now, zoneOf(merchant)), amount: cents(amount), ...rest };
}
