import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertInvariantsAndStop, findInDatabase } from "../../support/invariants.ts";
import { AU, addAccount, allOf, eventsOf, NZ, newAccount, newCustomer, rowsOf } from "./instruments.ts";

let gateway: TestGateway;
let customer: string;
before(async () => {
  gateway = await startTestGateway();
  customer = await newCustomer(gateway);
});
after(() => assertInvariantsAndStop(gateway));

describe("spec 2.7: storing a bank account", () => {
  test("in Australia returns it with a masked number", async () => {
    const made = await newAccount(gateway, customer);
    assert.match(made.id, /^pi_[0-9a-z]{29}$/);
    assert.deepEqual(made, {
      id: made.id,
      customerId: customer,
      reference: made.id,
      type: "bank_account",
      createdDateTime: made.createdDateTime,
      updatedDateTime: made.createdDateTime,
      bankAccount: { accountName: "Jamie Lee", bsb: "062000", number: "XXXXXX78" },
      metadata: { bankName: "Commonwealth Bank" },
      result: { mode: "sandbox", status: "ok" },
    });
    assert.deepEqual((await gateway.get(`${allOf(customer)}/${made.id}`)).body, made);
  });

  for (const number of ["12-3140-0171323-50", "123140017132350", "12-3140-0171323-050", "1231400171323050"]) {
    test(`in New Zealand as ${number} returns it with hyphens`, async () => {
      const { bankAccount, metadata } = await newAccount(gateway, customer, { ...NZ, number });
      assert.deepEqual(bankAccount, { accountName: "Jamie Lee", number: "XX-XXXX-XXXXXXX-X50" });
      assert.deepEqual(metadata, { bankName: "ASB" });
    });
  }

  test("accepts a reference, and the path as the specification writes it", async () => {
    const body = { reference: "membership", bankAccount: AU };
    const made = await gateway.post(`/customers/${customer}/PaymentInstruments`, body);
    assert.equal(made.status, 200);
    assert.equal(made.body.reference, "membership");
  });

  test("publishes one event, as returned, and leaves the customer unchanged", async () => {
    const owner = await newCustomer(gateway);
    const made = await newAccount(gateway, owner);
    const [event, ...more] = await eventsOf(gateway, made.id);
    assert.deepEqual(more, []);
    assert.equal(event.event, "payment_instruments");
    assert.equal(event.reference, made.reference);
    assert.deepEqual(event.payload, made);
    assert.equal((await eventsOf(gateway, owner)).length, 1);
  });

  test("needs no direct debit capability: it is checked when money moves", async () => {
    const { key } = await gateway.newMerchant();
    await gateway.put("/management/account", { capabilities: { directDebit: false } }, { key });
    const owner = await newCustomer(gateway, { key });
    assert.equal((await addAccount(gateway, owner, AU, { key })).status, 200);
  });

  test('at an unknown bank returns "Unknown bank"', async () => {
    const { metadata } = await newAccount(gateway, customer, { ...AU, bsb: "999999" });
    assert.deepEqual(metadata, { bankName: "Unknown bank" });
  });
});

/** For each field, accepted values and values that are refused with its code alone. */
const FIELDS = [
  {
    account: AU,
    field: "accountName",
    code: "V11821",
    accepts: ["A", "é".repeat(32), "🌊".repeat(32)],
    refuses: ["", " ", "\u200b", "x".repeat(33), "x".repeat(101), "a\nb", "a\u0000", 1, null, [], {}],
  },
  {
    account: AU,
    field: "bsb",
    code: "V11822",
    accepts: ["000000", "062000", "999999"],
    refuses: ["", "06200", "0620000", "062-000", "06200a", "062000\n", 62_000, null, [], {}],
  },
  {
    account: AU,
    field: "number",
    code: "V11823",
    accepts: ["123456", "123456789", "000000"],
    refuses: ["", "12345", "1234567890", "123456a", "1234-56", "123456\n", NZ.number, 123_456, null, [], {}],
  },
  {
    account: NZ,
    field: "accountName",
    code: "V11821",
    accepts: ["A", "x".repeat(33), "🌊".repeat(100)],
    refuses: ["", "\u3000", "x".repeat(101), "a\u0000", 1, null, [], {}],
  },
  {
    account: NZ,
    field: "number",
    code: "V11823",
    accepts: ["01-0902-0068389-00", "010902006838900", "99-9999-9999999-999"],
    refuses: [
      ...["", "12345678", "123456789", "12314001713235", "12314001713230500", "12-3140-0171323-5"],
      ...["12-3140-0171323-0500", "123140-0171323-50", "12-3140-017132350", "12 3140 0171323 50", 1, null],
    ],
  },
] as const;

