import { defined } from "../../kernel/defined.ts";
import type { Mode } from "../../kernel/mode.ts";
import { isRail } from "../../kernel/source.ts";
import { toIso } from "../../kernel/time.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Static } from "../../platform/http/schema.ts";
import { customerPath, maskedEmail } from "../customers/index.ts";
import { pageUrl } from "../hosted-pages/index.ts";
import { ok } from "../merchants/index.ts";
import { instrumentPath } from "../payment-instruments/index.ts";
import { transactionPath } from "../transactions/index.ts";
import type { CustomerRequest, PaymentRequest } from "./payment-request.ts";
import { RAIL_RULES } from "./rails.ts";
import type { PaymentRequestAnswer } from "./wire.ts";

type Wire = Static<typeof PaymentRequestAnswer>;

/** A payment request on the wire. Lists and events leave the logo out. */
export function presentPaymentRequest(request: PaymentRequest, mode: Mode, settings: Settings): Wire {
  const { details } = request;
  return {
    id: request.id,
    reference: request.reference,
    ...defined({
      externalReference: request.externalReference ?? undefined,
      metadata: request.metadata ?? undefined,
    }),
    createdDateTime: toIso(request.createdAt),
    updatedDateTime: toIso(request.updatedAt),
    expiryDateTime: toIso(request.expiresAt),
    paymentRequestStatus: request.status,
    ...defined({ locale: details.locale }),
    payment: presentPayment(request, settings),
    ...defined({
      paymentMethods: details.paymentMethods && [...details.paymentMethods],
      transactionRequest:
        details.category &&
        defined({
          category: details.category,
          attempts: details.attempts,
          collectAddress: details.collectAddress,
        }),
      customerRequest: details.customerRequest && presentCustomer(details.customerRequest),
      agreementDetails: details.agreement,
    }),
    ...presentPage(request, settings),
    ...presentResults(request, settings),
    ...presentReturns(request),
    result: ok(mode),
  };
}

function presentPayment(request: PaymentRequest, settings: Settings): Wire["payment"] {
  const { amount, currency: currencyCode, details, flow } = request;
  return defined({
    amount,
    currencyCode,
    description: details.description,
    instrument: isRail(flow) ? RAIL_RULES[flow].present(request, settings) : undefined,
  });
}

function presentCustomer(customer: CustomerRequest): NonNullable<Wire["customerRequest"]> {
  return customer.email === undefined ? customer : { ...customer, email: maskedEmail(customer.email) };
}

function presentResults(
  request: PaymentRequest,
  { baseUrl }: Settings,
): Pick<Wire, "transactionResult" | "transactionAttempts" | "customerResult"> {
  const link = (id: string) => ({ id, location: baseUrl + transactionPath(id) });
  const { approvedTransactionId: approved, failedTransactionIds: failed } = request;
  return {
    ...defined({
      transactionResult: approved === null ? undefined : link(approved),
      transactionAttempts: failed.length === 0 ? undefined : failed.map(link),
    }),
    ...presentStored(request, baseUrl),
  };
}

function presentStored(
  { customerId, paymentInstrumentId }: PaymentRequest,
  baseUrl: string,
): Pick<Wire, "customerResult"> {
  if (customerId === null || paymentInstrumentId === null) return {};
  return {
    customerResult: {
      id: customerId,
      location: baseUrl + customerPath(customerId),
      paymentInstrumentId,
      paymentInstrumentLocation: baseUrl + instrumentPath({ customerId, id: paymentInstrumentId }),
    },
  };
}

function presentReturns({ payIdReturns }: PaymentRequest): Pick<Wire, "payIdReturns"> {
  if (payIdReturns.length === 0) return {};
  return {
    payIdReturns: payIdReturns.map(({ amount, reason, receivedAt }) => ({
      amount,
      reason,
      receivedDateTime: toIso(receivedAt),
    })),
  };
}

function presentPage(request: PaymentRequest, settings: Settings): Pick<Wire, "hostedPaymentPage"> {
  const { hostedPage } = request.details;
  const { flow, pageKey } = request;
  if (hostedPage === undefined || pageKey === null) return {};
  return {
    hostedPaymentPage: {
      ...(hostedPage as Omit<NonNullable<Wire["hostedPaymentPage"]>, "url" | "logo">),
      ...defined({ logo: request.logo ?? undefined }),
      url: pageUrl(settings.hostedUrl, { flow, pageKey }),
    },
  };
}
