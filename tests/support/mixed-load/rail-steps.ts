import assert from "node:assert/strict";
import { callsTo } from "../calls.ts";
import { callApi, ok } from "../checkout.ts";
import { runSettlements, storedAccount } from "../debits.ts";
import { payIdShop } from "../payid.ts";
import { pick } from "../random.ts";
import { chargeOf } from "../stored-cards.ts";
import { allow, atOnce, type Lane, successes } from "./lane.ts";

async function debit(lane: Lane, amount: number): Promise<string> {
  const { at, random, counts, done } = lane;
  lane.account ??= await storedAccount(at());
  const { id } = ok(await callApi(at(), "POST", "/transactions", chargeOf(lane.account, { amount })));
  counts.payments += 1;
  done("debits", id);
  if (random() < 0.2) lane.account = undefined;
  return id;
}

/** Approved, declined, or approved and returned later. */
export async function directDebit(lane: Lane): Promise<void> {
  await debit(lane, pick(lane.random, [700, 11_001, 11_005]));
  if (lane.random() < 0.5) await runSettlements(lane.at());
}

export async function refundDebit(lane: Lane): Promise<void> {
  const { at, random, done } = lane;
  const id = await debit(lane, pick(random, [700, 700, 11_005]));
  await runSettlements(at());
  const refund = await callApi(at(), "POST", `/transactions/${id}/refunds`, { payment: { amount: 300 } });
  if (allow(refund, 200, 409).status === 200) done("debit refunds", refund.body.id);
}

export async function payByPayId({ at, random, counts, done }: Lane): Promise<void> {
  const shop = () => {
    const { baseUrl, key } = at();
    return payIdShop(callsTo(baseUrl), key);
  };
  const { id, payId: address } = await shop().request();
  const amounts = pick(random, [[3_000], [3_000, 3_000], [2_999], [3_001, 3_000]]);
  const answers = await atOnce(
    amounts.map((amount) => shop().send(address, amount)),
    200,
    // The PayID is not registered yet, or the request was closed.
    404,
    409,
    422,
  );
  const accepted = successes(answers).filter(({ body }) => body.status === "accepted");
  assert.ok(accepted.length <= 1, "two transfers paid one request");
  if (accepted.length === 1) {
    counts.payments += 1;
    done("PayID payments", id);
    const { transactionResult } = await shop().read(id);
    if (random() < 0.5) return;
    const refund = allow(await shop().refund(transactionResult.id, 500), 200, 409);
    if (refund.status === 200) done("PayID refunds", refund.body.id);
  } else if (random() < 0.5) {
    if (allow(await shop().cancel(id), 200, 409).status === 200) done("cancelled requests", id);
  }
}
