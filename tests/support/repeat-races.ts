import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import type { Answer } from "./calls.ts";
import {
  CARD,
  callApi,
  callFrame,
  createRequest,
  eventsOf,
  type Frame,
  getRequest,
  getTransaction,
  initialise,
  ok,
  openFrame,
  openFrameOn,
  payOnce,
  type Shop,
} from "./checkout.ts";
import { SETTLEMENT_SECONDS } from "./deadline-races.ts";
import { disputeOf } from "./disputes.ts";
import { accepted, MANUAL, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";
import { chargeOf, storedCard } from "./stored-cards.ts";

const ATTEMPTS = 3;
const DECLINED = 14_405;
/** Declined at the first attempt, approved at the next. */
const DECLINED_ONCE = 14_419;

/** Pays, and after a decline once more, as a payer's frame does. */
export const payOrRetry = (frame: Frame) => async (shop: Shop) => {
  const here = frame.at(shop);
  const { transactionId } = (await here.outcome()).body;
  return here.pay(transactionId === undefined ? {} : { previousTransactionId: transactionId });
};

/** Two frames of one request with attempts left; a payer in each pays again and again. */
function withAttemptsLeft(name: string, amount: number): Race {
  const allowed = amount === DECLINED ? ATTEMPTS : 2;
  return {
    name,
    outcomes: Array.from({ length: allowed }, (_, index) => `${index + 1} attempts`),
    // One attempt: every call comes before the first decline, although those of one frame start up to 400 ms later.
    ...(amount === DECLINED_ONCE && { rarestPercent: 0.3 }),
    prepare: async ({ database, near, far }) => {
      const one = await openFrame(near, { amount, attempts: ATTEMPTS });
      const other = await openFrameOn(far, one.requestId);
      return {
        verbs: [payOrRetry(one), payOrRetry(other)],
        check: async (answers) => {
          const made = accepted(answers.flat());
          assert.ok(made.length >= 1 && made.length <= allowed, `${made.length} attempts`);
          const request = await getRequest(near, one.requestId);
          const declined = made.filter(({ body }) => body.state === "declined");
          const approved = made.filter(({ body }) => body.state === "approved");
          assert.deepEqual(approved.length, amount === DECLINED_ONCE && made.length === 2 ? 1 : 0);
          assert.deepEqual(
            request.transactionAttempts.map(({ id }: { id: string }) => id).toSorted(),
            declined.map(({ body }): string => body.transactionId).toSorted(),
          );
          assert.equal(request.transactionResult?.id, approved[0]?.body.transactionId);
          assert.equal(request.paymentRequestStatus, made.length === allowed ? "completed" : "created");
          for (const { body } of made)
            assert.deepEqual(await acquirerEntries(database, body.transactionId), ["authorisation"]);
          return `${made.length} attempts`;
        },
      };
    },
  };
}

/** Exactly one call succeeds. All others, and a later one, learn of it. */
async function assertOneOfKey(
  answers: readonly Answer[],
  again: () => Promise<Answer>,
  idOf: (winner: Answer) => string,
): Promise<string> {
  onlyOne(answers);
  const [winner] = accepted(answers);
  assert.ok(winner);
  const id = idOf(winner);
  for (const answer of [...answers.filter((one) => one !== winner), await again()]) {
    assertRefused(answer, 409, "V10018");
    assert.ok([null, id].includes(answer.body.original.id), "the key names another resource");
  }
  const { original } = (await again()).body;
  assert.deepEqual([original.status, original.id], ["done", id]);
  return id;
}

const withKey = (key: string, path: string, body?: object) => (shop: Shop) =>
  callApi({ ...shop, headers: { "x-idempotency-key": key } }, "POST", path, body);

export const REPEAT_RACES: readonly Race[] = [
  {
    name: "capture, refund",
    outcomes: ["0 refunds", "1 refunds"],
    prepare: async ({ near, far }) => {
      const { transactionId } = await payOnce(near, MANUAL);
      const path = `/transactions/${transactionId}`;
      return {
        verbs: [
          post(`${path}/capture`, { payment: { amount: 2_000 } }),
          post(`${path}/refunds`, { payment: { amount: 900 } }),
        ],
        check: async ([captured = [], refunded = []]) => {
          onlyOne(captured);
          const refunds = accepted(refunded).length;
          assert.ok(refunds <= 2, "3 of 900 exceed 2000");
          assert.equal((await getTransaction(far, transactionId)).payment.capturedAmount, 2_000);
          assert.equal(ok(await callApi(far, "GET", `${path}/refunds`)).count, refunds);
          const over = await callApi(far, "POST", `${path}/refunds`, {
            payment: { amount: 2_001 - 900 * refunds },
          });
          assert.equal(over.status, 409, "more than was captured is refunded");
          return `${refunds} refunds`;
        },
      };
    },
  },
  withAttemptsLeft("pay with attempts left, pay: all declined", DECLINED),
  withAttemptsLeft("pay with attempts left, pay: the second approved", DECLINED_ONCE),
  {
    name: "charge, charge with one idempotency key",
    prepare: async ({ database, near, far, name }) => {
      const charge = chargeOf(await storedCard(near), { reference: name });
      const verb = withKey(name, "/transactions", charge);
      return {
        verbs: [verb],
        check: async ([charged = []]) => {
          const id = await assertOneOfKey(
            charged,
            () => verb(far),
            ({ body }) => body.id,
          );
          assert.equal(ok(await callApi(far, "GET", `/transactions?reference=${name}`)).count, 1);
          assert.deepEqual(await acquirerEntries(database, id), ["authorisation"]);
        },
      };
    },
  },
  {
    name: "refund, refund with one idempotency key",
    prepare: async ({ near, far, name }) => {
      const { transactionId } = await payOnce(near);
      const path = `/transactions/${transactionId}/refunds`;
      const verb = withKey(name, path, { payment: { amount: 1_000 } });
      return {
        verbs: [verb],
        check: async ([refunded = []]) => {
          const id = await assertOneOfKey(
            refunded,
            () => verb(far),
            (winner) => winner.body.id,
          );
          const { refunds } = ok(await callApi(far, "GET", path));
          assert.deepEqual(
            refunds.map((one: { id: string }) => one.id),
            [id],
          );
        },
      };
    },
  },
  {
    name: "capture, capture with one idempotency key",
    prepare: async ({ database, near, far, name }) => {
      const { transactionId } = await payOnce(near, MANUAL);
      const verb = withKey(name, `/transactions/${transactionId}/capture`, { payment: { amount: 1_000 } });
      return {
        verbs: [verb],
        check: async ([captured = []]) => {
          await assertOneOfKey(
            captured,
            () => verb(far),
            () => transactionId,
          );
          assert.equal((await getTransaction(far, transactionId)).payment.capturedAmount, 1_000);
          assert.deepEqual(await acquirerEntries(database, transactionId), ["authorisation", "capture"]);
        },
      };
    },
  },
  {
    name: "void, void with one idempotency key",
    prepare: async ({ database, near, far, name }) => {
      const { transactionId } = await payOnce(near, MANUAL);
      const verb = withKey(name, `/transactions/${transactionId}/cancel`);
      return {
        verbs: [verb],
        check: async ([voided = []]) => {
          await assertOneOfKey(
            voided,
            () => verb(far),
            () => transactionId,
          );
          assert.equal((await getTransaction(far, transactionId)).captureStatus, "voided");
          assert.deepEqual(await acquirerEntries(database, transactionId), ["authorisation", "reversal"]);
        },
      };
    },
  },
  {
    name: "send evidence, send evidence with one idempotency key",
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const dispute = await disputeOf(near, {}, SETTLEMENT_SECONDS);
      const verb = of(withKey(field.name, `/disputes/${dispute.id}/evidence`, { text: "win" }));
      return {
        verbs: [verb],
        check: async ([sent = []]) => {
          await assertOneOfKey(
            sent,
            () => verb(far),
            ({ body }) => body.id,
          );
          const statuses = (await eventsOf(far, dispute.id)).map(
            ({ payload }: { payload: { status: string } }) => payload.status,
          );
          assert.deepEqual(statuses, ["needs_response", "under_review"]);
        },
      };
    },
  },
  {
    name: "create a token, create a token with one idempotency key",
    prepare: async ({ near, far, name }) => {
      const { id } = await createRequest(near);
      const verb = withKey(name, "/tokens", { scope: "payui", paymentRequestId: id });
      return {
        verbs: [verb],
        check: async ([made = []]) => {
          onlyOne(made);
          const [winner] = accepted(made);
          const again = await verb(far);
          for (const answer of [...made.filter((one) => one !== winner), again])
            assertRefused(answer, 409, "V10018");
          assert.equal(again.body.original.status, "done");
          // The secret is answered once; the token that it names pays.
          const { session, payment } = ok(await initialise(far, winner?.body.token));
          const frame = { method: "card", card: CARD, total: payment.amount, consent: false };
          assert.equal(ok(await callFrame(near, "/checkout/pay", frame, session)).state, "approved");
        },
      };
    },
  },
];
