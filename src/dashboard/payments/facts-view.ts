import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { pageUrl } from "../../features/hosted-pages/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import { payIdEmail } from "../../features/payids/index.ts";
import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { refundable, type Transaction, totalOf } from "../../features/transactions/index.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { Context } from "../../platform/context.ts";
import { copyable } from "../shell/parts/facts.ts";
import { exactTime } from "../shell/times.ts";
import type { MerchantVisit } from "../shell/visit.ts";
import { flowWords, messageWords, schemeWords, sourceWords } from "../shell/words.ts";
import type { PaymentModel } from "./model.ts";

type FactRows = PaymentModel["facts"][number];

/** What is known of a transaction, beside its timeline. */
export function transactionFacts(one: Transaction, { base, merchant }: MerchantVisit): FactRows {
  const zone = zoneOf(merchant);
  return {
    heading: "Transaction",
    rows: [
      ["Id", copyable(one.id, "transaction id")],
      ["Reference", one.reference],
      ["Method", methodOf(one)],
      ...row(one.card !== null, "Name on card", one.card?.name),
      ...row(one.surcharge > 0, "Surcharge", `${moneyText(one.surcharge)}, total ${moneyText(totalOf(one))}`),
      ["Captured", moneyText(one.captured)],
      ...row(
        one.refundsHeld > 0,
        "Refunded",
        `${moneyText(one.refundsHeld)}, left ${moneyText(refundable(one))}`,
      ),
      ["Outcome", one.code === null ? "Pending" : `${messageWords(one.code)} (${OUTCOMES[one.code]})`],
      ...row(one.authentication !== null, "3D Secure", one.authentication ?? ""),
      ...(one.customerId === null
        ? []
        : [["Customer", html`<a href="${base}/customers/${one.customerId}">${one.customerId}</a>`] as const]),
      ["Frequency", `${one.frequency}, ${one.captureType} capture`],
      ["Created", exactTime(one.createdAt, zone)],
    ],
  };
}

function methodOf({ source, card, bankAccount, payId }: Transaction): string {
  const name = sourceWords(source);
  if (card !== null)
    return `${name}, ${schemeWords(card.cardType)} ending ${card.last4}, ${card.expiryMonth}/${card.expiryYear}`;
  if (bankAccount !== null)
    return `${name}, ${bankAccount.bsb === undefined ? "" : `${bankAccount.bsb} `}${bankAccount.number}`;
  return payId === null
    ? name
    : `${name}, ${payId.email}${payId.payerName === undefined ? "" : ` from ${payId.payerName}`}`;
}

/** What is known of a payment request. */
export function requestFacts(
  request: PaymentRequest,
  { merchant }: MerchantVisit,
  { settings }: Context,
): FactRows {
  const zone = zoneOf(merchant);
  const { details, pageKey, payIdValue } = request;
  return {
    heading: "Payment request",
    rows: [
      ["Id", copyable(request.id, "payment request id")],
      ["Reference", request.reference],
      ...row(request.externalReference !== null, "External reference", request.externalReference ?? ""),
      ["Flow", flowWords(request.flow)],
      ...row(details.description !== undefined, "Description", details.description),
      ...row(
        details.paymentMethods !== undefined,
        "Methods",
        details.paymentMethods?.map(sourceWords).join(", "),
      ),
      ...(pageKey === null
        ? []
        : [
            [
              "Page",
              html`<a href="${pageUrl(settings.hostedUrl, pageKey)}" rel="noreferrer" target="_blank">Open the hosted page</a>`,
            ] as const,
          ]),
      ...(payIdValue === null
        ? []
        : [["PayID", copyable(payIdEmail(payIdValue, settings.payIdDomain), "PayID")] as const]),
      ["Created", exactTime(request.createdAt, zone)],
      [request.status === "created" ? "Expires" : "Would have expired", exactTime(request.expiresAt, zone)],
    ],
  };
}

function row(
  shown: boolean,
  name: string,
  value: Html | string | undefined,
): readonly (readonly [string, Html | string | undefined])[] {
  return shown ? [[name, value]] : [];
}
