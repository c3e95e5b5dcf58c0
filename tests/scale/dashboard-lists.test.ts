import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CUSTOMERS } from "../../src/dashboard/customers/queries.ts";
import { DISPUTES } from "../../src/dashboard/disputes/queries.ts";
import { type EventFilter, readEvents, totalEvents, walkEvents } from "../../src/dashboard/events/queries.ts";
import { REFUNDS, REQUESTS, TRANSACTIONS } from "../../src/dashboard/payments/lists/queries.ts";
import type { Listing, Row } from "../../src/dashboard/shell/lists/listing.ts";
import {
  type Reading,
  sortRows,
  totalRows,
  walkAll,
  walkRows,
} from "../../src/dashboard/shell/lists/queries.ts";
import { pairOf, searchedFor } from "../../src/dashboard/shell/lists/search.ts";
import { walkOf } from "../../src/dashboard/shell/lists/walk.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Tx } from "../../src/platform/db/database.ts";
import { assertFlat, isFlat, pagesTouched } from "../support/costs.ts";
import type { TestDatabase } from "../support/database.ts";
import { inContext } from "../support/operator.ts";
import {
  BUSY,
  COUNTER,
  databaseOfPayments,
  GUEST,
  MEMBER,
  OFTEN,
  UNTIL,
  WALK_IN,
} from "../support/year-of-payments.ts";

/** Enough for a full page of each list. */
const SMALL = 1_000;
/** More rows than a page of an unindexed word searches. */
const MEDIUM = 24_000;
const LARGE = 300_000;
const NOW = instant(UNTIL);

type Work = (tx: Tx) => Promise<unknown>;

const walk = (listing: Listing<Row>) => walkOf(listing.noun, {});
const searched = (listing: Listing<Row>, text: string): Reading => ({
  walk: walk(listing),
  filters: {},
  search: searchedFor(text),
  now: NOW,
});
const found =
  (listing: Listing<Row>, text: string): Work =>
  (tx) =>
    walkRows(tx, BUSY, listing, searched(listing, text));
const filtered =
  (listing: Listing<Row>, filters: Readonly<Record<string, string | number>>): Work =>
  (tx) =>
    walkRows(tx, BUSY, listing, { walk: walk(listing), filters, now: NOW });
const worded = (listing: Listing<Row>, status: string): Work => filtered(listing, { status });
const sorted =
  (listing: Listing<Row>, name: string, order: "asc" | "desc"): Work =>
  async (tx) => {
    const first = await sortRows(tx, BUSY, listing, {
      reading: undefined,
      sorting: { name, order, cursor: undefined },
    });
    const cursor = first.rows.at(-1)?.id ?? "none";
    return sortRows(tx, BUSY, listing, { reading: undefined, sorting: { name, order, cursor } });
  };
const totalled =
  (listing: Listing<Row>, filters: Readonly<Record<string, string>>): Work =>
  (tx) =>
    totalRows(tx, BUSY, listing, { walk: walk(listing), filters, now: NOW });

const events =
  (filter: EventFilter): Work =>
  (tx) =>
    readEvents(tx, BUSY, walkOf("event", {}), filter);
const countedEvents =
  (filter: EventFilter): Work =>
  (tx) =>
    totalEvents(tx, BUSY, walkOf("event", {}), filter);
/** The first portion of a file, and one from the middle. */
const filed =
  (filter: EventFilter): Work =>
  async (tx) => {
    let portions = 0;
    for await (const _ of walkEvents(tx, BUSY, walkOf("event", {}), { ...filter, atOnce: 100 })) {
      portions += 1;
      if (portions > 2) return;
    }
  };

/** A pair that all newer rows have, and one that a single row has. */
const [EVERY, RARE] = [pairOf("shelf=every"), pairOf("shelf=rare")];

