import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { AU_ACCOUNT } from "../../support/debits.ts";
import { chargeOf } from "../../support/stored-cards.ts";
import { at, command, commandOn, crashAfter, metadataOf, reference, tag } from "./command.ts";
import { type Model, where } from "./model.ts";
import { make, type Real, write } from "./real.ts";
import { settle } from "./settle.ts";

export const createCustomer = fc.record({ reference, tag, crashAfter }).map((input) =>
  command(`create customer ${JSON.stringify(input)}`, async (model, real) => {
    const body = {
      name: "Ann",
      email: "ann@example.com",
      reference: input.reference,
      ...metadataOf(input.tag),
    };
    const { crashAfter } = input;
    const { id } = await make(model, real, { method: "POST", path: "/customers", body, crashAfter });
    const { createdDateTime } = ok(await callApi(real.shop(), "GET", `/customers/${id}`));
    const facts = { reference: input.reference, metadata: input.tag, created: createdDateTime };
    model.customers.set(id, { name: "Ann", ...facts });
  }),
);

export const changeCustomer = fc.record({ at, reference, crashAfter }).map((input) =>
  commandOn(
    `change customer ${JSON.stringify(input)}`,
    ({ customers }) => customers,
    input.at,
    async (model, real, id, customer) => {
      const path = `/customers/${id}`;
      const body = { reference: input.reference };
      await make(model, real, { method: "PUT", path, body, crashAfter: input.crashAfter });
      model.customers.set(id, { ...customer, reference: input.reference });
      const read = ok(await callApi(real.shop(), "GET", path));
      const own = where(model.instruments, (one) => one.customerId === id && !one.isDeleted);
      assert.deepEqual([read.reference, read.count], [input.reference, own.size]);
    },
  ),
);

export const addAccount = fc.record({ at, reference, tag, crashAfter }).map((input) =>
  commandOn(
    `add account ${JSON.stringify(input)}`,
    ({ customers }) => customers,
    input.at,
    async (model, real, customerId) => {
      const path = `/customers/${customerId}/paymentinstruments`;
      const body = { bankAccount: AU_ACCOUNT, reference: input.reference, ...metadataOf(input.tag) };
      const { id } = await make(model, real, { method: "POST", path, body, crashAfter: input.crashAfter });
      await addInstrument(model, real, { id, customerId });
    },
  ),
);

/** Adds an instrument of the gateway to the model. */
export async function addInstrument(
  model: Model,
  real: Real,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<void> {
  const path = `/customers/${customerId}/paymentinstruments/${id}`;
  const { type, reference, metadata, createdDateTime: created } = ok(await callApi(real.shop(), "GET", path));
  const facts = { customerId, type, reference, metadata: metadata?.tag, created };
  model.instruments.set(id, { ...facts, isDeleted: false });
}

const kept = ({ instruments }: Readonly<Model>) => where(instruments, ({ isDeleted }) => !isDeleted);

/** A name, of a card or of an account: it is refused for the other type. */
export const changeInstrument = fc
  .record({ at, reference, tag, type: fc.constantFrom("card", "bank_account"), crashAfter })
  .map((input) =>
    commandOn(
      `change instrument ${JSON.stringify(input)}`,
      kept,
      input.at,
      async (model, real, id, instrument) => {
        const path = `/customers/${instrument.customerId}/paymentinstruments/${id}`;
        const name =
          input.type === "card" ? { card: { name: "Bo" } } : { bankAccount: { accountName: "Bo" } };
        const body = { reference: input.reference, metadata: {}, ...metadataOf(input.tag), ...name };
        const refused = input.type === instrument.type ? undefined : 400;
        const { crashAfter } = input;
        const changed = await write(model, real, { method: "PUT", path, body, crashAfter, refused });
        if (changed !== undefined)
          model.instruments.set(id, { ...instrument, reference: input.reference, metadata: input.tag });
        const read = ok(await callApi(real.shop(), "GET", path));
        const expected = model.instruments.get(id);
        assert.deepEqual([read.reference, read.metadata?.tag], [expected?.reference, expected?.metadata]);
      },
    ),
  );

export const deleteInstrument = fc.record({ at, crashAfter }).map((input) =>
  commandOn(`delete instrument ${JSON.stringify(input)}`, kept, input.at, async (model, real, id, one) => {
    const path = `/customers/${one.customerId}/paymentinstruments/${id}`;
    await make(model, real, { method: "DELETE", path, crashAfter: input.crashAfter });
    model.instruments.set(id, { ...one, isDeleted: true });
    assert.equal((await callApi(real.shop(), "GET", path)).status, 404);
    const stored = { id: one.customerId, paymentInstrumentId: id };
    const charged = await callApi(real.shop(), "POST", "/transactions", chargeOf(stored));
    assert.equal(charged.status, 400, "a deleted instrument cannot be charged");
    // Its debits that no bank has yet end by themselves.
    const debits = where(model.transactions, (t) => t.instrumentId === id && t.status === "pending");
    if (debits.size > 0) await settle(model, real);
  }),
);
