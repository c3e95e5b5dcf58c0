import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findMerchant } from "../../../src/features/merchants/index.ts";
import { storeCard } from "../../../src/features/payment-instruments/index.ts";
import { type Id, newId } from "../../../src/kernel/ids.ts";
import { instant, later, MINUTE, toIso } from "../../../src/kernel/time.ts";
import { assertRefused } from "../../support/answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { findInDatabase, findViolations } from "../../support/invariants.ts";
import { inContext } from "../../support/operator.ts";
import { allOf, eventsOf, newCustomer, rowsOf } from "./instruments.ts";

/** Mid-year, so that last month is in the same year. */
const now = () => instant(Date.parse("2026-07-15T12:00:00Z"));
const [YEAR, MONTH] = [2026, 7];

let gateway: TestGateway;
let merchantId: Id<"merchant">;
before(async () => {
  gateway = await startTestGateway({ now });
  merchantId = (await gateway.get("/management/account")).body.id;
});
after(async () => {
  // These cards are stored without the payments that store cards.
  const violations = await findViolations(gateway.database);
  await gateway.stop();
  assert.deepEqual(
    violations.filter(({ id }) => id !== "I14"),
    [],
  );
});

const CARD = {
  number: "4111111111111111",
  name: "Jamie Lee",
  expiryMonth: 12,
  expiryYear: YEAR + 3,
};

/** Payments begin before they are approved. */
const BEGUN = later(now(), -MINUTE);

/** Stores a card as an approved checkout does, under the id that it chose when it began. */
async function store(
  owner: Id<"customer"> | { name: string; email: string | null },
  { number, ...facts }: typeof CARD = CARD,
) {
  return inContext(
    gateway.database,
    async (ctx) => {
      const merchant = (await findMerchant(ctx.db, merchantId)) ?? assert.fail("no merchant");
      await ctx.vault.prepare(ctx.db, merchantId);
      const id = newId("paymentInstrument", BEGUN);
      const card = { ...facts, last4: number.slice(-4), cardType: "visa" };
      return ctx.db.transaction(async (tx) => {
        await ctx.vault.keep(tx, { merchantId, instrumentId: id, field: "card_number" }, number);
        return storeCard(ctx, tx, merchant, { owner, id, card, networkTransactionId: null });
      });
    },
    { now },
  );
}

const storedCard = async (card: typeof CARD = CARD) =>
  store((await newCustomer(gateway)) as Id<"customer">, card);
const pathOf = (one: { customerId: string; id: string }) => `${allOf(one.customerId)}/${one.id}`;

describe("contract 6: a stored card", () => {
  test("is returned with its masked data", async () => {
    const made = await storedCard();
    const { body } = await gateway.get(pathOf(made));
    assert.deepEqual(body, {
      id: made.id,
      customerId: made.customerId,
      reference: made.id,
      type: "card",
      createdDateTime: toIso(BEGUN),
      updatedDateTime: toIso(now()),
      card: {
        name: "Jamie Lee",
        last4: "1111",
        expiryMonth: 12,
        expiryYear: YEAR + 3,
        cardType: "visa",
      },
      result: { mode: "sandbox", status: "ok" },
    });
    const [event, ...more] = await eventsOf(gateway, made.id);
    assert.deepEqual([event.event, event.payload, more], ["payment_instruments", body, []]);
    assert.equal((await eventsOf(gateway, made.customerId)).length, 1, "the customer existed before");
  });

  test("of a new customer publishes one event for the customer, as GET returns both", async () => {
    const made = await store({ name: "VALUED CARDHOLDER", email: null });
    const customer = (await gateway.get(`/customers/${made.customerId}`)).body;
    assert.equal("email" in customer, false);
    assert.deepEqual([customer.name, customer.count], ["VALUED CARDHOLDER", 1]);
    assert.deepEqual(customer.paymentInstruments, [(await gateway.get(pathOf(made))).body]);
    const events = await eventsOf(gateway, made.customerId);
    assert.deepEqual(
      events.map(({ event, payload }: { event: string; payload: object }) => [event, payload]),
      [["customers", customer]],
    );
    const mailed = (await gateway.put(`/customers/${made.customerId}`, { email: "a@b.example" })).body;
    assert.equal(mailed.email, "aXXXXXXXXXX@b.example");
  });

  test("and its new customer are listed by the times that they show", async () => {
    const made = await store({ name: "Jamie Lee", email: null });
    const customer = (await gateway.get(`/customers/${made.customerId}`)).body;
    const { createdDateTime, updatedDateTime } = customer;
    assert.deepEqual([createdDateTime, updatedDateTime], [toIso(BEGUN), toIso(now())]);
    const listed = async (path: string, query: string) => {
      const { customers, paymentInstruments } = (await gateway.get(`${path}?limit=100&${query}`)).body;
      return (customers ?? paymentInstruments).map(({ id }: { id: string }) => id);
    };
    for (const [path, id] of [
      ["/customers", made.customerId],
      [allOf(made.customerId), made.id],
    ] as const) {
      assert.ok((await listed(path, `createdFrom=${createdDateTime}`)).includes(id));
      assert.ok((await listed(path, `updatedFrom=${updatedDateTime}`)).includes(id));
      assert.equal((await listed(path, `createdTo=${createdDateTime}`)).includes(id), false);
      assert.equal((await listed(path, `updatedTo=${updatedDateTime}`)).includes(id), false);
    }
  });

  test("stored again is another instrument", async () => {
    const owner = (await newCustomer(gateway)) as Id<"customer">;
    const [one, other] = [await store(owner), await store(owner)];
    assert.notEqual(one.id, other.id);
    assert.equal((await gateway.get(`/customers/${owner}`)).body.count, 2);
  });

  test("has its number only in the vault", async () => {
    const made = await storedCard({ ...CARD, number: "4929100000000009" });
    assert.deepEqual(await findInDatabase(gateway.database, "4929100000000009"), []);
    const kept = await gateway.database.rows("select field from vault_secrets where instrument_id = $1", [
      made.id,
    ]);
    assert.deepEqual(kept, [{ field: "card_number" }]);
  });

  test("is deleted with its number, and the last version is published", async () => {
    const made = await storedCard();
    const before = (await gateway.get(pathOf(made))).body;
    assert.equal((await gateway.call(pathOf(made), { method: "DELETE" })).status, 200);
    assertRefused(await gateway.get(pathOf(made)), 404, "V11010");
    const kept = await gateway.database.rows("select from vault_secrets where instrument_id = $1", [made.id]);
    assert.equal(kept.length, 0);
    const [, last] = await eventsOf(gateway, made.id);
    assert.deepEqual(last.payload.card, before.card);
    assert.match(last.payload.deletedDateTime, /Z$/);
  });
});

