import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop } from "../../support/invariants.ts";
import { readPages } from "../../support/pages.ts";
import {
  AU,
  addAccount,
  allOf,
  eventsOf,
  NO_CUSTOMER,
  NO_INSTRUMENT,
  NZ,
  newAccount,
  newCustomer,
  rowsOf,
} from "./instruments.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => assertInvariantsAndStop(gateway));

const pathOf = (one: { customerId: string; id: string }) => `${allOf(one.customerId)}/${one.id}`;
type Timed = { readonly updatedDateTime: string };
const timeOf = ({ updatedDateTime }: Timed): string => updatedDateTime;
const remove = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  gateway.call(path, { method: "DELETE", headers });

describe("contract 6: a customer's instruments", () => {
  test("are returned with the customer, newest first, with their count, in lists too", async () => {
    const { key } = await gateway.newMerchant();
    const [owner, other] = [await newCustomer(gateway, { key }), await newCustomer(gateway, { key })];
    const first = (await addAccount(gateway, owner, AU, { key })).body;
    const second = (await addAccount(gateway, owner, NZ, { key })).body;
    const read = async (id: string) => (await gateway.get(`/customers/${id}`, { key })).body;
    const [holder, empty] = [await read(owner), await read(other)];
    assert.equal(holder.count, 2);
    assert.deepEqual(holder.paymentInstruments, [second, first]);
    assert.deepEqual([empty.count, empty.paymentInstruments], [0, []]);
    const listed = await gateway.get("/customers", { key });
    assert.deepEqual(listed.body.customers, [empty, holder]);
  });

  test("do not change the customer when added; a later change of the customer shows them", async () => {
    const owner = await newCustomer(gateway);
    const before = (await gateway.get(`/customers/${owner}`)).body;
    const made = await newAccount(gateway, owner);
    assert.equal((await gateway.get(`/customers/${owner}`)).body.updatedDateTime, before.updatedDateTime);
    const changed = (await gateway.put(`/customers/${owner}`, { name: "Other" })).body;
    assert.deepEqual([changed.count, changed.paymentInstruments], [1, [made]]);
    const events = await eventsOf(gateway, owner);
    assert.deepEqual(
      events.map(({ payload }: { payload: { count: number } }) => payload.count),
      [0, 1],
    );
    assert.deepEqual(events[1].payload, changed);
  });

  test("are shown up to a hundred, counted completely, and listed in full", async () => {
    const owner = await newCustomer(gateway);
    const first = await newAccount(gateway, owner);
    await gateway.database.rows(
      `insert into payment_instruments (merchant_id, id, customer_id, reference, type, bank_account, created_at, updated_at)
       select merchant_id, overlay(id placing lpad(n::text, 4, '0') from 29), customer_id, reference, type, bank_account,
         created_at, updated_at
       from payment_instruments, generate_series(1, 100) n where id = $1`,
      [first.id],
    );
    const shown = (await gateway.get(`/customers/${owner}`)).body;
    assert.equal(shown.count, 101);
    assert.equal(shown.paymentInstruments.length, 100);
    const page = (await gateway.get(`${allOf(owner)}?limit=100`)).body;
    assert.deepEqual(shown.paymentInstruments, page.paymentInstruments);
    const rest = (await gateway.get(`${allOf(owner)}?limit=100&cursor=${page.nextCursor}`)).body;
    assert.deepEqual([page.count, rest.count, rest.nextCursor], [100, 1, null]);
    // These rows have no events and no numbers, so they are removed before the invariants are checked.
    await gateway.database.rows("delete from payment_instruments where customer_id = $1 and id <> $2", [
      owner,
      first.id,
    ]);
  });

  test("are listed newest first, in pages and by time", async () => {
    const { key } = await gateway.newMerchant();
    const owner = await newCustomer(gateway, { key });
    await addAccount(gateway, await newCustomer(gateway, { key }), AU, { key });
    const made: { id: string; createdDateTime: string }[] = [];
    for (const account of [AU, NZ, AU, NZ, AU]) {
      made.unshift((await addAccount(gateway, owner, account, { key })).body);
      await gateway.post("/sandbox/clock/advance", { seconds: 1 }, { key });
    }
    const list = async (query = "") => (await gateway.get(allOf(owner) + query, { key })).body;
    const result = { mode: "sandbox", status: "ok" };
    assert.deepEqual(await list(), { count: 5, paymentInstruments: made, nextCursor: null, result });
    const pages = await readPages((cursor) => list(`?limit=2${cursor}`));
    assert.deepEqual(
      pages.flatMap(({ paymentInstruments }) => paymentInstruments),
      made,
    );
    const range = `?createdFrom=${made[3]?.createdDateTime}&createdTo=${made[1]?.createdDateTime}`;
    assert.deepEqual((await list(range)).paymentInstruments, [made[2], made[3]]);
    assertRefused(await gateway.get(`${allOf(owner)}?type=card`, { key }), 400, ["V11004", "/type"]);
  });
});

