import { cardLabel } from "../../kernel/languages/card-label.ts";
import type { Catalogue } from "../../kernel/languages/catalogue.ts";
import { momentText, spoken } from "../../kernel/languages/languages.ts";
import { fill, type Speech, speechIn } from "../../kernel/languages/speech.ts";
import type { Merchant } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { type Transaction, totalOf } from "../transactions/index.ts";

export type ReceiptMail = { readonly subject: string; readonly text: string; readonly html: string };

type Paid = {
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  readonly transaction: Transaction;
};

/** The receipt of an approved payment in the payer's language, as plain text and as HTML with the same words. */
export function receiptMail(paid: Paid, language: Catalogue): ReceiptMail {
  const { merchant, request, transaction } = paid;
  const { mail } = language;
  const speech = speechIn(spoken(language), transaction.currency);
  const name = request.details.hostedPage?.merchantName ?? merchant.name;
  const total = `${speech.money(transaction.captured)} ${transaction.currency}`;
  const isTest = merchant.mode === "sandbox";
  const values = { merchant: name, total };
  const heading = fill(mail.heading, values);
  const note = isTest ? mail.testNote : undefined;
  const rows = rowsOf(paid, language, speech);
  const close = fill(mail.questions, values);
  return {
    subject: fill(isTest ? mail.testSubject : mail.subject, values),
    text: `${[heading, note, rows.map(([label, value]) => fill(mail.row, { label, value })).join("\n"), close]
      .filter((part) => part !== undefined)
      .join("\n\n")}\n`,
    html: page(language, fill(mail.title, values), { heading, note, rows, close }),
  };
}

type Row = readonly [label: string, value: string];

function rowsOf(
  { merchant, request, transaction }: Paid,
  language: Catalogue,
  { words, money }: Speech,
): readonly Row[] {
  const { surcharge, amount, card } = transaction;
  const { description } = request.details;
  const { page, mail } = language;
  // A part of the total has no amount and surcharge of its own.
  const isSplit = surcharge > 0 && transaction.captured === totalOf(transaction);
  const own = request.reference === request.id ? undefined : request.reference;
  const all: readonly (readonly [string, string | undefined])[] = [
    [mail.for, description === "" ? undefined : description],
    [words.amount, isSplit ? money(amount) : undefined],
    [words.surcharge, isSplit ? money(surcharge) : undefined],
    [words.total, `${money(transaction.captured)} ${transaction.currency}`],
    [mail.paidWith, card === null ? undefined : cardLabel(words, card)],
    [page.date, momentText(language, merchant.country, transaction.createdAt)],
    [page.reference, own],
    [page.transaction, transaction.id],
  ];
  return all.filter((row): row is Row => row[1] !== undefined);
}

type Parts = {
  readonly heading: string;
  readonly note: string | undefined;
  readonly rows: readonly Row[];
  readonly close: string;
};

/** Mail programs know no style sheets, so each element carries its own style. Nothing is loaded from elsewhere. */
function page({ tag, direction }: Catalogue, title: string, { heading, note, rows, close }: Parts): string {
  const side = direction === "rtl" ? "right" : "left";
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" align="${side}" style="padding:${direction === "rtl" ? "6px 0 6px 16px" : "6px 16px 6px 0"};font-weight:400;color:#475467;vertical-align:top">${escaped(label)}</th><td align="${side}" dir="auto" style="padding:6px 0;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body dir="${direction}" style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#101828;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:20px">${escaped(heading)}</h1>
${note === undefined ? "" : `<p>${escaped(note)}</p>\n`}<table style="border-collapse:collapse">${cells.join("")}</table>
<p style="margin:16px 0 0;color:#475467">${escaped(close)}</p>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
