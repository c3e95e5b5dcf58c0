import { type Html, html } from "../../../../browser/ui/html.ts";
import { plainWords } from "../../../../browser/ui/merchant-text.ts";
import { moneyText } from "../../../../browser/ui/money-text.ts";
import { statusPanel } from "../../../../browser/ui/status-panel.ts";
import { bankAppLink } from "../../../features/hosted-pages/index.ts";
import type { IncomingTransfer } from "../../../features/incoming-transfers/index.ts";

const RETURN_REASONS: Readonly<Record<NonNullable<IncomingTransfer["reason"]>, string>> = {
  short:
    "It was less than the requested amount. Only the exact amount is accepted; the request is still open.",
  over: "It was more than the requested amount. Only the exact amount is accepted; the request is still open.",
  late: "The payment request has expired.",
  duplicate: "The payment request was paid already.",
  closed: "The payment request was cancelled.",
  unknown: "No payment request has this PayID.",
};

/** The outcome of a transfer, as the payer's bank shows it. */
export function transferResult(
  { amount, payId, reason, paymentRequestId }: IncomingTransfer,
  payee: string,
): Html {
  const panel = statusPanel(
    reason === null
      ? {
          picture: "good",
          heading: "Transfer accepted",
          amount: moneyText(amount),
          words: [`Paid to ${plainWords(payee)}, ${payId}.`, "The payment request is completed."],
        }
      : {
          picture: "bad",
          heading: `Transfer returned: ${reason}`,
          amount: moneyText(amount),
          words: [RETURN_REASONS[reason], `The money is on its way back from ${payId}.`],
        },
  );
  return html`<div class="bank-result">${{ html: panel }}</div>
<p class="ways"><a class="quiet quiet-link" href="${bankAppLink(paymentRequestId ?? "", payId)}">Make another transfer</a></p>`;
}
