import { callApi, eventsOf, getTransaction, ok, type Shop } from "./checkout.ts";
import { eventually } from "./eventually.ts";
import { chargeOf, type Stored } from "./stored-cards.ts";

/** What a merchant in Australia has agreed with its bank about files. */
export const AU_AGREEMENT = {
  country: "AU",
  institution: "CBA",
  userName: "Tidewater Gym",
  userId: "301500",
  description: "DEBITS",
  bsb: "062000",
  account: "10203040",
  remitter: "TIDEWATER GYM",
  balanced: false,
};

export const AU_ACCOUNT = { accountName: "Jamie Lee", bsb: "062000", number: "98765432" };
export const NZ_ACCOUNT = { accountName: "Jamie Lee", number: "12-3140-0171323-50" };

/** Creates a customer with a bank account. */
export async function storedAccount(shop: Shop, bankAccount: object = AU_ACCOUNT): Promise<Stored> {
  const { id } = ok(
    await callApi(shop, "POST", "/customers", { name: "Jamie Lee", email: "jamie@example.com" }),
  );
  const path = `/customers/${id}/PaymentInstruments`;
  const { id: paymentInstrumentId } = ok(await callApi(shop, "POST", path, { bankAccount }));
  return { id, paymentInstrumentId };
}

/** Requests a debit; returns the answer, which is `pending`. */
export async function debit(shop: Shop, amount: number, stored?: Stored) {
  const account = stored ?? (await storedAccount(shop));
  return ok(await callApi(shop, "POST", "/transactions", chargeOf(account, { amount })));
}

export async function runSettlements(shop: Shop) {
  return ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
}

/** Waits until the transaction has that status. */
export async function whenStatus(shop: Shop, id: string, status: string) {
  return eventually(`${id} is ${status}`, async () => {
    const transaction = await getTransaction(shop, id);
    return transaction.result.status === status && transaction;
  });
}

/** Makes an approved debit; returns its id. */
export async function approvedDebit(shop: Shop, amount = 2500): Promise<string> {
  const { id } = await debit(shop, amount);
  await runSettlements(shop);
  await whenStatus(shop, id, "approved");
  return id;
}

/** The statuses that a transaction's events carry, in order. */
export async function publishedStatuses(shop: Shop, id: string): Promise<readonly string[]> {
  const events: readonly { payload: { result: { status: string } } }[] = await eventsOf(shop, id);
  return events.map(({ payload }) => payload.result.status);
}