/** Along an index: as cheap in a small table. */
const WALKS: Readonly<Record<string, Work>> = {
  ...Object.fromEntries(
    [REQUESTS, TRANSACTIONS, REFUNDS, CUSTOMERS, DISPUTES].flatMap((listing) => [
      [`the first ${listing.name}`, filtered(listing, {})],
      [`${listing.name} with a pair that all have`, filtered(listing, { metadata: EVERY })],
      [`${listing.name} with a pair that one has`, filtered(listing, { metadata: RARE })],
      [`${listing.name} with a pair that none has`, filtered(listing, { metadata: pairOf("shelf=none") })],
      [`${listing.name} of a reference`, filtered(listing, { reference: "order-500" })],
      [`${listing.name}, searched for a reference`, found(listing, "order-500")],
      [`${listing.name}, searched for a pair`, found(listing, "shelf=rare")],
    ]),
  ),
  "processing transactions": worded(TRANSACTIONS, "processing"),
  "processing refunds": worded(REFUNDS, "processing"),
  "refunded refunds": worded(REFUNDS, "refunded"),
  "expired requests": worded(REQUESTS, "expired"),
  "cancelled requests": worded(REQUESTS, "cancelled"),
  "the first events": events({ failed: false }),
  "events of a kind": events({ failed: false, event: "transactions" }),
  "events of a kind that none has": events({ failed: false, event: "payouts" }),
  "events of a record that none has": events({ failed: false, resource: "txn_none" }),
  "the number of events of a record": countedEvents({ failed: false, resource: "txn_none" }),
  "open requests": filtered(REQUESTS, { state: "created" }),
  "the amount of a dispute": found(DISPUTES, "89.19"),
  "the largest disputes": sorted(DISPUTES, "amount", "desc"),
  "the file of events": filed({ failed: false }),
  "the file of events of a kind": filed({ failed: false, event: "transactions" }),
  "won disputes": filtered(DISPUTES, { status: "won" }),
  "disputes of a transaction": filtered(DISPUTES, { transaction: "txn_none" }),
  "approved transactions": filtered(TRANSACTIONS, { result: "approved" }),
  "pending transactions": filtered(TRANSACTIONS, { result: "pending" }),
  "transactions of an amount": filtered(TRANSACTIONS, { amount: 8_919 }),
  "refunds of an amount": filtered(REFUNDS, { amount: 8_919 }),
  "transactions of an unknown customer": filtered(TRANSACTIONS, { customer: "cus_none" }),
  "declined transactions of a reference": filtered(TRANSACTIONS, {
    result: "declined",
    reference: "order-500",
  }),
  "paid transactions of an amount that none has": filtered(TRANSACTIONS, { status: "paid", amount: 1 }),
  "customers of an e-mail address": filtered(CUSTOMERS, { email: "customer-10@example.com" }),
  "last four digits that no card has": found(TRANSACTIONS, "9999"),
  "an amount": found(TRANSACTIONS, "89.19"),
  "the amount of a request": found(REQUESTS, "89.19"),
  ...Object.fromEntries(
    [TRANSACTIONS, REQUESTS].flatMap((listing) => [
      [`${listing.name} of an e-mail address without payments`, found(listing, "customer-990@example.com")],
      [`${listing.name} of a payer who is many customers`, found(listing, OFTEN.email)],
      [`${listing.name} of a customer with many payments`, found(listing, MEMBER.email)],
      [`${listing.name} with a given e-mail address`, found(listing, GUEST.email)],
    ]),
  ),
  "the largest transactions": sorted(TRANSACTIONS, "amount", "desc"),
  "the smallest requests": sorted(REQUESTS, "amount", "asc"),
  "refunds by reference": sorted(REFUNDS, "reference", "asc"),
};

