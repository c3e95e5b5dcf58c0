import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listCustomers } from "../../src/features/customers/queries.ts";
import { listRequestRows } from "../../src/features/payment-requests/queries.ts";
import { listRefunds } from "../../src/features/refunds/queries.ts";
import { listTransactions } from "../../src/features/transactions/queries.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant, toIso } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { pairText } from "../../src/platform/db/metadata-pairs.ts";
import { pageOf } from "../../src/platform/http/lists.ts";
import { assertFlat, isFlat, pagesTouched } from "../support/costs.ts";
import type { TestDatabase } from "../support/database.ts";
import { BUSY, databaseOfPayments, UNTIL, YEAR } from "../support/year-of-payments.ts";

const SMALL = 10;
const LARGE = 300_000;
const isoAt = (moment: number) => toIso(instant(Math.round(moment)));

const WEEK = { updatedFrom: isoAt(UNTIL - 7 * 86_400_000) };
const LONG_AGO = { updatedFrom: isoAt(UNTIL - 0.9 * YEAR), updatedTo: isoAt(UNTIL - 0.5 * YEAR) };
/** Pays one in ten thousand of all payments. */
const CUSTOMER = "cus_popular";
const customer = (rows: number) => `cus_missing_${rows}` as Id<"customer">;

type Work = (tx: Tx, rows: number) => Promise<unknown>;

const transactions =
  (query: object, filters: object = {}): Work =>
  (tx) =>
    listTransactions(tx, BUSY, pageOf("transaction", query), filters);
const requests =
  (query: object, filters: object = {}): Work =>
  (tx) =>
    listRequestRows(tx, BUSY, pageOf("paymentRequest", query), { ...filters, now: instant(UNTIL) });

const refunds =
  (query: object, filters: object = {}): Work =>
  (tx) =>
    listRefunds(tx, BUSY, pageOf("refund", query), filters);
const customers =
  (query: object, filters: object = {}): Work =>
  (tx) =>
    listCustomers(tx, BUSY, pageOf("customer", query), filters);

/** A pair that all newer rows have, and one that a single row has. */
const [EVERY, RARE] = ["every", "rare"].map((value) => pairText({ key: "shelf", value }));
const CREATED_LONG_AGO = { createdFrom: isoAt(UNTIL - 0.9 * YEAR), createdTo: isoAt(UNTIL - 0.5 * YEAR) };

const LISTS: Readonly<Record<string, Work>> = {
  ...Object.fromEntries(
    (
      [
        ["payment requests", requests, ["created", "completed", "expired", "cancelled"]],
        ["transactions", transactions, ["pending", "approved", "declined"]],
        ["refunds", refunds, ["pending", "approved", "declined"]],
        ["customers", customers, []],
      ] as const
    ).flatMap(([noun, list, statuses]) => [
      [noun, list({})],
      [`${noun} created long ago`, list(CREATED_LONG_AGO)],
      ...statuses.flatMap((status) => [
        [`${status} ${noun}`, list({}, { status })],
        [`${status} ${noun} created long ago`, list(CREATED_LONG_AGO, { status })],
        [`${status} ${noun} with a pair that one has`, list({}, { status, pair: RARE })],
        [`${status} ${noun} changed long ago`, list(LONG_AGO, { status })],
        [`${status} ${noun} of a reference`, list({}, { status, reference: "order-7" })],
      ]),
      [`${noun} with a pair that all have`, list({ limit: "5" }, { pair: EVERY })],
      [`${noun} with a pair that one has`, list({}, { pair: RARE })],
      [`${noun} with a pair that one has, changed long ago`, list(LONG_AGO, { pair: RARE })],
      [`${noun} of a reference`, list({}, { reference: "order-7" })],
      [`${noun} of a reference that none has`, list({}, { reference: "none" })],
    ]),
  ),
  "transactions changed in the last week": transactions(WEEK),
  "transactions changed long ago": transactions(LONG_AGO),
  "pending transactions, changed long ago": transactions(LONG_AGO, { status: "pending" }),
  "approved transactions changed in the last week": transactions(WEEK, { status: "approved" }),
  "transactions of a reference, changed ever": transactions(
    { updatedTo: isoAt(UNTIL + 1) },
    { reference: "order-500", status: "approved" },
  ),
  "transactions of a customer": transactions({}, { customer_id: CUSTOMER }),
  "transactions of a customer, changed in the last week": transactions(WEEK, { customer_id: CUSTOMER }),
  "declined transactions of a customer": transactions({}, { customer_id: CUSTOMER, status: "declined" }),
  "transactions of an unknown payment request": transactions({}, { payment_request_id: "pr_none" }),
  "refunds of an unknown transaction": refunds({}, { transaction_id: "txn_none" }),
  "pending refunds of an unknown transaction, changed long ago": refunds(LONG_AGO, {
    transaction_id: "txn_none",
    status: "pending",
  }),
  "transactions of an unknown customer": (tx, rows) =>
    listTransactions(tx, BUSY, pageOf("transaction", WEEK), { customer_id: customer(rows) }),
  "refunds changed long ago": (tx) => listRefunds(tx, BUSY, pageOf("refund", LONG_AGO), {}),
  "all refunds of a reference": (tx) =>
    listRefunds(tx, BUSY, pageOf("refund", {}), { reference: "refund-500" }),
  "declined refunds": (tx) => listRefunds(tx, BUSY, pageOf("refund", {}), { status: "declined" }),
  "payment requests changed long ago": requests(LONG_AGO),
  "payment requests that are created, changed ever": requests(
    { updatedTo: isoAt(UNTIL + 1) },
    { status: "created" },
  ),
  "payment requests of a reference": requests(WEEK, { reference: "order-500" }),
  "customers changed long ago": (tx) => listCustomers(tx, BUSY, pageOf("customer", LONG_AGO), {}),
  "customers of a reference": (tx) =>
    listCustomers(tx, BUSY, pageOf("customer", LONG_AGO), { reference: "member-500" }),
};

