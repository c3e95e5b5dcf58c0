import { type Html, html } from "../../../browser/ui/html.ts";
import { type Customer, maskedEmail } from "../../features/customers/index.ts";
import type { PaymentInstrument } from "../../features/payment-instruments/index.ts";
import type { TransactionRow } from "../payments/lists/queries.ts";
import { transactionCells } from "../payments/lists/view.ts";
import type { Confirmation } from "../shell/confirmed-pages.ts";
import { exportLink, nameCell, shortId, timeCell, wordsCell } from "../shell/lists/view.ts";
import type { MerchantVisit } from "../shell/page.ts";
import { copyable, facts, metadataFacts, panel } from "../shell/parts/facts.ts";
import { emptyState, table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import { schemeWords } from "../shell/words.ts";
import type { CustomerRow } from "./queries.ts";

type CustomerVisit = MerchantVisit<"{customerId}">;

type CustomerRecords = {
  readonly instruments: readonly PaymentInstrument[];
  readonly payments: readonly TransactionRow[];
};

export function customerPath({ base, params }: CustomerVisit): string {
  return `${base}/customers/${params.customerId}`;
}

export function customerCells(row: CustomerRow, visit: MerchantVisit): readonly (Html | string)[] {
  return [
    nameCell(`${visit.base}/customers/${row.id}`, row.name, row.id),
    row.reference === row.id ? "" : wordsCell(row.reference),
    row.email === null ? "" : wordsCell(maskedEmail(row.email)),
    timeCell(row.createdAt, visit),
  ];
}

export function customerView(
  visit: CustomerVisit,
  { id, reference, email, metadata, createdAt }: Customer,
  { instruments, payments }: CustomerRecords,
): Html {
  return html`${panel(
    "Customer",
    facts([
      ["Reference", reference === id ? "" : reference],
      ["Id", copyable(id, "customer id")],
      ["E-mail", email === null ? "" : maskedEmail(email)],
      ...metadataFacts(metadata),
      ["Created", exactTime(createdAt, visit.zone)],
    ]),
  )}${panel("Payment instruments", html`${instrumentTable(visit, instruments)}${instruments.length > 0 && exportLink(`${customerPath(visit)}/instruments.csv`)}`)}${panel("Newest payments", paymentTable(visit, payments), html`<a href="${visit.base}/transactions?customer=${id}">All transactions of this customer</a>`)}`;
}

function paymentTable(visit: CustomerVisit, payments: readonly TransactionRow[]): Html {
  if (payments.length === 0) return emptyState("This customer has paid nothing yet.");
  return table({
    caption: "Newest payments",
    captionHidden: true,
    columns: [
      { head: "Reference" },
      { head: "Status" },
      { head: "Amount", kind: "number" },
      { head: "Method" },
      { head: "Reason", kind: "words" },
      { head: "Created" },
    ],
    rows: payments.map((row) => transactionCells(row, visit)),
  });
}

/** Visa ending 1111, or a bank account with its masked number. */
function instrumentWords({ card, bankAccount }: PaymentInstrument): string {
  if (card !== null) return `${schemeWords(card.cardType)} ending ${card.last4}`;
  if (bankAccount === null) return "";
  const { bankName, bsb, number } = bankAccount;
  return `${bankName} account ${bsb === undefined ? "" : `${bsb} `}${number}`;
}

function pairsBelow(metadata: PaymentInstrument["metadata"]): Html {
  const pairs = Object.entries(metadata ?? {});
  return html`${pairs.map(([key, value]) => html` <span class="muted pair">${key} ${value}</span>`)}`;
}

function instrumentTable(visit: CustomerVisit, instruments: readonly PaymentInstrument[]): Html {
  if (instruments.length === 0) return emptyState("This customer has stored nothing.");
  const rows = instruments.map((one) => [
    instrumentWords(one),
    one.card === null ? (one.bankAccount?.accountName ?? "") : one.card.name,
    one.card === null ? "" : `${one.card.expiryMonth}/${one.card.expiryYear}`,
    html`${one.reference === one.id ? shortId(one.id) : one.reference}${pairsBelow(one.metadata)}`,
    timeCell(one.createdAt, visit),
    visit.may("act")
      ? html`<a href="${customerPath(visit)}/instruments/${one.id}/delete">Delete<span class="visually-hidden"> ${instrumentWords(one)}</span></a>`
      : "",
  ]);
  return table({
    caption: "Payment instruments",
    captionHidden: true,
    stacks: true,
    columns: [
      { head: "Instrument" },
      { head: "Name" },
      { head: "Expiry" },
      { head: "Reference" },
      { head: "Stored" },
      { head: "Delete", kind: "actions" },
    ],
    rows,
  });
}

export function deletionOf(instrument: PaymentInstrument): Confirmation {
  const name = instrumentWords(instrument);
  return {
    title: `Delete ${name}?`,
    words: [
      `${name} can't be charged after this, and its number is erased from the vault at once.`,
      "This can't be undone. Past payments stay as they are.",
    ],
    button: "Delete the instrument",
  };
}
