import { type Html, html } from "../../../browser/ui/html.ts";
import { maskedEmail } from "../../features/customers/index.ts";
import { findOutcome } from "../../kernel/codes/outcomes.ts";
import { readCents } from "../../kernel/money.ts";
import type { Instant } from "../../kernel/time.ts";
import { type Asked, listOf } from "../shell/lists/list-of.ts";
import type {
  CustomerRow,
  PayoutRow,
  RefundRow,
  RequestRow,
  TransactionRow,
} from "../shell/lists/listing.ts";
import {
  customerRow,
  payoutRow,
  type RowContext,
  refundRow,
  requestRow,
  transactionRow,
} from "../shell/lists/rows.ts";
import { choiceField, textField } from "../shell/lists/view.ts";
import { emptyState } from "../shell/parts/table.ts";
import type { MerchantPage } from "../shell/visit.ts";
import { flowWords, sourceWords } from "../shell/words.ts";

const money = { head: "Amount", kind: "number" } as const;
const created = { head: "Created" };
const amountField = (asked: Asked) =>
  textField(asked, "amount", "Amount in dollars", { inputmode: "decimal", placeholder: "30.00" });
const amountOf = (asked: Asked) =>
  asked["amount"] === undefined ? undefined : (readCents(asked["amount"]) ?? -1);
const same = (words: readonly string[]) => words.map((word) => [word, word] as const);

const OUTCOME_STATUSES = same(["approved", "declined", "pending"]);
const SOURCES = ["card", "apple_pay", "google_pay", "direct_debit", "payid"].map(
  (source) => [source, sourceWords(source)] as const,
);
const FLOWS = ["checkout", "hosted_page", "payid"].map((flow) => [flow, flowWords(flow)] as const);

function messageOf(code: string | null): string | undefined {
  return code === null ? undefined : findOutcome(code);
}

const nothing = (words: string, next?: Html) => emptyState(words, next);

/** The lists. Each says what can be asked of it; how one is walked stands in `list-of.ts`. */
export const listPages: readonly MerchantPage[] = [
  listOf("requests", {
    section: "payment-requests",
    title: "Payment requests",
    search: "Id or reference",
    fields: (asked) => [
      choiceField(asked, "status", "Status", same(["created", "completed", "expired", "cancelled"])),
      choiceField(asked, "flow", "Flow", FLOWS),
      amountField(asked),
    ],
    filters: (asked) => ({ status: asked["status"], flow: asked["flow"], amount: amountOf(asked) }),
    columns: [{ head: "Reference" }, { head: "Status" }, money, { head: "Flow" }, created],
    row: (row: RequestRow, at: RowContext, now: Instant) =>
      requestRow(
        { ...row, status: row.status === "created" && row.expiresAt <= now ? "expired" : row.status },
        at,
      ),
    empty: nothing("Payment requests that your server creates appear here."),
  }),
  listOf("transactions", {
    section: "transactions",
    title: "Transactions",
    search: "Id or reference",
    fields: (asked) => [
      choiceField(asked, "status", "Status", OUTCOME_STATUSES),
      choiceField(asked, "source", "Method", SOURCES),
      choiceField(asked, "capture", "Capture", same(["captured", "uncaptured", "voided", "expired"])),
      amountField(asked),
      textField(asked, "last4", "Last 4 of the card", { inputmode: "numeric" }),
    ],
    filters: (asked) => ({
      status: asked["status"],
      source: asked["source"],
      capture: asked["capture"],
      code: asked["code"],
      customer: asked["customer"],
      last4: asked["last4"],
      amount: amountOf(asked),
    }),
    columns: [
      { head: "Reference" },
      { head: "Status" },
      money,
      { head: "Method" },
      { head: "Reason" },
      created,
    ],
    row: (row: TransactionRow, at) => transactionRow({ ...row, message: messageOf(row.code) }, at),
    empty: nothing("Payments appear here as soon as somebody tries to pay."),
  }),
  listOf("refunds", {
    section: "refunds",
    title: "Refunds",
    search: "Id or reference",
    fields: (asked) => [choiceField(asked, "status", "Status", OUTCOME_STATUSES), amountField(asked)],
    filters: (asked) => ({ status: asked["status"], amount: amountOf(asked) }),
    columns: [
      { head: "Reference" },
      { head: "Status" },
      money,
      { head: "Transaction" },
      { head: "Reason" },
      created,
    ],
    row: (row: RefundRow, at) => refundRow({ ...row, message: messageOf(row.code) }, at),
    empty: nothing("Nothing was refunded yet. A transaction's page has the form."),
  }),
  listOf("customers", {
    section: "customers",
    title: "Customers",
    search: "Id, reference or whole e-mail",
    fields: () => [],
    filters: () => ({}),
    columns: [{ head: "Name" }, { head: "Reference" }, { head: "E-mail" }, created],
    row: (row: CustomerRow, at) =>
      customerRow({ ...row, email: row.email === null ? undefined : maskedEmail(row.email) }, at),
    empty: nothing("Customers appear here when a card is stored, or when your server creates one."),
  }),
  listOf("payouts", {
    section: "payouts",
    title: "Payouts",
    search: "Id",
    fields: (asked) => [choiceField(asked, "currency", "Currency", same(["AUD", "NZD"]))],
    filters: (asked) => ({ currency: asked["currency"] }),
    columns: [{ head: "Day" }, money, { head: "Movements", kind: "number" }, created],
    row: (row: PayoutRow, at) => payoutRow(row, at),
    empty: nothing(
      "Nothing was paid out yet.",
      html`<p>What is captured today is paid out when the day is over.</p>`,
    ),
  }),
];
