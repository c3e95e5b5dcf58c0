import { html } from "../../../../browser/ui/html.ts";
import { FLOWS } from "../../../features/payment-requests/index.ts";
import { MAX_TOTAL_CENTS, readCents } from "../../../kernel/money.ts";
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
  whereFilled,
} from "../../shell/lists/view.ts";
import type { MerchantPage } from "../../shell/page.ts";
import { emptyState } from "../../shell/parts/table.ts";
import { flowWords, sourceWords } from "../../shell/words.ts";
import { REQUEST_WORDS, refundStatus, TRANSACTION_WORDS, transactionStatus } from "../payment-status.ts";
import { REFUNDS, REQUESTS, TRANSACTIONS } from "./queries.ts";
import { refundCells, requestCells, statusOfRow, transactionCells } from "./view.ts";

const AMOUNT = { head: "Amount", kind: "number", sort: "amount" } as const;

const REFERENCE = { head: "Reference", sort: "reference", isText: true } as const;
const STATUS = { head: "Status" } as const;
const CREATED = { head: "Created", sort: "created" } as const;
const METHODS = SOURCES.map((source) => [source, sourceWords(source)] as const);
const FLOW_CHOICES = FLOWS.map((flow) => [flow, flowWords(flow)] as const);

/** Whether the payer can still pay, whatever became of the money. */
const STATE_CHOICES = [
  ["created", "open"],
  ["completed", "completed"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
] as const;

function amountField(filled: Filled) {
  return textField(filled, "amount", "Amount in dollars", { inputmode: "decimal", placeholder: "30.00" });
}

function rareFields(filled: Filled) {
  return whereFilled(filled, {
    amount: () => amountField(filled),
    metadata: () => metadataField(filled),
  });
}

/** A text that is no amount matches no row. */
function amountOf(filled: Filled): number | undefined {
  return filled["amount"] === undefined ? undefined : (readCents(filled["amount"], MAX_TOTAL_CENTS) ?? -1);
}

export const paymentListPages: readonly MerchantPage[] = [
  ...listPages({
    section: "payment-requests",
    title: "Payment requests",
    listing: REQUESTS,
    rows: ["payment request", "payment requests"],
    search: "Id, reference, amount, e-mail or key=value",
    fields: (filled) => [
      choiceField(filled, "status", "Status", sameWords(REQUEST_WORDS)),
      choiceField(filled, "flow", "Flow", FLOW_CHOICES),
      ...whereFilled(filled, { state: () => choiceField(filled, "state", "State", STATE_CHOICES) }),
      ...rareFields(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      flow: filled["flow"],
      state: filled["state"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [REFERENCE, STATUS, AMOUNT, { head: "Flow" }, CREATED],
    cells: requestCells,
    above: ({ base, may }) =>
      may("act")
        ? html`<p class="act"><a class="button" href="${base}/payment-links/new">New payment link</a></p>`
        : undefined,
    csv: {
      columns: ["flow", "expiryDateTime", "paymentStatus"],
      common: (row) => row,
      cells: (row, now) => [row.flow, toIso(row.expiresAt), statusOfRow(row, now)],
    },
    empty: emptyState("Payment requests that your server creates appear here."),
  }),
  ...listPages({
    section: "transactions",
    title: "Transactions",
    listing: TRANSACTIONS,
    rows: ["transaction", "transactions"],
    search: "Id, reference, last 4, amount, e-mail or key=value",
    fields: (filled) => [
      choiceField(filled, "status", "Status", sameWords(TRANSACTION_WORDS)),
      choiceField(filled, "source", "Method", METHODS),
      ...whereFilled(filled, {
        result: () =>
          choiceField(filled, "result", "Bank's answer", sameWords(["approved", "declined", "pending"])),
        code: () => textField(filled, "code", "Code of the reason"),
        customer: () => textField(filled, "customer", "Customer id"),
        last4: () => textField(filled, "last4", "Last 4 of the card", { inputmode: "numeric" }),
      }),
      ...rareFields(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      result: filled["result"],
      source: filled["source"],
      code: filled["code"],
      customer: filled["customer"],
      last4: filled["last4"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [REFERENCE, STATUS, AMOUNT, { head: "Method" }, { head: "Reason", kind: "words" }, CREATED],
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
        "paymentStatus",
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
        transactionStatus(row),
      ],
      totals: ["totalAmount", "refundedAmount"],
    },
    empty: emptyState("Payments appear here as soon as a payer attempts one."),
  }),
  ...listPages({
    section: "refunds",
    title: "Refunds",
    listing: REFUNDS,
    rows: ["refund", "refunds"],
    search: "Id, reference, amount or key=value",
    fields: (filled) => [
      choiceField(filled, "status", "Status", sameWords(["refunded", "processing", "declined"])),
      ...rareFields(filled),
    ],
    filters: (filled) => ({
      status: filled["status"],
      amount: amountOf(filled),
      metadata: metadataFilter(filled),
    }),
    columns: [REFERENCE, STATUS, AMOUNT, { head: "Payment" }, { head: "Reason", kind: "words" }, CREATED],
    cells: refundCells,
    csv: {
      columns: ["code", "paymentStatus"],
      common: (row) => row,
      cells: (row) => [row.code, refundStatus(row.status)],
    },
    empty: emptyState("Nothing was refunded yet. A transaction's page has the form."),
  }),
];
