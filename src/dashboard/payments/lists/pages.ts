import { html } from "../../../../browser/ui/html.ts";
import { FLOWS } from "../../../features/payment-requests/index.ts";
import { readCents } from "../../../kernel/money.ts";
import { SOURCES } from "../../../kernel/source.ts";
import { toIso } from "../../../kernel/time.ts";
import { listPages } from "../../shell/lists/list-page.ts";
import {
  choiceField,
  type Filled,
  metadataField,
  metadataFilter,
  sameWords,
  textField,
} from "../../shell/lists/view.ts";
import type { MerchantPage } from "../../shell/page.ts";
import { emptyState } from "../../shell/parts/table.ts";
import { flowWords, sourceWords } from "../../shell/words.ts";
import { REFUNDS, REQUESTS, TRANSACTIONS } from "./queries.ts";
import { refundCells, requestCells, transactionCells } from "./view.ts";

const AMOUNT = { head: "Amount", kind: "number" } as const;

const STATUSES = sameWords(["approved", "declined", "pending"]);
const METHODS = SOURCES.map((source) => [source, sourceWords(source)] as const);
const FLOW_CHOICES = FLOWS.map((flow) => [flow, flowWords(flow)] as const);

function amountField(filled: Filled) {
  return textField(filled, "amount", "Amount in dollars", { inputmode: "decimal", placeholder: "30.00" });
}

/** A text that is no amount matches no row. */
function amountOf(filled: Filled): number | undefined {
  return filled["amount"] === undefined ? undefined : (readCents(filled["amount"]) ?? -1);
}

export const paymentListPages: readonly MerchantPage[] = [
  ...listPages({
    section: "payment-requests",
    title: "Payment requests",
    listing: REQUESTS,
    search: "Id or reference",
    fields: (filled) => [
      choiceField(filled, "status", "Status", sameWords(["created", "completed", "expired", "cancelled"])),
      choiceField(filled, "flow", "Flow", FLOW_CHOICES),
      amountField(filled),
      metadataField(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      flow: filled["flow"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [{ head: "Reference" }, { head: "Status" }, AMOUNT, { head: "Flow" }, { head: "Created" }],
    cells: requestCells,
    above: ({ base, may }) =>
      may("act")
        ? html`<p class="act"><a class="button" href="${base}/payment-links/new">New payment link</a></p>`
        : undefined,
    csv: {
      columns: ["flow", "expiryDateTime"],
      common: (row) => row,
      cells: (row) => [row.flow, toIso(row.expiresAt)],
    },
    empty: emptyState("Payment requests that your server creates appear here."),
  }),
  ...listPages({
    section: "transactions",
    title: "Transactions",
    listing: TRANSACTIONS,
    search: "Id or reference",
    fields: (filled) => [
      choiceField(filled, "status", "Status", STATUSES),
      choiceField(filled, "source", "Method", METHODS),
      choiceField(filled, "capture", "Capture", sameWords(["captured", "uncaptured", "voided", "expired"])),
      amountField(filled),
      textField(filled, "last4", "Last 4 of the card", { inputmode: "numeric" }),
      metadataField(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      source: filled["source"],
      capture: filled["capture"],
      code: filled["code"],
      customer: filled["customer"],
      last4: filled["last4"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [
      { head: "Reference" },
      { head: "Status" },
      AMOUNT,
      { head: "Method" },
      { head: "Reason" },
      { head: "Created" },
    ],
    cells: transactionCells,
    csv: {
      columns: [
        "code",
        "source",
        "captureStatus",
        "totalAmount",
        "refundedAmount",
        "paymentRequestId",
        "cardType",
        "last4",
      ],
      common: (row) => ({ ...row, transactionId: row.id }),
      cells: (row) => [
        row.code,
        row.source,
        row.captureStatus,
        row.total,
        row.refunded,
        row.paymentRequestId,
        row.cardType,
        row.last4,
      ],
    },
    empty: emptyState("Payments appear here as soon as a payer attempts one."),
  }),
  ...listPages({
    section: "refunds",
    title: "Refunds",
    listing: REFUNDS,
    search: "Id or reference",
    fields: (filled) => [
      choiceField(filled, "status", "Status", STATUSES),
      amountField(filled),
      metadataField(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [
      { head: "Reference" },
      { head: "Status" },
      AMOUNT,
      { head: "Transaction" },
      { head: "Reason" },
      { head: "Created" },
    ],
    cells: refundCells,
    csv: { columns: ["code"], common: (row) => row, cells: (row) => [row.code] },
    empty: emptyState("Nothing was refunded yet. A transaction's page has the form."),
  }),
];