describe("contract 6: changing a bank account", () => {
  test("accepts reference and account name, and publishes each change once", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const put = async (body: object) => (await gateway.put(pathOf(made), body)).body;
    const referred = await put({ reference: "other" });
    assert.deepEqual(referred, {
      ...made,
      reference: "other",
      updatedDateTime: referred.updatedDateTime,
    });
    const named = await put({ bankAccount: { accountName: "J. Lee" } });
    assert.deepEqual(named.bankAccount, { ...made.bankAccount, accountName: "J. Lee" });
    const both = await put({ reference: "third", bankAccount: { accountName: "x".repeat(32) } });
    assert.deepEqual((await gateway.get(pathOf(made))).body, both);
    const events = await eventsOf(gateway, made.id);
    assert.deepEqual(
      events.map(({ payload }: { payload: object }) => payload),
      [made, referred, named, both],
    );
    const times: string[] = events.map(({ payload }: { payload: Timed }) => timeOf(payload));
    assert.deepEqual(times, [...new Set(times)].toSorted());
  });

  test("without an effect returns the account, publishes no event and keeps updatedDateTime", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    for (const body of [
      {},
      { bankAccount: {} },
      { reference: made.reference, bankAccount: { accountName: AU.accountName } },
    ]) {
      const answer = await gateway.put(pathOf(made), body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, made);
    }
    assert.equal((await eventsOf(gateway, made.id)).length, 1);
  });

  test("refuses an invalid change and stores nothing", async () => {
    const owner = await newCustomer(gateway);
    const [made, abroad] = [await newAccount(gateway, owner), await newAccount(gateway, owner, NZ)];
    const before = await rowsOf(gateway);
    for (const [body, code, field] of [
      [{ card: { name: "J" } }, "V11832", "/card"],
      [{ card: {} }, "V11832", "/card"],
      [{ bankAccount: { accountName: "x".repeat(33) } }, "V11821", "/bankAccount/accountName"],
      [{ bankAccount: { accountName: "" } }, "V11821", "/bankAccount/accountName"],
      [{ bankAccount: { number: "87654321" } }, "V11003", "/bankAccount/number"],
      [{ bankAccount: { bsb: "012003" } }, "V11003", "/bankAccount/bsb"],
      [{ bankAccount: null }, "V11820", "/bankAccount"],
      [{ card: 1 }, "V11831", "/card"],
      [{ card: { name: "" } }, "V10086", "/card/name"],
      [{ card: { expiryMonth: 13 } }, "V10087", "/card/expiryMonth"],
      [{ card: { expiryYear: 31 } }, "V10088", "/card/expiryYear"],
      [{ card: { number: "4111111111111111" } }, "V11003", "/card/number"],
      [{ reference: "x".repeat(65) }, "V10004", "/reference"],
      [{ type: "card" }, "V11003", "/type"],
    ] as const) {
      const headers = { "x-idempotency-key": "still-free" };
      const inCard = field.startsWith("/card/") ? [["V11832", "/card"] as const] : [];
      assertRefused(await gateway.put(pathOf(made), body, { headers }), 400, [code, field], ...inCard);
    }
    assertRefused(
      await gateway.put(pathOf(made), { card: {}, bankAccount: { accountName: "x".repeat(33) } }),
      400,
      ["V11832", "/card"],
      ["V11821", "/bankAccount/accountName"],
    );
    assert.deepEqual(await rowsOf(gateway), before);
    const long = { bankAccount: { accountName: "x".repeat(33) } };
    assert.equal((await gateway.put(pathOf(abroad), long)).status, 200);
  });

  test("returns what does not fit the instrument beside what is wrong of any", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const reference = ["V10004", "/reference"] as const;
    const body = { reference: "", card: { name: "X" }, metadata: { bankName: "Mine" } };
    assertRefused(
      await gateway.put(pathOf(made), body),
      400,
      reference,
      ["V12303", "/metadata/bankName"],
      ["V11832", "/card"],
    );
    const long = { reference: "", bankAccount: { accountName: "x".repeat(33) } };
    assertRefused(await gateway.put(pathOf(made), long), 400, reference, [
      "V11821",
      "/bankAccount/accountName",
    ]);
    // What is wrong of any instrument is also wrong of an unknown one.
    for (const id of [NO_INSTRUMENT, "no-id"])
      assertRefused(await gateway.put(pathOf({ ...made, id }), body), 400, reference);
    const { key } = await gateway.newMerchant();
    assertRefused(await gateway.put(pathOf(made), body, { key }), 400, reference);
  });

  test("a hundred concurrent changes publish one event each, with strictly increasing updatedDateTime", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, nth) => gateway.put(pathOf(made), { reference: `the ${nth}th` })),
    );
    for (const { status } of answers) assert.equal(status, 200);
    const published = await gateway.database.rows<{ at: string }>(
      `select body::json -> 'payload' ->> 'updatedDateTime' as at from events where resource_id = $1`,
      [made.id],
    );
    assert.equal(published.length, 101);
    assert.equal(new Set(published.map(({ at }) => at)).size, 101);
    assert.deepEqual(
      published.map(({ at }) => at).toSorted(),
      [made, ...answers.map(({ body }) => body)].map(timeOf).toSorted(),
    );
  });
});