/** A bounded number of rows is searched, sorted or added up, of which a small table has fewer. */
const SEARCHES: Readonly<Record<string, Work>> = {
  "failed events": events({ failed: true }),
  "failed events of a record that none has": events({ failed: true, resource: "txn_none" }),
  "failed events of a kind": events({ failed: true, event: "transactions" }),
  "the number of events": countedEvents({ failed: false }),
  "the number of events of a kind": countedEvents({ failed: false, event: "transactions" }),
  "declined refunds": worded(REFUNDS, "declined"),
  "last four digits that every card has": found(TRANSACTIONS, "1111"),
  "paid transactions": worded(TRANSACTIONS, "paid"),
  "disputed transactions, of which there are none": worded(TRANSACTIONS, "disputed"),
  "paid requests": worded(REQUESTS, "paid"),
  "unpaid requests": worded(REQUESTS, "unpaid"),
  "disputed requests, of which there are none": worded(REQUESTS, "disputed"),
  "transactions of a method that none has": filtered(TRANSACTIONS, { source: "payid" }),
  "transactions of a code that none has": filtered(TRANSACTIONS, { code: "D00000" }),
  "requests of a flow that none has": filtered(REQUESTS, { flow: "payid" }),
  "pending transactions with digits that all have": filtered(TRANSACTIONS, {
    result: "pending",
    last4: "1111",
  }),
  "cancelled requests with a pair that all have": filtered(REQUESTS, {
    status: "cancelled",
    metadata: EVERY,
  }),
  ...Object.fromEntries(
    [
      { listing: TRANSACTIONS, email: COUNTER.email },
      { listing: REQUESTS, email: WALK_IN.email },
    ].flatMap(({ listing, email }): readonly (readonly [string, Work])[] => [
      [`${listing.name} of ${email}, which many have`, found(listing, email)],
      [
        `the total of ${listing.name} of ${email}`,
        (tx) => totalRows(tx, BUSY, listing, searched(listing, email)),
      ],
    ]),
  ),
  "the total of approved transactions": totalled(TRANSACTIONS, { result: "approved" }),
  "the total of paid requests": totalled(REQUESTS, { status: "paid" }),
};

describe("the dashboard's lists cost the same, however many rows there are", () => {
  let [small, medium, large]: TestDatabase[] = [];
  before(async () => {
    small = await databaseOfPayments(SMALL);
    medium = await databaseOfPayments(MEDIUM);
    large = await databaseOfPayments(LARGE);
  });
  after(async () => {
    for (const one of [small, medium, large]) await one?.drop();
  });

  for (const statistics of ["stale", "fresh"]) {
    test(`with ${statistics} statistics`, async () => {
      if (statistics === "fresh") for (const one of [small, medium, large]) await one?.rows("analyze");
      const grown: string[] = [];
      for (const [fewer, lists] of [
        [small, WALKS],
        [medium, SEARCHES],
      ] as const)
        for (const [what, work] of Object.entries(lists)) {
          assert.ok(fewer !== undefined && large !== undefined);
          const [few, many] = [await pagesTouched(fewer, work), await pagesTouched(large, work)];
          if (!isFlat(few, many)) grown.push(`${what}: ${few} pages, ${many} in the large table`);
        }
      assert.deepEqual(grown, []);
    });
  }

  test("the payments of an e-mail address are found whole, however many", async () => {
    assert.ok(medium !== undefined);
    await inContext(medium, async ({ db }) => {
      for (const listing of [TRANSACTIONS, REQUESTS])
        for (const { email, payments } of [OFTEN, MEMBER, COUNTER, GUEST, WALK_IN]) {
          const ids = new Set<string>();
          for await (const rows of walkAll<Row>(db, BUSY, listing, searched(listing, email)))
            for (const { id } of rows) ids.add(id);
          assert.equal(ids.size, payments, `${listing.name} of ${email}`);
        }
    });
  });

  test("control: without the index of amounts the cost grows", async () => {
    assert.ok(small !== undefined && large !== undefined);
    for (const one of [small, large]) await one.rows("drop index transactions_by_amount");
    const work = sorted(TRANSACTIONS, "amount", "desc");
    const [few, many] = [await pagesTouched(small, work), await pagesTouched(large, work)];
    assert.throws(() => assertFlat(few, many, "without the index"));
  });
});
