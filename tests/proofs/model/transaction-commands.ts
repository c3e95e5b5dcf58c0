import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, getTransaction, ok } from "../../support/checkout.ts";
import { DISPUTED } from "../../support/disputes.ts";
import { eventually } from "../../support/eventually.ts";
import { chargeOf } from "../../support/stored-cards.ts";
import { assertTransaction, at, commandOn, crashAfter, metadataOf, reference, tag } from "./command.ts";
import {
  CREDIT_DECLINED,
  CURRENCIES,
  DEBIT_DECLINED,
  DEBIT_RETURNED,
  decided,
  outcomeOf,
  refundable,
  where,
} from "./model.ts";
import { write } from "./real.ts";

const CHARGED = {
  card: [700, 14_405, 20_000, DISPUTED],
  bank_account: [700, DEBIT_DECLINED, DEBIT_RETURNED, 20_000],
} as const;

/** A card is charged at once, in either currency; a debit is pending until it settles, and cannot wait for a capture. */
export const charge = fc
  .record({
    at,
    amount: fc.nat({ max: 3 }),
    currency: fc.constantFrom(...CURRENCIES),
    isManual: fc.boolean(),
    reference,
    tag,
    crashAfter,
  })
  .map((input) =>
    commandOn(
      `charge ${JSON.stringify(input)}`,
      ({ instruments }) => where(instruments, ({ isDeleted }) => !isDeleted),
      input.at,
      async (model, real, instrumentId, { customerId, type }) => {
        const { isManual, reference, crashAfter } = input;
        const isCard = type === "card";
        const amount = CHARGED[type][input.amount] ?? 700;
        const category = { captureType: isManual ? "manual" : "auto" };
        const stored = { id: customerId, paymentInstrumentId: instrumentId };
        const currency = isCard ? input.currency : "AUD";
        const charged = { amount, currencyCode: currency, reference, category };
        const body = { ...chargeOf(stored, charged), ...metadataOf(input.tag) };
        const isOff = !isCard && !model.account.directDebit;
        const refused = isManual && !isCard ? 400 : isOff ? 403 : undefined;
        const path = "/transactions";
        const made = await write(model, real, { method: "POST", path, body, crashAfter, refused });
        if (made === undefined) return;
        const { id } = made;
        const { createdDateTime: created, result } = await eventually(
          "the charge has its outcome",
          async () => {
            const read = await getTransaction(real.shop(), id);
            return !isCard || read.result.status !== "pending" ? read : undefined;
          },
        );
        const { status } = result;
        const expected = isCard ? outcomeOf(amount) : "pending";
        // A charge that did not reach the acquirer is declined.
        if (crashAfter === undefined || status !== "declined") assert.equal(status, expected);
        const facts = { reference, metadata: input.tag, created, customerId, instrumentId };
        const source = isCard ? "card" : "direct_debit";
        model.transactions.set(id, decided({ ...facts, source, amount, currency, isManual }, status));
        await assertTransaction(model, real, id);
      },
    ),
  );

/** Up to what was authorised, once. The sandbox declines a capture by its own amount: then nothing changes. */
export const captureOrVoid = fc
  .record({
    at,
    verb: fc.constantFrom("capture", "cancel"),
    less: fc.constantFrom(-1, 0, 1, 39, 50),
    crashAfter,
  })
  .map((input) =>
    commandOn(
      `${input.verb} ${JSON.stringify(input)}`,
      ({ transactions }) => transactions,
      input.at,
      async (model, real, id, transaction) => {
        const isCapture = input.verb === "capture";
        const amount = transaction.amount - input.less;
        const body = isCapture ? { payment: { amount } } : undefined;
        const path = `/transactions/${id}/${input.verb}`;
        const isOpen = transaction.captureStatus === "uncaptured";
        const refused = isOpen && (!isCapture || input.less >= 0) ? undefined : 409;
        const { crashAfter } = input;
        const done = await write(model, real, { method: "POST", path, body, crashAfter, refused });
        if (done !== undefined && !isCapture)
          model.transactions.set(id, { ...transaction, captureStatus: "voided" });
        if (done !== undefined && isCapture && outcomeOf(amount) === "approved")
          model.transactions.set(id, { ...transaction, captureStatus: "captured", captured: amount });
        await assertTransaction(model, real, id);
      },
    ),
  );

/** Of any transaction: by card, debit or PayID. It is pending until it settles. */
export const refund = fc
  .record({
    at,
    amount: fc.constantFrom(1, 60, 2_990, 5_000, CREDIT_DECLINED, 14_405),
    reference,
    tag,
    crashAfter,
  })
  .map((input) =>
    commandOn(
      `refund ${JSON.stringify(input)}`,
      ({ transactions }) => transactions,
      input.at,
      async (model, real, transactionId) => {
        const { amount, reference, crashAfter } = input;
        const path = `/transactions/${transactionId}/refunds`;
        const body = { reference, payment: { amount }, ...metadataOf(input.tag) };
        const refused = amount <= refundable(model, transactionId) ? undefined : 409;
        const made = await write(model, real, { method: "POST", path, body, crashAfter, refused });
        if (made === undefined) return;
        const read = ok(await callApi(real.shop(), "GET", `/refunds/${made.id}`));
        for (const same of [`/transactions/${made.id}`, `${path}/${made.id}`])
          assert.deepEqual(ok(await callApi(real.shop(), "GET", same)), read);
        assert.deepEqual([read.payment.amount, read.result.status], [amount, "pending"]);
        const facts = { transactionId, amount, reference, metadata: input.tag };
        model.refunds.set(made.id, { ...facts, created: read.createdDateTime, status: "pending" });
        await assertTransaction(model, real, transactionId);
      },
    ),
  );

/** Evidence "win" wins. Each dispute takes one response. */
export const respond = fc
  .record({ at, evidence: fc.constantFrom("win", "a receipt", undefined), crashAfter })
  .map((input) =>
    commandOn(
      `respond ${JSON.stringify(input)}`,
      ({ disputes }) => disputes,
      input.at,
      async (model, real, id, dispute) => {
        const { evidence, crashAfter } = input;
        const path = `/disputes/${id}/${evidence === undefined ? "accept" : "evidence"}`;
        const body = evidence === undefined ? undefined : { text: evidence };
        const refused = dispute.status === "needs_response" ? undefined : 409;
        const done = await write(model, real, { method: "POST", path, body, crashAfter, refused });
        if (done !== undefined && evidence === undefined)
          model.disputes.set(id, { ...dispute, status: "accepted" });
        if (done !== undefined && evidence !== undefined)
          model.disputes.set(id, { ...dispute, status: "under_review", evidence });
        const { status } = ok(await callApi(real.shop(), "GET", `/disputes/${id}`));
        assert.equal(status, model.disputes.get(id)?.status);
      },
    ),
  );
