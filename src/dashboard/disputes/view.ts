import { type Html, html } from "../../../browser/ui/html.ts";
import { moneyText } from "../../../browser/ui/money-text.ts";
import { type Dispute, needsResponse } from "../../features/disputes/index.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import { moneyCell, nameCell, shortId, timeCell, wordsCell } from "../shell/lists/view.ts";
import type { MerchantVisit, Refused } from "../shell/page.ts";
import { badge, type Tone } from "../shell/parts/badge.ts";
import { copyable, facts, metadataFacts, panel } from "../shell/parts/facts.ts";
import { postForm, textArea } from "../shell/parts/form.ts";
import { dueText, exactTime } from "../shell/times.ts";
import { messagePhrase, messageWords } from "../shell/words.ts";
import type { DisputeRow } from "./queries.ts";

type DisputeVisit = MerchantVisit<"{disputeId}">;

const TONES: Readonly<Record<Dispute["status"], Tone>> = {
  needs_response: "waiting",
  under_review: "waiting",
  won: "good",
  lost: "bad",
  accepted: "quiet",
};

export const statusWords = (status: Dispute["status"]) => messagePhrase(status);

const statusBadge = (status: Dispute["status"]) => badge(statusWords(status), TONES[status]);

export function disputePath({ base, params }: DisputeVisit): string {
  return `${base}/disputes/${params.disputeId}`;
}

export function disputeCells(row: DisputeRow, visit: MerchantVisit): readonly (Html | string)[] {
  return [
    nameCell(`${visit.base}/disputes/${row.id}`, row.reference, row.id),
    statusBadge(row.status),
    moneyCell(row.amount, row.currency),
    wordsCell(messageWords(row.reason)),
    row.status === "needs_response" ? timeCell(row.evidenceDueAt, visit) : "",
    timeCell(row.createdAt, visit),
  ];
}

type Answering = {
  readonly refused: Refused | undefined;
  /** The operator passes the merchant's response on to the acquirer. */
  readonly isByHand: boolean;
};

const FORWARDED =
  "The gateway does not send this to the acquirer: its operator forwards it by hand. Allow a working day before the due date.";

export function disputeView(visit: DisputeVisit, dispute: Dispute, answering: Answering): Html {
  const { base, zone, now } = visit;
  const isOpen = needsResponse(dispute, now);
  const { evidence, evidenceAt } = dispute;
  return html`${panel(
    "Dispute",
    facts([
      ["Status", statusBadge(dispute.status)],
      ["Amount", html`<strong>${moneyText(dispute.amount)}</strong> ${dispute.currency}`],
      ["Reason", messageWords(dispute.reason)],
      [
        "Transaction",
        html`<a href="${base}/transactions/${dispute.transactionId}">${dispute.reference === dispute.transactionId ? shortId(dispute.transactionId) : dispute.reference}</a>`,
      ],
      ["Opened", exactTime(dispute.createdAt, zone)],
      [
        "Evidence due",
        `${exactTime(dispute.evidenceDueAt, zone)}${isOpen ? ` (${dueText(dispute.evidenceDueAt, now)})` : ""}`,
      ],
      ["Id", copyable(dispute.id, "the dispute id")],
      ...metadataFacts(dispute.metadata),
    ]),
  )}${evidence !== null && evidenceAt !== null && panel("Evidence", html`<p class="lines">${evidence}</p><p class="muted">Sent ${exactTime(evidenceAt, zone)}.${answering.isByHand && " The gateway's operator forwards it to the acquirer."}</p>`)}${isOpen && visit.may("act") && responsePanel(visit, answering)}${!isOpen && answering.refused !== undefined && panel("Not sent", html`<p class="lines">${visit.fields["text"]}</p>`)}`;
}

function responsePanel(visit: DisputeVisit, { refused, isByHand }: Answering): Html {
  const path = disputePath(visit);
  const form = postForm({
    action: `${path}/evidence`,
    formToken: visit.formToken,
    content: html`<p class="lead">The payer's bank has taken the money back. Show that the payment was right: what was sold, to whom, and how it was delivered.</p>${isByHand && html`<p>${FORWARDED}</p>`}${textArea(
      {
        name: "text",
        label: "Evidence",
        hint: "Up to 5,000 characters. It can be sent once.",
        rows: 8,
        value: visit.fields["text"],
        problem: refused?.byField["/text"],
        width: "long",
      },
    )}`,
    button: "Send evidence",
    beside: html`<a href="${path}/accept">Accept the dispute</a>`,
  });
  return panel("Respond", form);
}

export function acceptanceOf({ id, reference, amount, currency }: Dispute, isByHand: boolean): Confirmation {
  return {
    title: `Accept the dispute of ${moneyText(amount)}?`,
    words: [
      `Dispute ${reference} (${id}): the payer keeps ${moneyText(amount)} ${currency}.`,
      "This can't be undone.",
      ...(isByHand ? ["The gateway's operator accepts it at the acquirer."] : []),
    ],
    button: "Accept the dispute",
  };
}
