import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import type { Answer } from "./calls.ts";
import { callApi, createRequest, eventsOf, ok, type Shop } from "./checkout.ts";
import { AU_ACCOUNT } from "./debits.ts";
import { payIds } from "./payid-races.ts";
import { accepted, type Field, onlyOne, ownMerchant, type Race } from "./race.ts";
import { startReceiver } from "./receiver.ts";

const withKey = (key: string, path: string, body: object) => (shop: Shop) =>
  callApi({ ...shop, headers: { "x-idempotency-key": key } }, "POST", path, body);

/** Exactly one call makes something; every other, and a later one on any path, learns what. */
async function onlyMade(
  answers: readonly Answer[],
  repeats: readonly (() => Promise<Answer>)[],
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
): Promise<any> {
  onlyOne(answers);
  const [winner] = accepted(answers);
  assert.ok(winner);
  const later = await Promise.all(repeats.map((repeat) => repeat()));
  for (const answer of [...answers.filter((one) => one !== winner), ...later]) {
    assertRefused(answer, 409, "V10018");
    const { requestId, id } = answer.body.original;
    assert.deepEqual([requestId, id], [winner.headers.get("x-request-id"), winner.body.id]);
  }
  for (const { body } of later) {
    assert.equal(body.original.status, "done");
    assert.ok(body.original.location.endsWith(`/${winner.body.id}`), body.original.location);
  }
  return winner.body;
}

const aCustomer = (reference: string) => ({ name: "Jamie Lee", email: "jamie@shop.example", reference });

/** So many rows that this key's resources have, of the tables that its calls write. */
async function assertRows({ database }: Field, text: string, values: readonly unknown[], count: number) {
  assert.equal((await database.rows(text, values)).length, count, text);
}

/** Creates that race their own repeat, or another create, with one idempotency key. */
export const CREATE_RACES: readonly Race[] = [
  {
    name: "create a customer, create it with one idempotency key",
    prepare: async (field) => {
      const { far, name } = field;
      const verb = withKey(name, "/customers", aCustomer(name));
      return {
        verbs: [verb],
        check: async ([made = []]) => {
          const { id } = await onlyMade(made, [() => verb(far)]);
          assert.equal(ok(await callApi(far, "GET", `/customers?reference=${name}`)).count, 1);
          await assertRows(field, "select from customers where reference = $1", [name], 1);
          assert.equal((await eventsOf(far, id)).length, 1);
        },
      };
    },
  },
  {
    name: "store an account, store it with one idempotency key",
    prepare: async (field) => {
      const { near, far, name } = field;
      const customer = ok(await callApi(near, "POST", "/customers", aCustomer(name)));
      const path = `/customers/${customer.id}/paymentinstruments`;
      const verb = withKey(name, path, { bankAccount: AU_ACCOUNT });
      return {
        verbs: [verb],
        check: async ([made = []]) => {
          const { id } = await onlyMade(made, [() => verb(far)]);
          assert.equal(ok(await callApi(far, "GET", path)).count, 1);
          await assertRows(field, "select from payment_instruments where customer_id = $1", [customer.id], 1);
          await assertRows(field, "select from vault_secrets where instrument_id = $1", [id], 1);
          assert.equal((await eventsOf(far, id)).length, 1);
        },
      };
    },
  },
  {
    name: "create a webhook, create it with one idempotency key",
    prepare: async (field) => {
      const { id: merchantId, near, far, of } = await ownMerchant(field);
      const receiver = await startReceiver();
      const verb = of(withKey(field.name, "/webhooks", { event: "payment_requests", url: receiver.url }));
      return {
        verbs: [verb],
        check: async ([made = []]) => {
          // A repeat without the key would be a second subscription for one event, which has a code of its own.
          const { id } = await onlyMade(made, [() => verb(far)]);
          await assertRows(
            field,
            "select from webhooks where merchant_id = $1 and id = $2",
            [merchantId, id],
            1,
          );
          await assertRows(field, "select from webhooks where merchant_id = $1", [merchantId], 1);
          const request = await createRequest(near);
          const received = await receiver.until(1);
          assert.deepEqual(
            received.map(({ body }) => JSON.parse(body).payload.id),
            [request.id],
          );
          await receiver.close();
        },
      };
    },
  },
  {
    name: "create a PayID request, create it with one idempotency key",
    prepare: async (field) => {
      const { database, far, name } = field;
      const value = `key-${process.pid}-${name}`;
      const payment = { amount: 3_000, instrument: { payId: { type: "single", value } } };
      const verb = withKey(name, "/paymentrequests", { reference: name, payment });
      return {
        verbs: [verb],
        check: async ([made = []]) => {
          const { id, payment } = await onlyMade(made, [() => verb(far)]);
          assert.equal(ok(await callApi(far, "GET", `/paymentrequests?reference=${name}`)).count, 1);
          const registered = await database.rows(
            "select reference from sandbox_ledger where ledger = 'payid' and kind = 'registration' and belongs_to = $1",
            [payment.instrument.payId.email],
          );
          assert.deepEqual(registered, [{ reference: id }]);
          assert.equal((await payIds(far).pay(payment.instrument.payId.email, 3_000)).status, "accepted");
        },
      };
    },
  },
  {
    name: "create a customer, create a webhook with one idempotency key",
    outcomes: ["customer", "webhook"],
    prepare: async (field) => {
      const { id: merchantId, far, of } = await ownMerchant(field);
      const customer = of(withKey(field.name, "/customers", aCustomer(field.name)));
      const receiver = await startReceiver();
      const webhook = of(withKey(field.name, "/webhooks", { event: "customers", url: receiver.url }));
      return {
        verbs: [customer, webhook],
        check: async (answers) => {
          const { id } = await onlyMade(answers.flat(), [() => customer(far), () => webhook(far)]);
          const isCustomer = id.startsWith("cus_");
          const ofMerchant = (table: string, count: number) =>
            assertRows(field, `select from ${table} where merchant_id = $1`, [merchantId], count);
          await ofMerchant("customers", isCustomer ? 1 : 0);
          await ofMerchant("events", isCustomer ? 1 : 0);
          await ofMerchant("webhooks", isCustomer ? 0 : 1);
          await receiver.close();
          return isCustomer ? "customer" : "webhook";
        },
      };
    },
  },
];
