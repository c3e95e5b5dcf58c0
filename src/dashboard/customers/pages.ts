import { findCustomer, maskedEmail } from "../../features/customers/index.ts";
import {
  deleteInstrument,
  findInstrument,
  listInstruments,
  type PaymentInstrument,
} from "../../features/payment-instruments/index.ts";
import type { Id } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Context } from "../../platform/context.ts";
import { type CsvSpec, csvOf } from "../../platform/http/csv.ts";
import { pageOf } from "../../platform/http/lists.ts";
import { TRANSACTIONS } from "../payments/lists/queries.ts";
import { confirmedMerchantPages } from "../shell/confirmed-pages.ts";
import { listPages } from "../shell/lists/list-page.ts";
import { readList } from "../shell/lists/read-list.ts";
import { metadataField, metadataFilter, whereFilled } from "../shell/lists/view.ts";
import { type MerchantPage, type MerchantVisit, merchantPage, redirect } from "../shell/page.ts";
import { emptyState } from "../shell/parts/table.ts";
import { CUSTOMERS } from "./queries.ts";
import { customerCells, customerPath, customerView, deletionOf } from "./view.ts";

const DELETION = "/customers/{customerId}/instruments/{paymentInstrumentId}/delete";

export const customerPages: readonly MerchantPage[] = [
  ...listPages({
    section: "customers",
    title: "Customers",
    listing: CUSTOMERS,
    rows: ["customer", "customers"],
    search: "Id, reference, full e-mail or key=value",
    fields: (filled) => whereFilled(filled, { metadata: () => metadataField(filled) }),
    filters: (filled) => ({ metadata: metadataFilter(filled) }),
    columns: [
      { head: "Name" },
      { head: "Reference", kind: "words", sort: "reference", isText: true },
      { head: "E-mail", kind: "words" },
      { head: "Created", sort: "created" },
    ],
    cells: customerCells,
    csv: {
      columns: ["name", "email"],
      common: (row) => ({ ...row, status: "" }),
      cells: (row) => [row.name, row.email === null ? null : maskedEmail(row.email)],
    },
    empty: emptyState("Customers appear here when a card is stored, or when your server creates one."),
  }),
  merchantPage({
    method: "GET",
    path: "/customers/{customerId}",
    right: "read",
    run: async (ctx, visit) => {
      const { merchant, params } = visit;
      const customer =
        (await findCustomer(ctx.db, merchant.id, params.customerId)) ?? refuse("resource_not_found");
      const newest = pageOf("paymentInstrument", { limit: "100" });
      const instruments = await listInstruments(ctx.db, merchant.id, newest, { customerId: customer.id });
      const payments = await readList(ctx, merchant, TRANSACTIONS, { filters: { customer: customer.id } });
      return {
        title: customer.name,
        section: "customers",
        content: customerView(visit, customer, { instruments, payments: payments.rows }),
      };
    },
  }),
  merchantPage({
    method: "GET",
    path: "/customers/{customerId}/instruments.csv",
    right: "read",
    run: async (ctx, { merchant, params, zone }) => {
      const { id } =
        (await findCustomer(ctx.db, merchant.id, params.customerId)) ?? refuse("resource_not_found");
      return {
        file: csvOf(walkInstruments(ctx, merchant.id, id), { ...INSTRUMENTS_CSV, zone }),
        type: "text/csv; charset=utf-8",
        name: `instruments-${id}.csv`,
      };
    },
  }),
  ...confirmedMerchantPages("customers", {
    path: DELETION,
    right: "act",
    audit: "payment instrument deleted",
    backTo: customerPath,
    confirm: async (ctx, visit) => deletionOf(await getInstrument(ctx, visit)),
    run: async (ctx, visit) => {
      const { id, customerId } = await getInstrument(ctx, visit);
      await deleteInstrument(ctx, visit.caller, { customerId, paymentInstrumentId: id });
      return redirect(customerPath(visit), "The instrument is deleted.");
    },
  }),
];

async function* walkInstruments(
  ctx: Context,
  merchantId: Id<"merchant">,
  customerId: Id<"customer">,
): AsyncGenerator<readonly PaymentInstrument[]> {
  for (let page = pageOf("paymentInstrument", { limit: "100" }); ; ) {
    const rows = await listInstruments(ctx.reads, merchantId, page, { customerId });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page.limit) return;
    page = { ...page, before: last.id };
  }
}

const INSTRUMENTS_CSV: CsvSpec<PaymentInstrument> = {
  columns: [
    "type",
    "name",
    "cardType",
    "last4",
    "expiryMonth",
    "expiryYear",
    "bankName",
    "bsb",
    "accountNumber",
  ],
  common: ({ id, reference, createdAt, updatedAt }) => ({ id, reference, createdAt, updatedAt, status: "" }),
  cells: ({ type, card, bankAccount }) => [
    type,
    card?.name ?? bankAccount?.accountName,
    card?.cardType,
    card?.last4,
    card?.expiryMonth,
    card?.expiryYear,
    bankAccount?.bankName,
    bankAccount?.bsb,
    bankAccount?.number,
  ],
  totals: [],
};

async function getInstrument(
  ctx: Context,
  { merchant, params }: MerchantVisit<typeof DELETION>,
): Promise<PaymentInstrument> {
  const { customerId, paymentInstrumentId } = params;
  const found = await findInstrument(ctx.db, merchant.id, customerId, paymentInstrumentId);
  return found ?? refuse("resource_not_found");
}
