import { type Html, html } from "../../../browser/ui/html.ts";
import { findCustomer, maskedEmail } from "../../features/customers/index.ts";
import { zoneOf } from "../../features/merchants/index.ts";
import {
  deleteInstrument,
  findInstrument,
  listInstruments,
  type PaymentInstrument,
} from "../../features/payment-instruments/index.ts";
import { parseId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { pageOf } from "../../platform/http/lists.ts";
import { shortId, whenCell } from "../shell/lists/rows.ts";
import { confirmStep } from "../shell/parts/confirm.ts";
import { copyable, facts, panel } from "../shell/parts/facts.ts";
import { emptyState, table } from "../shell/parts/table.ts";
import { exactTime } from "../shell/times.ts";
import type { MerchantPage, MerchantVisit } from "../shell/visit.ts";
import { schemeWords } from "../shell/words.ts";

export const customerPages: readonly MerchantPage[] = [
  {
    method: "GET",
    path: "/customers/:customerId",
    may: "read",
    run: async (ctx, visit) => {
      const { merchant, base } = visit;
      const id = parseId("customer", visit.params["customerId"] ?? "") ?? refuse("resource_not_found");
      const customer = (await findCustomer(ctx.db, merchant.id, id)) ?? refuse("resource_not_found");
      const held = await listInstruments(
        ctx.db,
        merchant.id,
        pageOf("paymentInstrument", { limit: "100" }),
        id,
      );
      const content = html`${panel(
        "Customer",
        facts([
          ["Id", copyable(customer.id, "customer id")],
          ["Reference", customer.reference === customer.id ? "" : customer.reference],
          ["E-mail", customer.email === null ? "" : maskedEmail(customer.email)],
          ["Created", exactTime(customer.createdAt, zoneOf(merchant))],
          ["Payments", html`<a href="${base}/transactions?customer=${id}">Transactions of this customer</a>`],
        ]),
      )}${panel("Payment instruments", instruments(held, visit))}`;
      return { title: customer.name, section: "customers", content };
    },
  },
  {
    method: "GET",
    path: "/customers/:customerId/instruments/:instrumentId/delete",
    may: "act",
    run: async (ctx, visit) => {
      const one = await theInstrument(ctx, visit);
      const path = customerPath(visit);
      const content = confirmStep({
        action: `${path}/instruments/${one.id}/delete`,
        formToken: visit.formToken,
        words: [
          `${instrumentWords(one)} can't be charged after this, and its number is erased from the vault at once.`,
          "This can't be undone. Past payments stay as they are.",
        ],
        button: "Delete the instrument",
        backTo: path,
      });
      return { title: `Delete ${instrumentWords(one)}?`, section: "customers", content };
    },
  },
  {
    method: "POST",
    path: "/customers/:customerId/instruments/:instrumentId/delete",
    may: "act",
    audit: "payment instrument deleted",
    back: customerPath,
    run: async (ctx, visit) => {
      const { id, customerId } = await theInstrument(ctx, visit);
      await deleteInstrument(ctx, visit.caller, { customerId, paymentInstrumentId: id });
      return { goTo: customerPath(visit), say: { tone: "good", words: "The instrument is deleted." } };
    },
  },
];

function customerPath({ base, params }: MerchantVisit): string {
  return `${base}/customers/${params["customerId"] ?? ""}`;
}

async function theInstrument(ctx: Context, { merchant, params }: MerchantVisit): Promise<PaymentInstrument> {
  const customerId = parseId("customer", params["customerId"] ?? "") ?? refuse("resource_not_found");
  const id = parseId("paymentInstrument", params["instrumentId"] ?? "") ?? refuse("resource_not_found");
  return (await findInstrument(ctx.db, merchant.id, customerId, id)) ?? refuse("resource_not_found");
}

function instrumentWords({ card, bankAccount }: PaymentInstrument): string {
  if (card !== null) return `${schemeWords(card.cardType)} ending ${card.last4}`;
  return bankAccount === null
    ? ""
    : `${bankAccount.bankName} account ${bankAccount.bsb === undefined ? "" : `${bankAccount.bsb} `}${bankAccount.number}`;
}

function instruments(held: readonly PaymentInstrument[], visit: MerchantVisit): Html {
  if (held.length === 0) return emptyState("This customer has stored nothing.");
  const at = { base: visit.base, zone: zoneOf(visit.merchant) };
  const rows = held.map((one) => [
    instrumentWords(one),
    one.card === null
      ? (one.bankAccount?.accountName ?? "")
      : `${one.card.name}, ${one.card.expiryMonth}/${one.card.expiryYear}`,
    one.reference === one.id ? shortId(one.id) : one.reference,
    whenCell(one.createdAt, at),
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
      { head: "Reference" },
      { head: "Stored" },
      { head: "Delete", kind: "actions" },
    ],
    rows,
  });
}