describe("contract 6: a deleted instrument", () => {
  test("is 404 afterwards, and its number is erased", async () => {
    const owner = await newCustomer(gateway);
    const [made, stays] = [await newAccount(gateway, owner), await newAccount(gateway, owner, NZ)];
    const secrets = () =>
      gateway.database.rows<{ instrument_id: string }>(
        "select instrument_id from vault_secrets where instrument_id = any ($1)",
        [[made.id, stays.id]],
      );
    assert.equal((await secrets()).length, 2);
    const answer = await remove(pathOf(made));
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { id: made.id, result: { mode: "sandbox", status: "ok" } });
    assert.deepEqual(await secrets(), [{ instrument_id: stays.id }]);
    for (const again of [
      await gateway.get(pathOf(made)),
      await gateway.put(pathOf(made), { reference: "x" }),
      await remove(pathOf(made)),
    ]) {
      assertRefused(again, 404, "V11010");
    }
    assert.deepEqual((await gateway.get(allOf(owner))).body.paymentInstruments, [stays]);
    const holder = (await gateway.get(`/customers/${owner}`)).body;
    assert.deepEqual([holder.count, holder.paymentInstruments], [1, [stays]]);
    assert.deepEqual((await gateway.get(pathOf(stays))).body, stays);
  });

  test("publishes its last version once, with deletedDateTime", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    await remove(pathOf(made));
    const [, last, ...more] = await eventsOf(gateway, made.id);
    assert.deepEqual(more, []);
    const { deletedDateTime } = last.payload;
    assert.deepEqual(last.payload, { ...made, updatedDateTime: deletedDateTime, deletedDateTime });
    assert.ok(deletedDateTime > made.updatedDateTime);
    assert.equal(last.event, "payment_instruments");
    assert.equal("deletedDateTime" in (await eventsOf(gateway, made.id))[0].payload, false);
  });

  test("of ten concurrent deletions one succeeds, the others are 404", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(pathOf(made))));
    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), [
      "200",
      ...Array.from({ length: 9 }, () => "404"),
    ]);
    assert.equal((await eventsOf(gateway, made.id)).length, 2);
  });

  test("concurrent changes publish nothing after the deletion", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    await Promise.all([
      ...Array.from({ length: 10 }, (_, nth) => gateway.put(pathOf(made), { reference: `r${nth}` })),
      remove(pathOf(made)),
      ...Array.from({ length: 10 }, (_, nth) => gateway.put(pathOf(made), { reference: `s${nth}` })),
    ]);
    const events = await eventsOf(gateway, made.id);
    const ends = events.filter(({ payload }: { payload: object }) => "deletedDateTime" in payload);
    assert.equal(ends.length, 1);
    assert.equal(events.at(-1), ends[0]);
  });

  test("deletion accepts an empty object as its body, and nothing else", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const withBody = (body: unknown) => gateway.call(pathOf(made), { method: "DELETE", body });
    assertRefused(await withBody({ sure: true }), 400, ["V11003", "/sure"]);
    assert.equal((await withBody({})).status, 200);
  });
});

