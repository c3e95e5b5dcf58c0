import assert from "node:assert/strict";
import type { Answer, Call, TestGateway } from "../../support/gateway.ts";

export const AU = { accountName: "Jamie Lee", bsb: "062000", number: "12345678" };
export const NZ = { accountName: "Jamie Lee", number: "12-3140-0171323-50" };

export const NO_CUSTOMER = "cus_01k0000000000aaaaaaaaaaaaaaaa";
export const NO_INSTRUMENT = "pi_01k0000000000aaaaaaaaaaaaaaaa";

/** Creates a customer of the sandbox merchant, or of the merchant whose key is given; returns its id. */
export async function newCustomer(gateway: TestGateway, call: Call = {}): Promise<string> {
  const made = await gateway.post("/customers", { name: "Jamie Lee", email: "jamie@example.com" }, call);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.id;
}

export function allOf(customer: string): string {
  return `/customers/${customer}/paymentinstruments`;
}

/** Sends a bank account to be stored. */
export function addAccount(
  gateway: TestGateway,
  customer: string,
  bankAccount: unknown = AU,
  call: Call = {},
): Promise<Answer> {
  return gateway.post(allOf(customer), { bankAccount }, call);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape.
export async function newAccount(gateway: TestGateway, customer: string, account: object = AU): Promise<any> {
  const made = await addAccount(gateway, customer, account);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
}

/** Every event of a resource, oldest first. */
export async function eventsOf(gateway: TestGateway, id: string) {
  return (await gateway.get(`/events?resourceid=${id}&limit=100`)).body.events.toReversed();
}

/** Counts of every row that a call about instruments could write. */
export async function rowsOf(gateway: TestGateway) {
  const [rows] = await gateway.database.rows(
    `select (select count(*) from payment_instruments) as instruments, (select count(*) from vault_secrets) as secrets,
       (select count(*) from events) as events, (select count(*) from idempotency_keys) as keys,
       (select max(updated_at) from payment_instruments) as changed`,
  );
  return rows;
}
