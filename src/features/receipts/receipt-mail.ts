import { type CardType, schemeName } from "../../kernel/card-type.ts";
import { type Merchant, zoneOf } from "../merchants/index.ts";
import type { PaymentRequest } from "../payment-requests/index.ts";
import { authorisedOf, type Transaction } from "../transactions/index.ts";

export type ReceiptMail = { readonly subject: string; readonly text: string; readonly html: string };

type Paid = {
  readonly merchant: Merchant;
  readonly request: PaymentRequest;
  readonly transaction: Transaction;
};

/** The receipt of an approved payment, as plain text and as HTML with the same words. */
export function receiptMail(paid: Paid): ReceiptMail {
  const { merchant, request, transaction } = paid;
  const name = request.details.hostedPage?.merchantName ?? merchant.name;
  const total = `${money(authorisedOf(transaction))} ${transaction.currency}`;
  const isTest = merchant.mode === "sandbox";
  const heading = `You paid ${total} to ${name}`;
  const note = isTest ? "This was a test payment: no money moved." : undefined;
  const rows = rowsOf(paid);
  const close = `Questions about the order? Please contact ${name}.`;
  return {
    subject: `${isTest ? "[Test] " : ""}Receipt from ${name}: ${total}`,
    text: `${[heading, note, rows.map(([label, value]) => `${label}: ${value}`).join("\n"), close]
      .filter((part) => part !== undefined)
      .join("\n\n")}\n`,
    html: page(name, { heading, note, rows, close }),
  };
}

type Row = readonly [label: string, value: string];

function rowsOf({ merchant, request, transaction }: Paid): readonly Row[] {
  const { surcharge, amount, card } = transaction;
  const { description } = request.details;
  const own = request.reference === request.id ? undefined : request.reference;
  const all: readonly (readonly [string, string | undefined])[] = [
    ["For", description === "" ? undefined : description],
    ["Amount", surcharge === 0 ? undefined : money(amount)],
    ["Surcharge", surcharge === 0 ? undefined : money(surcharge)],
    ["Total", `${money(authorisedOf(transaction))} ${transaction.currency}`],
    ["Paid with", card === null ? undefined : cardWords(card)],
    ["Date", dateWords(transaction.createdAt, merchant)],
    ["Reference", own],
    ["Transaction", transaction.id],
  ];
  return all.filter((row): row is Row => row[1] !== undefined);
}

function cardWords({ cardType, last4 }: { readonly cardType: string; readonly last4: string }): string {
  return `${cardType === "unknown" ? "Card" : schemeName(cardType as CardType)} ending in ${last4}`;
}

function dateWords(moment: number, merchant: Merchant): string {
  return new Intl.DateTimeFormat(`en-${merchant.country}`, {
    timeZone: zoneOf(merchant),
    dateStyle: "long",
    timeStyle: "short",
  }).format(new Date(moment));
}

function money(cents: number): string {
  const [dollars = "", rest = ""] = (cents / 100).toFixed(2).split(".");
  return `$${dollars.replace(/\B(?=(\d{3})+$)/g, ",")}.${rest}`;
}

type Parts = {
  readonly heading: string;
  readonly note: string | undefined;
  readonly rows: readonly Row[];
  readonly close: string;
};

/** Mail programs know no style sheets, so each element carries its own style. Nothing is loaded from elsewhere. */
function page(name: string, { heading, note, rows, close }: Parts): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left" style="padding:6px 16px 6px 0;font-weight:400;color:#475467;vertical-align:top">${escaped(label)}</th><td style="padding:6px 0;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Receipt from ${escaped(name)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#101828;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:20px">${escaped(heading)}</h1>
${note === undefined ? "" : `<p>${escaped(note)}</p>\n`}<table style="border-collapse:collapse">${cells.join("")}</table>
<p style="margin:16px 0 0;color:#475467">${escaped(close)}</p>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