describe("contract 2: idempotency of instruments", () => {
  test("a key stores one account; a repeat, even a concurrent one, returns its id", async () => {
    const owner = await newCustomer(gateway);
    const headers = { "x-idempotency-key": "one-account" };
    assert.equal((await addAccount(gateway, NO_CUSTOMER, AU, { headers })).status, 404);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => addAccount(gateway, owner, AU, { headers })),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(status, 409);
      assert.equal(body.original.id, made[0]?.body.id);
      assert.equal(body.original.location, gateway.baseUrl + pathOf(made[0]?.body));
    }
    assert.equal((await gateway.get(allOf(owner))).body.count, 1);
  });

  test("a repeated change or deletion is a conflict even after the deletion", async () => {
    const made = await newAccount(gateway, await newCustomer(gateway));
    const put = () =>
      gateway.put(pathOf(made), { reference: "x" }, { headers: { "x-idempotency-key": "one-put" } });
    assert.deepEqual([(await put()).status, (await put()).status], [200, 409]);
    const deleteOnce = () => remove(pathOf(made), { "x-idempotency-key": "one-delete" });
    assert.equal((await deleteOnce()).status, 200);
    const repeat = await deleteOnce();
    assert.equal(repeat.status, 409);
    assert.equal(repeat.body.original.id, made.id);
    assert.equal((await put()).status, 409);
  });
});

describe("I18: another merchant's instrument is indistinguishable from an unknown one", () => {
  test("in every endpoint, and so is another customer's", async () => {
    const { key } = await gateway.newMerchant();
    const [owner, other] = [await newCustomer(gateway), await newCustomer(gateway)];
    const theirs = await newCustomer(gateway, { key });
    const made = await newAccount(gateway, owner);
    const before = await rowsOf(gateway);
    const none = [
      [{}, other, made.id],
      [{}, owner, NO_INSTRUMENT],
      [{}, owner, "x"],
      [{}, NO_CUSTOMER, made.id],
      [{}, "x", made.id],
      [{}, made.id, owner],
      [{ key }, owner, made.id],
      [{ key }, theirs, made.id],
      [{ key }, theirs, NO_INSTRUMENT],
    ] as const;
    for (const [call, customer, id] of none) {
      const path = `${allOf(customer)}/${id}`;
      assertRefused(await gateway.get(path, call), 404, "V11010");
      assertRefused(await gateway.put(path, { reference: "mine" }, call), 404, "V11010");
      assertRefused(await gateway.call(path, { ...call, method: "DELETE" }), 404, "V11010");
    }
    for (const [call, customer] of [
      [{}, NO_CUSTOMER],
      [{}, "x"],
      [{ key }, owner],
    ] as const) {
      assertRefused(await gateway.get(allOf(customer), call), 404, "V11010");
      assertRefused(await addAccount(gateway, customer, AU, call), 404, "V11010");
    }
    assert.deepEqual(await rowsOf(gateway), before);
    assert.deepEqual((await gateway.get(pathOf(made))).body, made);
  });
});
