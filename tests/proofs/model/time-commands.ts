import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, getTransaction, ok } from "../../support/checkout.ts";
import { DISPUTED } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { assertTransaction, command, crashAfter } from "./command.ts";
import { count, DEBIT_RETURNED, type Model, type ModelDispute, refundable, where } from "./model.ts";
import type { Real } from "./real.ts";
import { assertRequest } from "./request-commands.ts";
import { afterSettlement, settle } from "./settle.ts";

export const runSettlements = crashAfter.map((after) =>
  command(`settle ${after ?? ""}`, (model, real) => settle(model, real, after)),
);

const DAY_MS = 24 * 60 * 60 * 1_000;

/** No two sums of these are the life of a request, of an authorisation or of a dispute: 1, 7 and 14 days. */
const DAYS = fc.constantFrom(5, 8);

/** The merchant's clock moves: requests and authorisations expire, debits are returned, disputes open and end. */
export const advance = DAYS.map((days) =>
  command(`advance ${days} days`, async (model, real) => {
    await settle(model, real);
    count(model, "calls");
    const seconds = (days * DAY_MS) / 1_000;
    const moved = ok(await callApi(real.shop(), "POST", "/sandbox/clock/advance", { seconds }));
    const now = Date.parse(moved.currentDateTime);
    const isOlder = ({ created }: { readonly created: string }, life: number) =>
      Date.parse(created) + life * DAY_MS <= now;
    for (const [id, request] of where(model.requests, (one) => one.status === "created" && isOlder(one, 1))) {
      model.requests.set(id, { ...request, status: "expired" });
      await assertRequest(model, real, id);
    }
    const expiring = where(
      model.transactions,
      (one) => one.captureStatus === "uncaptured" && isOlder(one, 7),
    );
    for (const [id, transaction] of expiring)
      model.transactions.set(id, { ...transaction, captureStatus: "expired" });
    const returning = where(
      model.transactions,
      (one) => one.status === "approved" && one.amount === DEBIT_RETURNED,
    );
    for (const [id, transaction] of returning) model.transactions.set(id, afterSettlement(transaction));
    for (const id of [...expiring.keys(), ...returning.keys()]) await untilAsModelled(model, real, id);
    await followDisputes(model, real, (dispute) => isOlder(dispute, 14));
  }),
);

/** The work of a moved clock is done within seconds. */
async function untilAsModelled(model: Model, real: Real, id: string): Promise<void> {
  const expected = model.transactions.get(id) ?? assert.fail();
  await eventually(`${id} is as the model says`, async () => {
    const { result, captureStatus } = await getTransaction(real.shop(), id);
    return result.status === expected.status && captureStatus === expected.captureStatus;
  });
  await assertTransaction(model, real, id);
}

/** Evidence is judged, a dispute without a response lapses, and a payment of that amount is disputed once. */
async function followDisputes(
  model: Model,
  real: Real,
  isOverdue: (dispute: ModelDispute) => boolean,
): Promise<void> {
  for (const [id, dispute] of model.disputes) {
    const { status, evidence } = dispute;
    const end = evidence === "win" ? "won" : "lost";
    const isEnding = status === "under_review" || (status === "needs_response" && isOverdue(dispute));
    if (!isEnding) continue;
    model.disputes.set(id, { ...dispute, status: end });
    await eventually(
      `the dispute ${id} is ${end}`,
      async () => ok(await callApi(real.shop(), "GET", `/disputes/${id}`)).status === end,
    );
  }
  const known = new Set([...model.disputes.values()].map(({ transactionId }) => transactionId));
  const disputed = where(
    model.transactions,
    (one, id) =>
      one.source === "card" && one.amount === DISPUTED && !known.has(id) && refundable(model, id) > 0,
  );
  for (const [transactionId, { reference, metadata }] of disputed) {
    const amount = refundable(model, transactionId);
    const opened = await eventually(`${transactionId} is disputed`, async () => {
      const path = `/disputes?transactionid=${transactionId}`;
      return ok(await callApi(real.shop(), "GET", path)).disputes[0];
    });
    assert.deepEqual([opened.status, opened.payment.amount], ["needs_response", amount]);
    const facts = { transactionId, amount, reference, metadata, created: opened.createdDateTime };
    model.disputes.set(opened.id, { ...facts, status: "needs_response" });
  }
}
