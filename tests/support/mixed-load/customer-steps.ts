import assert from "node:assert/strict";
import { callApi, getRequest, payOnce } from "../checkout.ts";
import { newCustomer } from "../saved-cards.ts";
import { chargeOf, type Stored } from "../stored-cards.ts";
import { allow, atOnce, type Lane } from "./lane.ts";

/** Stores a card by a payment or a verification. Undefined when it was declined, or when its outcome is not known yet. */
async function storeCard({ at, random, done }: Lane): Promise<Stored | undefined> {
  const shop = at();
  const options = {
    customerRequest: { paymentInstrument: "create" },
    ...(random() < 0.5 ? { amount: 0 } : {}),
  };
  const { requestId, paid } = await payOnce(shop, options, { consent: true });
  const { customerResult } = await getRequest(shop, requestId);
  if (paid.state === "approved") assert.ok(customerResult, "an approved payment did not store its card");
  if (paid.state === "declined")
    assert.equal(customerResult, undefined, "a declined payment stored its card");
  // A payment without an outcome may have been approved by now.
  if (customerResult === undefined) return undefined;
  done("stored cards", customerResult.paymentInstrumentId);
  return { id: customerResult.id, paymentInstrumentId: customerResult.paymentInstrumentId };
}

export async function chargeStoredCard(lane: Lane): Promise<void> {
  const { at, random, counts, done } = lane;
  const stored = lane.card ?? (await storeCard(lane));
  if (stored === undefined) return;
  const charged = await callApi(at(), "POST", "/transactions", chargeOf(stored));
  const { result, id } = allow(charged, 200).body;
  counts.payments += 1;
  if (result.status === "approved") done("charges of stored cards", id);
  lane.card = random() < 0.8 ? stored : undefined;
}

/** Deletes a card while it is charged. */
export async function deleteCard(lane: Lane): Promise<void> {
  const { at, counts, done } = lane;
  const stored = lane.card ?? (await storeCard(lane));
  lane.card = undefined;
  if (stored === undefined) return;
  const path = `/customers/${stored.id}/paymentinstruments/${stored.paymentInstrumentId}`;
  const [deleted, charged] = await atOnce(
    [callApi(at(), "DELETE", path), callApi(at(), "POST", "/transactions", chargeOf(stored))],
    200,
    // The instrument is gone.
    400,
    404,
    409,
    422,
  );
  if (deleted !== undefined) {
    assert.equal(deleted.status, 200, JSON.stringify(deleted.body));
    done("deleted cards", stored.paymentInstrumentId);
  }
  if (charged?.status !== 200) return;
  counts.payments += 1;
  if (charged.body.result.status === "approved") done("charges of stored cards", charged.body.id);
}

/** Changes a customer in two ways at once, then once more. */
export async function changeCustomer({ at, random, done }: Lane): Promise<void> {
  const id = await newCustomer(at());
  const change = (body: object) => callApi(at(), "PUT", `/customers/${id}`, body);
  await atOnce([change({ name: "Ana Silva-Lee" }), change({ email: "ana.silva@example.com" })], 200);
  const name = `Ana ${Math.floor(random() * 2 ** 32)}`;
  allow(await change({ name }), 200);
  done("changed customers", `${id} ${name}`);
}
