import assert from "node:assert/strict";
import { callApi, eventsOf, getTransaction, ok } from "./checkout.ts";
import { debit, publishedStatuses, runSettlements, storedAccount, whenStatus } from "./debits.ts";
import { eventually } from "./eventually.ts";
import { accepted, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { bankEntries } from "./sandbox-ledger.ts";
import { chargeOf, type Stored } from "./stored-cards.ts";

/** The amount of a debit that is returned by the second settlement run. */
const RETURNED = 11_005;

type RefundRecord = { readonly result: { readonly status: string } };

const pathOf = ({ id, paymentInstrumentId }: Stored) =>
  `/customers/${id}/paymentinstruments/${paymentInstrumentId}`;

export const INSTRUMENT_RACES: readonly Race[] = [
  {
    name: "debit, delete the account",
    outcomes: ["approved", "declined"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const stored = await storedAccount(near);
      const charge = chargeOf(stored, { amount: 700 });
      // It is on its way to the bank when the race begins.
      const { id: earlier } = await debit(near, 700, stored);
      return {
        verbs: [of(post("/transactions", charge)), of((shop) => callApi(shop, "DELETE", pathOf(stored)))],
        check: async ([debited = [], deleted = []]) => {
          onlyOne(deleted);
          assert.equal((await callApi(far, "POST", "/transactions", charge)).status, 400);
          await runSettlements(far);
          const ends: string[] = [];
          for (const id of [earlier, ...accepted(debited).map(({ body }): string => body.id)]) {
            const { result } = await eventually(`${id} has an outcome`, async () => {
              const transaction = await getTransaction(far, id);
              return transaction.result.status !== "pending" && transaction;
            });
            const entries = await bankEntries(field.database, id);
            if (result.status === "approved") assert.deepEqual(entries, ["debit", "settlement"]);
            else assert.deepEqual([result.codes[0].id, entries], ["D10001", []]);
            assert.deepEqual(await publishedStatuses(far, id), ["pending", result.status]);
            ends.push(result.status);
          }
          return [...new Set(ends)].toSorted().join(" and ");
        },
      };
    },
  },
  {
    name: "refund of a debit, return of the debit",
    outcomes: ["0 refunds, 0 paid", "1 refunds, 0 paid"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const { id } = await debit(near, RETURNED);
      await runSettlements(near);
      await whenStatus(near, id, "approved");
      const refund = post(`/transactions/${id}/refunds`, { payment: { amount: 5_000 } });
      return {
        verbs: [of(runSettlements), of(refund)],
        check: async ([, refunded = []]) => {
          assert.ok(accepted(refunded).length <= 2, `3 of 5000 exceed ${RETURNED}`);
          const { payment } = await whenStatus(far, id, "declined");
          assert.equal(payment.capturedAmount, 0);
          assert.equal((await refund(far)).status, 409, "a returned debit is refunded");
          await runSettlements(far);
          const { refunds } = ok(await callApi(far, "GET", `/transactions/${id}/refunds`));
          const statuses: string[] = refunds.map((one: RefundRecord) => one.result.status);
          // The bank has returned the debit: it pays a refund only if that was sent before.
          for (const status of statuses) assert.ok(["approved", "declined"].includes(status), status);
          assert.equal(statuses.length, accepted(refunded).length);
          const paid = statuses.filter((status) => status === "approved").length;
          assert.equal((await getTransaction(far, id)).payment.refundedAmount, 5_000 * paid);
          assert.deepEqual(await publishedStatuses(far, id), ["pending", "approved", "declined"]);
          assert.deepEqual(await bankEntries(field.database, id), ["debit", "settlement", "return"]);
          return `${statuses.length} refunds, ${paid} paid`;
        },
      };
    },
  },
  {
    name: "change an instrument, delete it",
    outcomes: ["deleted first", "changed first"],
    prepare: async ({ near, far, name }) => {
      const stored = await storedAccount(near);
      let changes = 0;
      return {
        verbs: [
          (shop) => {
            changes += 1;
            return callApi(shop, "PUT", pathOf(stored), { reference: `${name}-${changes}` });
          },
          (shop) => callApi(shop, "DELETE", pathOf(stored)),
        ],
        check: async ([changed = [], deleted = []]) => {
          onlyOne(deleted);
          const refused = [...changed, ...deleted].filter(({ status }) => status !== 200);
          for (const { status } of refused) assert.equal(status, 404);
          assert.equal((await callApi(far, "GET", pathOf(stored))).status, 404);
          const events: { payload: { reference: string; deletedDateTime?: string } }[] = await eventsOf(
            far,
            stored.paymentInstrumentId,
          );
          const ends = events.map(({ payload }) => payload.deletedDateTime !== undefined);
          assert.equal(ends.indexOf(true), ends.length - 1, "a change was published after the deletion");
          assert.deepEqual(
            events
              .slice(1, -1)
              .map(({ payload }) => payload.reference)
              .toSorted(),
            accepted(changed)
              .map(({ body }): string => body.reference)
              .toSorted(),
          );
          assert.equal(events.at(-1)?.payload.reference, events.at(-2)?.payload.reference);
          ok(await callApi(far, "GET", `/customers/${stored.id}`));
          return accepted(changed).length === 0 ? "deleted first" : "changed first";
        },
      };
    },
  },
];
