import type { Problem } from "../../kernel/refusal.ts";
import { RAILS } from "../../kernel/source.ts";
import { dayInZone, type Instant, later, parseDateTime } from "../../kernel/time.ts";
import type { Loose, Sound } from "../../platform/http/validate.ts";
import { hostedPageProblems } from "../hosted-pages/index.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import { LONGEST_LIFE, type PaymentMethod, SHORTEST_LIFE } from "./payment-request.ts";
import { RAIL_RULES, railOf } from "./rails.ts";
import type { PaymentRequestInput } from "./wire.ts";

type RouteInput = Loose<PaymentRequestInput>;

/** Rules between the fields of a payment request. Pure: the merchant and the time on the merchant's clock are passed in. */
export function paymentRequestProblems(
  input: RouteInput,
  merchant: Merchant,
  now: Instant,
  sound: Sound,
): readonly Problem[] {
  const ofAmount = verificationProblems(input, sound);
  // A refused amount is not compared with the lines.
  const amount = ofAmount.length > 0 ? undefined : input.payment?.amount;
  return [
    ...flowProblems(input, sound),
    ...ofAmount,
    ...addressProblems(input, sound),
    ...expiryProblems(input, now),
    ...customerProblems(input, sound),
    ...agreementProblems(input, merchant, now, sound),
    ...(input.hostedPaymentPage === undefined
      ? []
      : hostedPageProblems(input.hostedPaymentPage, { amount, mode: merchant.mode }, sound)),
  ];
}

const NOT_WITH_A_RAIL = [
  "paymentMethods",
  "hostedPaymentPage",
  "customerRequest",
  "transactionRequest",
] as const;

/** A request is exactly one of: card or wallet checkout, hosted page, rail. Each requires some parts and refuses others. */
function flowProblems(input: RouteInput, sound: Sound): readonly Problem[] {
  if (input.payment?.instrument !== undefined || !sound("/payment/instrument")) {
    const refused = NOT_WITH_A_RAIL.filter((name) => input[name] !== undefined || !sound(`/${name}`));
    const rules = RAIL_RULES[railOf(input.payment?.instrument) ?? RAILS[0]];
    const currency = input.payment?.currencyCode ?? rules.currency;
    return [
      ...(currency === rules.currency
        ? []
        : [{ code: "payment_request_currency_code_invalid", field: "/payment/currencyCode" } as const]),
      ...refused.map((name) => ({ code: rules.refusals.combination, field: `/${name}` })),
    ];
  }
  if (input.hostedPaymentPage !== undefined || !sound("/hostedPaymentPage")) {
    return input.transactionRequest?.attempts === undefined
      ? []
      : [{ code: "payment_request_attempts_invalid", field: "/transactionRequest/attempts" }];
  }
  return [
    ...(input.paymentMethods === undefined
      ? [{ code: "payment_request_payment_methods_invalid", field: "/paymentMethods" } as const]
      : []),
    ...(input.transactionRequest === undefined
      ? [{ code: "payment_request_transaction_request_invalid", field: "/transactionRequest" } as const]
      : []),
  ];
}

/** An amount of 0 verifies a card that is then stored: without `create`, by a rail or without `card` there is nothing to do. */
function verificationProblems(input: RouteInput, sound: Sound): readonly Problem[] {
  const { payment, customerRequest } = input;
  if (payment?.amount !== 0) return [];
  const stores =
    customerRequest?.paymentInstrument === "create" || !sound("/customerRequest/paymentInstrument");
  const verifies =
    payment.instrument === undefined &&
    sound("/payment/instrument") &&
    stores &&
    !excludes(input, "card", sound);
  return verifies ? [] : [{ code: "payment_request_amount_invalid", field: "/payment/amount" }];
}

/** Whether a method is not among the request's. A method that the schema refused can be a misspelt one. */
function excludes({ paymentMethods }: RouteInput, method: PaymentMethod, sound: Sound): boolean {
  if (paymentMethods === undefined) return method !== "card" && sound("/paymentMethods");
  return paymentMethods.every((one) => one !== undefined && one !== method);
}

/** A wallet has an address of its own: only a card's payer is asked. */
function addressProblems(input: RouteInput, sound: Sound) {
  const collects = (input.transactionRequest?.collectAddress ?? "none") !== "none";
  if (!collects || !excludes(input, "card", sound)) return [];
  return [
    {
      code: "payment_request_collect_address_invalid",
      field: "/transactionRequest/collectAddress",
    } as const,
  ];
}

function expiryProblems(input: RouteInput, now: Instant): readonly Problem[] {
  const expiry = input.expiryDateTime === undefined ? undefined : parseDateTime(input.expiryDateTime);
  if (expiry === undefined) return [];
  const fine = expiry >= later(now, SHORTEST_LIFE) && expiry <= later(now, LONGEST_LIFE);
  return fine ? [] : [{ code: "payment_request_expiry_date_time_invalid", field: "/expiryDateTime" }];
}

/** An existing customer already has a name and an e-mail address; only an existing one has saved cards to remove. */
function customerProblems({ customerRequest }: RouteInput, sound: Sound): readonly Problem[] {
  // An id that was refused was given, too.
  if (customerRequest?.id === undefined && sound("/customerRequest/id")) {
    return customerRequest?.allowRemoval === undefined
      ? []
      : [
          {
            code: "payment_request_customer_allow_removal_invalid",
            field: "/customerRequest/allowRemoval",
          },
        ];
  }
  return [
    ...(customerRequest?.name === undefined
      ? []
      : [{ code: "payment_request_customer_name_invalid", field: "/customerRequest/name" } as const]),
    ...(customerRequest?.email === undefined
      ? []
      : [{ code: "payment_request_customer_email_invalid", field: "/customerRequest/email" } as const]),
  ];
}

function agreementProblems(
  input: RouteInput,
  merchant: Merchant,
  now: Instant,
  sound: Sound,
): readonly Problem[] {
  const { agreementDetails: agreement } = input;
  if (agreement === undefined) return [];
  const place = "/agreementDetails";
  const withoutWallet = excludes(input, "apple_pay", sound);
  const start = agreement.startDate ?? dayInZone(now, zoneOf(merchant));
  const backwards =
    sound(`${place}/startDate`) && agreement.endDate !== undefined && agreement.endDate < start;
  const plain = merchant.mode === "live" && agreement.managementURL?.toLowerCase().startsWith("http:");
  return [
    ...(withoutWallet ? [{ code: "payment_request_agreement_details_invalid", field: place } as const] : []),
    ...(backwards
      ? [{ code: "payment_request_agreement_end_date_invalid", field: `${place}/endDate` } as const]
      : []),
    ...(plain
      ? [
          {
            code: "payment_request_agreement_management_url_invalid",
            field: `${place}/managementURL`,
          } as const,
        ]
      : []),
  ];
}