describe("contract 6: changing a stored card", () => {
  test("accepts any subset of name and expiry, and publishes each change once", async () => {
    const made = await storedCard();
    const put = async (body: object) => (await gateway.put(pathOf(made), body)).body;
    const first = (await gateway.get(pathOf(made))).body;
    const named = await put({ card: { name: "J. Lee" } });
    assert.deepEqual(named.card, { ...first.card, name: "J. Lee" });
    const later = await put({ card: { expiryMonth: 1, expiryYear: YEAR + 20 } });
    assert.deepEqual(later.card, { ...named.card, expiryMonth: 1, expiryYear: YEAR + 20 });
    const month = await put({ reference: "main card", card: { expiryMonth: 2 } });
    assert.deepEqual([month.reference, month.card], ["main card", { ...later.card, expiryMonth: 2 }]);
    const year = await put({ card: { expiryYear: YEAR + 1 } });
    assert.deepEqual(
      (await eventsOf(gateway, made.id)).map(({ payload }: { payload: object }) => payload),
      [first, named, later, month, year],
    );
    const { name, expiryMonth, expiryYear } = year.card;
    assert.deepEqual(await put({ card: { name, expiryMonth, expiryYear } }), year);
    assert.deepEqual(await put({ card: {} }), year);
    assert.equal((await eventsOf(gateway, made.id)).length, 5);
  });

  test("accepts the current month; refuses a past expiry and one too far ahead", async () => {
    const made = await storedCard();
    const put = (card: object) => gateway.put(pathOf(made), { card });
    assert.equal((await put({ expiryMonth: MONTH, expiryYear: YEAR })).status, 200);
    const before = await rowsOf(gateway);
    assertRefused(await put({ expiryMonth: MONTH - 1 }), 400, ["V10087", "/card/expiryMonth"]);
    for (const expiryYear of [YEAR - 1, YEAR + 21]) {
      assertRefused(await put({ expiryYear }), 400, ["V10088", "/card/expiryYear"]);
    }
    assert.deepEqual(await rowsOf(gateway), before);
  });

  test("an expired card's name can change, its expiry only to a valid one", async () => {
    const made = await storedCard({ ...CARD, expiryMonth: 1, expiryYear: YEAR - 2 });
    const put = (card: object) => gateway.put(pathOf(made), { card });
    assert.equal((await put({ name: "J" })).status, 200);
    for (const name of ["", " ", "\u200b"]) assertRefused(await put({ name }), 400, ["V10086", "/card/name"]);
    assertRefused(await put({ expiryMonth: 12 }), 400, ["V10088", "/card/expiryYear"]);
    assert.equal((await put({ expiryYear: YEAR + 1 })).status, 200);
  });

  test("refuses bankAccount, and never changes the number", async () => {
    const made = await storedCard();
    const wrong = await gateway.put(pathOf(made), { bankAccount: { accountName: "J" } });
    assertRefused(wrong, 400, ["V11832", "/bankAccount"]);
    for (const field of ["number", "last4", "cardType", "securityCode"]) {
      const answer = await gateway.put(pathOf(made), { card: { [field]: "4111111111111111" } });
      assertRefused(answer, 400, ["V11003", `/card/${field}`]);
      assert.doesNotMatch(JSON.stringify(answer.body), /4111/);
    }
  });

  test("returns every problem at once; a part of the expiry is not checked beside a wrong other part", async () => {
    const made = await storedCard({ ...CARD, expiryMonth: MONTH, expiryYear: YEAR });
    const put = (body: object) => gateway.put(pathOf(made), body);
    const reference = ["V10004", "/reference"] as const;
    const past = { expiryMonth: MONTH - 1, name: "4111 1111 1111 1111" };
    assertRefused(
      await put({ reference: "", card: past, bankAccount: {} }),
      400,
      reference,
      ["V11832", "/bankAccount"],
      ["V10086", "/card/name"],
      ["V10087", "/card/expiryMonth"],
    );
    const year = { expiryMonth: MONTH - 1, expiryYear: 3000 };
    assertRefused(await put({ card: year }), 400, ["V10088", "/card/expiryYear"]);
  });

  test("accepts a name of 1 to 100 characters that is not a card number", async () => {
    const made = await storedCard();
    const put = (name: unknown) => gateway.put(pathOf(made), { card: { name } });
    for (const name of ["J", "🌊".repeat(100)]) assert.equal((await put(name)).body.card.name, name);
    for (const name of ["", "x".repeat(101), "a\nb", "4111 1111 1111 1111", "123", null, 1]) {
      assertRefused(await put(name), 400, ["V10086", "/card/name"]);
    }
  });
});