const FEW = { limit: "5" };
/** Each of these filters has more rows than are read for a page. */
const COMMON: Readonly<Record<string, Work>> = {
  ...Object.fromEntries(
    (
      [
        ["payment requests", requests, ["created", "completed", "expired", "cancelled"]],
        ["transactions", transactions, ["pending", "approved", "declined"]],
        ["refunds", refunds, ["pending", "approved", "declined"]],
      ] as const
    ).flatMap(([noun, list, statuses]) =>
      statuses.map((status) => [`${status} ${noun}`, list(FEW, { status, pair: EVERY })]),
    ),
  ),
  "transactions changed in the last week": transactions({ ...WEEK, ...FEW }, { pair: EVERY }),
  "approved transactions changed in the last week": transactions(
    { ...WEEK, ...FEW },
    { pair: EVERY, status: "approved" },
  ),
  "payment requests changed in the last week": requests({ ...WEEK, ...FEW }, { pair: EVERY }),
  "customers changed in the last week": customers({ ...WEEK, ...FEW }, { pair: EVERY }),
  "transactions of a customer": transactions(FEW, { customer_id: CUSTOMER, pair: EVERY }),
};
/** Of the entries that are counted, most of which a table that was never vacuumed looks up. */
const MOST_PAGES = 15_000;

describe("contract 2: a page by the time of changes costs the same, however many rows there are", () => {
  let small: TestDatabase;
  let large: TestDatabase;
  before(async () => {
    small = await databaseOfPayments(SMALL);
    large = await databaseOfPayments(LARGE);
  });
  after(async () => {
    await small.drop();
    await large.drop();
  });

  const costs = (work: Work) =>
    Promise.all([pagesTouched(small, (tx) => work(tx, SMALL)), pagesTouched(large, (tx) => work(tx, LARGE))]);

  for (const statistics of ["stale", "fresh"]) {
    test(`with ${statistics} statistics`, async () => {
      if (statistics === "fresh") for (const one of [small, large]) await one.rows("analyze");
      const grown: string[] = [];
      for (const [what, work] of Object.entries(LISTS)) {
        const [few, many] = await costs(work);
        if (!isFlat(few, many))
          grown.push(`${what}: ${few} pages in the small table, ${many} in the large one`);
      }
      assert.deepEqual(grown, []);
    });
  }

  test("filters that many rows have are counted up to a limit, and not all their rows are read", async () => {
    const grown: string[] = [];
    for (const [what, work] of Object.entries(COMMON)) {
      const pages = await pagesTouched(large, (tx) => work(tx, LARGE));
      if (pages > MOST_PAGES) grown.push(`${what}: ${pages} pages`);
    }
    assert.deepEqual(grown, []);
  });

  test("control: without the index of changes the cost grows", async () => {
    for (const one of [small, large]) await one.rows("drop index transactions_by_update");
    const [few, many] = await costs(transactions(LONG_AGO));
    assert.throws(() => assertFlat(few, many, "without the index"));
  });
});