describe("spec 2.7, contract 6: every field of a bank account at both sides of its limits", () => {
  for (const { account, field, code, accepts, refuses } of FIELDS) {
    const country = "bsb" in account ? "Australia" : "New Zealand";
    test(`${country}, ${field}: accepts valid values`, async () => {
      for (const value of accepts) {
        const made = await newAccount(gateway, customer, { ...account, [field]: value });
        if (field !== "number") assert.equal(made.bankAccount[field], value);
      }
    });

    test(`${country}, ${field}: refuses invalid values with ${code} and stores nothing`, async () => {
      const before = await rowsOf(gateway);
      for (const value of refuses) {
        const headers = { "x-idempotency-key": "never-used-up" };
        const answer = await addAccount(gateway, customer, { ...account, [field]: value }, { headers });
        assertRefused(answer, 400, [code, `/bankAccount/${field}`]);
        assert.doesNotMatch(JSON.stringify(answer.body), /0171323|12345/);
      }
      assert.deepEqual(await rowsOf(gateway), before);
    });
  }

  test("requires name and number; without a bsb the number is a New Zealand number", async () => {
    const missing = await addAccount(gateway, customer, {});
    assertRefused(missing, 400, ["V11821", "/bankAccount/accountName"], ["V11823", "/bankAccount/number"]);
    const { bsb: _, ...rest } = AU;
    assertRefused(await addAccount(gateway, customer, rest), 400, ["V11823", "/bankAccount/number"]);
  });

  test("returns a wrong bankName beside a wrong field; a bank's name may be right after the correction", async () => {
    const send = (bsb: string, bankName: string) =>
      gateway.post(allOf(customer), { metadata: { bankName }, bankAccount: { ...AU, bsb } });
    const bsb = ["V11822", "/bankAccount/bsb"] as const;
    assertRefused(await send("12", "Mine"), 400, bsb, ["V12303", "/metadata/bankName"]);
    assertRefused(await send("12", "Westpac"), 400, bsb);
    assertRefused(await send("062000", "Westpac"), 400, ["V12303", "/metadata/bankName"]);
    assert.equal((await send("062000", "Commonwealth Bank")).status, 200);
  });

  test("returns every problem at once", async () => {
    const account = { accountName: "x".repeat(33), bsb: "1", number: "1", branch: "x" };
    const body = { reference: "", bankAccount: account };
    const { codes } = (await gateway.post(allOf(customer), body)).body.result;
    assert.deepEqual(
      codes.map(({ id, field }: { id: string; field: string }) => `${id} ${field}`).toSorted(),
      [
        "V10004 /reference",
        "V11003 /bankAccount/branch",
        "V11821 /bankAccount/accountName",
        "V11822 /bankAccount/bsb",
        "V11823 /bankAccount/number",
      ],
    );
  });

  for (const bankAccount of [undefined, null, "062000", 1, []]) {
    test(`refuses ${JSON.stringify(bankAccount)} as a bank account`, async () => {
      assertRefused(await gateway.post(allOf(customer), { bankAccount }), 400, ["V11820", "/bankAccount"]);
    });
  }
});

describe("contract 6: a card never goes through the merchant's API", () => {
  const card = { number: "4111111111111111", expiryMonth: 12, expiryYear: 2031, name: "Jamie Lee" };

  test("a card is refused, and nothing of it is returned or stored", async () => {
    const before = await rowsOf(gateway);
    const beside = await gateway.post(allOf(customer), { bankAccount: AU, card });
    assertRefused(beside, 400, ["V11830", "/card"]);
    const alone = await gateway.post(allOf(customer), { card });
    assertRefused(alone, 400, ["V11820", "/bankAccount"], ["V11830", "/card"]);
    for (const { body } of [beside, alone]) assert.doesNotMatch(JSON.stringify(body), /4111|Jamie/);
    assert.deepEqual(await rowsOf(gateway), before);
  });

  for (const other of [null, "4111111111111111", {}, []]) {
    test(`${JSON.stringify(other)} as a card is refused`, async () => {
      const answer = await gateway.post(allOf(customer), { bankAccount: AU, card: other });
      assertRefused(answer, 400, ["V11830", "/card"]);
    });
  }
});

describe("I15: the account number is stored only in the vault", () => {
  test("no table contains it in clear, and the vault has an entry for it", async () => {
    const numbers = ["987650123", "12-3140-7654321-98"];
    const ids = [];
    for (const account of [
      { ...AU, number: numbers[0] },
      { ...NZ, number: numbers[1] },
    ]) {
      ids.push((await newAccount(gateway, customer, account)).id);
    }
    for (const canary of ["987650123", "7654321", "1231407654321098"]) {
      assert.deepEqual(await findInDatabase(gateway.database, canary), [], canary);
    }
    // Control: the masked number is found.
    assert.deepEqual(await findInDatabase(gateway.database, "XXXXXXX23"), ["events", "payment_instruments"]);
    const kept = await gateway.database.rows(
      "select from vault_secrets where instrument_id = any ($1) and field = 'account_number'",
      [ids],
    );
    assert.equal(kept.length, 2);
  });
});
