import type { AcquirerFacts } from "../../kernel/acquirer-facts.ts";
import { decline } from "../../kernel/codes/outcomes.ts";
import { defined } from "../../kernel/defined.ts";
import { type Cents, cents } from "../../kernel/money.ts";
import type { AcquirerAnswer, DeclinedAnswer } from "../ports/card-acquirer.ts";
import type { Exchange } from "./exchange.ts";
import { codeOf, type JsonObject, objectOf, textOf } from "./read-json.ts";
import { NEEDS_PAYER, readRefusal } from "./refusals.ts";
import { IN_PROGRESS, rejectionOf } from "./rejections.ts";

const UNKNOWN = { kind: "unknown" } as const;

/**
 * What an exchange means for a payment. A status of 4xx says that Adyen received the call and did not process it, unless it
 * knows the call from before.
 */
export function paymentAnswer(exchange: Exchange, requested: Cents): AcquirerAnswer {
  if (exchange.outcome === "unreached") return { kind: "not_received", reason: exchange.reason };
  if (exchange.outcome === "lost") return UNKNOWN;
  const { status, body } = exchange;
  if (status === 200) return body === undefined ? UNKNOWN : resultAnswer(body, requested);
  const errorCode = body && codeOf(body, "errorCode");
  if (!isRejection(exchange, errorCode)) return UNKNOWN;
  return declined(decline(rejectionOf(status, errorCode)), {
    facts: { responseCode: errorCode ?? String(status) },
    advice: status === 429 ? "later" : undefined,
  });
}

/** What an exchange means for a capture, a void, a refund or a reversal. Their outcome comes in a notification. */
export function operationAnswer(exchange: Exchange): AcquirerAnswer {
  if (exchange.outcome === "unreached") return { kind: "not_received", reason: exchange.reason };
  if (exchange.outcome === "lost") return UNKNOWN;
  const { status, body } = exchange;
  if (body === undefined) return UNKNOWN;
  if (status === 200 || status === 201)
    return textOf(body, "status") === "received" ? { kind: "accepted" } : UNKNOWN;
  const errorCode = codeOf(body, "errorCode");
  // A refused key or a busy Adyen says nothing about the operation, and an earlier call may have arrived: it is repeated.
  if ((status !== 400 && status !== 422) || !isRejection(exchange, errorCode)) return UNKNOWN;
  return decline(rejectionOf(status, errorCode));
}

function isRejection(
  { status, isTransient }: Exchange & { outcome: "answered" },
  errorCode: string | undefined,
): boolean {
  return status >= 400 && status < 500 && status !== 408 && !isTransient && errorCode !== IN_PROGRESS;
}

function resultAnswer(body: JsonObject, requested: Cents): AcquirerAnswer {
  const resultCode = textOf(body, "resultCode") ?? "";
  const data = objectOf(body, "additionalData");
  const refusalCode = codeOf(body, "refusalReasonCode");
  const facts = factsOf(data, {
    acquirerReference: textOf(body, "pspReference"),
    responseCode: resultCode === "Authorised" ? resultCode : (refusalCode ?? resultCode),
  });
  switch (resultCode) {
    case "Authorised":
    case "PartiallyAuthorised":
      return approved(facts, approvedOf(data, body), requested, resultCode === "PartiallyAuthorised");
    case "Refused":
    case "Cancelled": {
      const reason = textOf(body, "refusalReason") ?? (resultCode === "Cancelled" ? resultCode : undefined);
      const words = { code: refusalCode, reason, merchantAdvice: textOf(data, "merchantAdviceCode") };
      const { code, advice } = readRefusal(words);
      return declined(decline(code), { facts, advice });
    }
    case "Received":
    case "Pending":
      return { kind: "accepted", facts };
    default:
      return NEEDS_PAYER.has(resultCode)
        ? declined(decline("3d_secure_error"), { facts, advice: "with_authentication" })
        : UNKNOWN;
  }
}

/**
 * A part without its amount is unknown: it is reversed. Without an approval's pspReference no capture and no refund is
 * possible, so that is unknown too.
 */
function approved(
  facts: AcquirerFacts,
  amount: Cents | undefined,
  requested: Cents,
  isPart: boolean,
): AcquirerAnswer {
  if (facts.acquirerReference === undefined || (isPart && amount === undefined)) return UNKNOWN;
  return amount !== undefined && amount < requested
    ? { kind: "approved", code: "approved_for_partial_amount", approvedAmount: amount, facts }
    : { kind: "approved", code: "approved", facts };
}

function approvedOf(data: JsonObject, body: JsonObject): Cents | undefined {
  const text = textOf(data, "authorisedAmountValue");
  const value = text === undefined ? objectOf(body, "amount")["value"] : Number(text);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? cents(value) : undefined;
}

/** Longer values are cut: these fields have at most a few words. */
const LONGEST_FACT = 100;

/** Facts of answers and of notifications come under the same names. */
export function factsOf(
  data: JsonObject,
  own: {
    readonly acquirerReference?: string | undefined;
    readonly responseCode?: string | undefined;
  },
): AcquirerFacts {
  const short = (text: string | undefined) => text?.slice(0, LONGEST_FACT);
  return defined({
    acquirerReference: short(own.acquirerReference),
    responseCode: short(own.responseCode),
    authorisationCode: short(textOf(data, "authCode")),
    retrievalReference: short(textOf(data, "acquirerReference")),
    networkTransactionId: short(textOf(data, "networkTxReference")),
    securityCodeResult: short(textOf(data, "cvcResult")),
    addressResult: short(textOf(data, "avsResult")),
  });
}

export function declined(
  answer: Pick<DeclinedAnswer, "kind" | "code">,
  more: { readonly facts?: AcquirerFacts; readonly advice: DeclinedAnswer["advice"] | undefined },
): DeclinedAnswer {
  return defined({ ...answer, ...more });
}
