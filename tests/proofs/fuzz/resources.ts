import assert from "node:assert/strict";
import {
  advanceClock,
  callApi,
  createRequest,
  getTransaction,
  ok,
  payOnce,
  type Shop,
} from "../../support/checkout.ts";
import { runSettlements, storedAccount } from "../../support/debits.ts";
import { DISPUTED, whenDisputed } from "../../support/disputes.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { payIdShop } from "../../support/payid.ts";
import { storedCard } from "../../support/stored-cards.ts";
import type { Facts } from "./facts.ts";
import type { Body } from "./fuzz-request.ts";

const HOLD = { captureType: "manual" };
const HELD = 4;
const DISPUTES = 4;
/** Disputes open so much later. */
const SECONDS = 5;

/** What requests may have changed, and valid ones need. */
export async function restoreAccount(shop: Shop, account: Body): Promise<void> {
  const { name, country, currencyCode, capabilities, allowedOrigins } = account;
  const surcharging = { enabled: false };
  const restored = { name, country, currencyCode, capabilities, allowedOrigins, surcharging };
  ok(await callApi(shop, "PUT", "/management/account", restored));
}

/**
 * Resources of every noun, which some operations need and none makes. The disputes of four payments open in the time that
 * follows; they are noted then.
 */
export async function makeSome(
  gateway: TestGateway,
  shop: Shop,
  facts: Facts,
): Promise<{ readonly disputed: Promise<unknown> }> {
  const pay = async (category: Readonly<Record<string, string>>) =>
    facts.note(await getTransaction(shop, (await payOnce(shop, { category })).transactionId));
  const store = async (storing: typeof storedCard | typeof storedAccount) => {
    const { id, paymentInstrumentId } = await storing(shop);
    facts.note({ id });
    const path = `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;
    facts.note(ok(await callApi(shop, "GET", path)));
  };
  const some = (count: number, make: () => Promise<void>) => Array.from({ length: count }, make);
  const disputed: string[] = [];
  await Promise.all([
    pay({}),
    ...some(HELD, () => pay(HOLD)),
    ...some(1 + HELD, async () => facts.note(await createRequest(shop))),
    store(storedCard),
    store(storedAccount),
    payIdShop(gateway, shop.key)
      .request()
      .then(({ body }) => facts.note(body)),
    ...some(DISPUTES, async () => {
      disputed.push((await payOnce(shop, { amount: DISPUTED })).transactionId);
    }),
  ]);
  const moved = { operationId: "advanceSandboxClock", method: "POST", path: "", params: {} };
  const answered = facts.sending({ ...moved, query: [], headers: {}, body: { seconds: SECONDS } });
  answered({ status: 200, body: await advanceClock(shop, SECONDS) });
  const opening = disputed.map(async (id) => facts.note(await whenDisputed(shop, id)));
  return { disputed: Promise.all(opening) };
}

/** The resources of another merchant, one of every noun at least. */
export async function makeEach(gateway: TestGateway, shop: Shop, facts: Facts): Promise<void> {
  const { disputed } = await makeSome(gateway, shop, facts);
  await disputed;
  const { transactionId } = await payOnce(shop);
  facts.note(ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, {})));
  const url = "https://127.0.0.1/a";
  facts.note(ok(await callApi(shop, "POST", "/webhooks", { event: "*", url })));
  await runSettlements(shop);
  for (const list of ["/payouts", "/events"]) facts.note(ok(await callApi(shop, "GET", list)));
  for (const [place, ids] of facts.ids) assert.ok(ids.length > 0, place);
}
