import { html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { bankAppLink, pageUrl } from "../../features/hosted-pages/index.ts";
import type { PaymentRequest } from "../../features/payment-requests/index.ts";
import { payIdEmail } from "../../features/payment-requests/index.ts";
import { refundable, type Transaction, totalOf } from "../../features/transactions/index.ts";
import { OUTCOMES } from "../../kernel/codes/outcomes.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { shortId } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { copyable, type Fact, metadataFacts } from "../shell/parts/facts.ts";
import { exactTime } from "../shell/times.ts";
import {
  adviceWords,
  checkWords,
  flowWords,
  messageWords,
  openPageWords,
  schemeWords,
  sourceWords,
} from "../shell/words.ts";

export function transactionFacts({ base, zone }: MerchantVisit, one: Transaction): readonly Fact[] {
  return [
    ...when(one.reference !== one.id, "Reference", one.reference),
    ["Id", copyable(one.id, "transaction id")],
    ["Method", methodOf(one)],
    ...when(one.card !== null, "Name on card", one.card?.name),
    ...when(one.surcharge > 0, "Surcharge", `${moneyText(one.surcharge)}, total ${moneyText(totalOf(one))}`),
    ...when(one.approvedAmount !== null, "Approved by the acquirer", moneyText(one.approvedAmount ?? 0)),
    ["Captured", moneyText(one.captured)],
    ...when(one.captureReference !== null, "Capture reference", one.captureReference ?? ""),
    ...when(one.lateApproval !== null, "Approved too late", lateApprovalOf(one)),
    ...when(one.refunded > 0, "Refunded", moneyText(one.refunded)),
    ...when(one.refundsHeld > one.refunded, "Being refunded", moneyText(one.refundsHeld - one.refunded)),
    ...when(one.refundsHeld > 0, "Left to refund", moneyText(refundable(one))),
    ...when(
      one.disputed > 0,
      "Disputed",
      html`<a href="${base}/disputes?transaction=${one.id}">${moneyText(one.disputed)}</a>`,
    ),
    ["Outcome", one.code === null ? "Pending" : `${messageWords(one.code)} (${OUTCOMES[one.code]})`],
    ...when(one.authentication !== null, "3D Secure", authenticationOf(one)),
    ...acquirerFacts(one),
    ...when(
      one.customerId !== null,
      "Customer",
      html`<a href="${base}/customers/${one.customerId ?? ""}">${shortId(one.customerId ?? "")}</a>`,
    ),
    ...metadataFacts(one.metadata),
    ["Frequency", `${one.frequency}, ${one.captureType} capture`],
    ["Created", exactTime(one.createdAt, zone)],
  ];
}

function authenticationOf({ authentication, authenticationFacts }: Transaction): string {
  const { version, eci, dsTransactionId } = authenticationFacts ?? {};
  const parts = [
    authentication ?? "",
    version && `version ${version}`,
    eci && `ECI ${eci}`,
    dsTransactionId && `DS transaction ${dsTransactionId}`,
  ];
  return parts.filter((part) => part).join(", ");
}

function lateApprovalOf({ lateApproval }: Transaction): string {
  const { amount, reversedAt } = lateApproval ?? {};
  return `${moneyText(amount ?? 0)}, ${reversedAt === undefined ? "being reversed" : "reversed"}`;
}

/** What the acquirer said, in its own codes where it has them. */
function acquirerFacts({ acquirer }: Transaction): readonly Fact[] {
  if (acquirer === null) return [];
  const { connector, responseCode, authorisationCode, securityCodeResult, addressResult, retryAdvice } =
    acquirer;
  const said = [
    connector,
    responseCode && `answer ${responseCode}`,
    authorisationCode && `authorisation ${authorisationCode}`,
  ];
  return [
    ["Acquirer", said.filter((part) => part).join(", ")],
    ...when(
      securityCodeResult !== undefined,
      "Security code",
      checkWords("securityCode", securityCodeResult ?? ""),
    ),
    ...when(addressResult !== undefined, "Address", checkWords("address", addressResult ?? "")),
    ...when(retryAdvice !== undefined, "Try again", adviceWords(retryAdvice ?? "later")),
  ];
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

export function requestFacts(
  { zone, merchant }: MerchantVisit,
  request: PaymentRequest,
  { hostedUrl, payIdDomain }: Settings,
): readonly Fact[] {
  const { details, pageKey, payIdValue } = request;
  const payId = payIdEmail(payIdValue ?? "", payIdDomain);
  return [
    ...when(request.reference !== request.id, "Reference", request.reference),
    ["Id", copyable(request.id, "payment request id")],
    ...when(request.externalReference !== null, "External reference", request.externalReference ?? ""),
    ["Flow", flowWords(request.flow)],
    ...when(details.description !== undefined, "Description", details.description),
    ...when(
      details.paymentMethods !== undefined,
      "Methods",
      details.paymentMethods?.map(sourceWords).join(", "),
    ),
    ...when(
      pageKey !== null,
      "Page",
      html`<a href="${pageUrl(hostedUrl, { flow: request.flow, pageKey: pageKey ?? "" })}" rel="noreferrer" target="_blank">${openPageWords(request.flow)}</a>`,
    ),
    ...when(payIdValue !== null, "PayID", copyable(payId, "PayID")),
    ...when(
      payIdValue !== null && merchant.mode === "sandbox",
      "Bank app",
      html`<a href="${hostedUrl}${bankAppLink(request.id, payId)}" rel="noreferrer" target="_blank">Open the sandbox's bank app</a>`,
    ),
    ...metadataFacts(request.metadata),
    ["Created", exactTime(request.createdAt, zone)],
    [request.status === "created" ? "Expires" : "Expiry", exactTime(request.expiresAt, zone)],
  ];
}

function when(shown: boolean, ...fact: Fact): readonly Fact[] {
  return shown ? [fact] : [];
}
