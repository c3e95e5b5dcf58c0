import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { LINK_DAYS_STANDARD, type PaymentRequest } from "../../features/payment-requests/index.ts";
import { qrPicture } from "../../platform/images/qr.ts";
import { shortId } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { choice, type FieldProblems, field, postForm } from "../shell/parts/form.ts";
import { exactTime } from "../shell/times.ts";
import { type PaymentStatus, paymentBadge } from "./payment-status.ts";

const DAYS = [1, 7, 30, 90];

export function linkForm(
  { base, formToken, fields, merchant }: MerchantVisit,
  problems: FieldProblems,
): Html {
  const content = html`${field({
    name: "amount",
    label: "Amount in dollars",
    value: fields["amount"],
    inputmode: "decimal",
    hint: `In ${merchant.currency}, such as 30.00`,
    problem: problems["amount"],
    required: true,
    width: "short",
  })}${field({
    name: "description",
    label: "Description (optional)",
    value: fields["description"],
    hint: "The payer reads it on the page.",
    problem: problems["description"],
  })}${field({
    name: "reference",
    label: "Reference (optional)",
    value: fields["reference"],
    hint: "Your own, such as the number of an invoice.",
    problem: problems["reference"],
  })}${choice({
    name: "days",
    label: "Can be paid for",
    value: fields["days"] ?? String(LINK_DAYS_STANDARD),
    among: DAYS.map((days) => ({ value: String(days), label: days === 1 ? "1 day" : `${days} days` })),
    problem: problems["days"],
  })}`;
  return panel(
    "What should be paid?",
    postForm({
      action: `${base}/payment-links/new`,
      formToken,
      content,
      button: "Create the link",
      beside: html`<a href="${base}/payment-requests">Go back</a>`,
    }),
  );
}

/** The link to send, and as a picture to show or print. */
export function linkView(
  { base, zone }: MerchantVisit,
  request: PaymentRequest,
  { url, status }: { readonly url: string; readonly status: PaymentStatus },
): Html {
  const { size, path } = qrPicture(url);
  const isOpen = request.status === "created" && status !== "expired";
  const rows = facts([
    ["Amount", `${moneyText(request.amount)} ${request.currency}`],
    ...(request.details.description === undefined
      ? []
      : [["Description", request.details.description] as const]),
    ["Reference", request.reference === request.id ? "" : request.reference],
    [isOpen ? "Can be paid until" : "Could be paid until", exactTime(request.expiresAt, zone)],
    [
      "Payment request",
      html`<a href="${base}/payment-requests/${request.id}">${request.reference === request.id ? shortId(request.id) : request.reference}</a>`,
    ],
  ]);
  return html`<div class="payment-head" role="status">${paymentBadge(status)}</div>
${panel(
  "Send this link to the payer",
  html`<p>${copyable(url, "the payment link")}</p>
<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the payment link"><path d="${path}" shape-rendering="crispEdges" /></svg>
${rows}`,
)}`;
}
