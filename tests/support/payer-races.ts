import assert from "node:assert/strict";
import { assertRefused } from "./answers.ts";
import type { Answer } from "./calls.ts";
import { openChallenging, payChallenged } from "./challenges.ts";
import {
  answerChallenge,
  eventsOf,
  type Frame,
  getRequest,
  getTransaction,
  ok,
  openFrameOn,
  problemsOf,
  type Shop,
} from "./checkout.ts";
import { publishedStatuses } from "./debits.ts";
import { accepted, type Field, LAG_MS, onlyOne, post, type Race } from "./race.ts";
import { payOrRetry } from "./repeat-races.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";
import { openFrameFor, paySaved, removeSaved } from "./saved-cards.ts";
import { storedCard } from "./stored-cards.ts";
import { createSandboxToken, openWalletFrame, sendToken } from "./wallets.ts";

const SAVED_CARD_REFUSED = ["V11643 /savedCard/id"];

/** A payment that waits for its challenge, with an attempt left, and another frame of its request. */
async function challengedBeside({ near, far }: Field) {
  const frame = await openChallenging(near, { attempts: 2 });
  const other = await openFrameOn(far, frame.requestId);
  const { transactionId } = await payChallenged(frame);
  return { requestId: frame.requestId, transactionId, other, leave: (at: Shop) => frame.at(at).abandon() };
}

type Left = { readonly requestId: string; readonly transactionId: string };

/** The attempt ended once, unseen by the acquirer, and its request counts it once. */
async function assertLeft(
  { database, far }: Field,
  { requestId, transactionId }: Left,
  left: readonly Answer[],
) {
  for (const answer of left) ok(answer);
  const { result, authentication } = await getTransaction(far, transactionId);
  assert.deepEqual([result.status, authentication.status], ["declined", "abandoned"]);
  assert.deepEqual(await publishedStatuses(far, transactionId), ["pending", "declined"]);
  assert.deepEqual(await acquirerEntries(database, transactionId), []);
  const request = await getRequest(far, requestId);
  assert.deepEqual(
    request.transactionAttempts.map(({ id }: { id: string }) => id),
    [transactionId],
  );
  return request;
}

const LEAVE_RACES: readonly Race[] = [
  {
    name: "leave a 3D Secure challenge, leave it",
    prepare: async (field) => {
      const { leave, other, ...attempt } = await challengedBeside(field);
      return {
        verbs: [leave],
        check: async ([left = []]) => {
          const { paymentRequestStatus } = await assertLeft(field, attempt, left);
          assert.equal(paymentRequestStatus, "created");
          // One attempt was used, not more: the other one is left.
          assert.equal(ok(await other.pay()).state, "challenge");
        },
      };
    },
  },
  {
    name: "leave a 3D Secure challenge, cancel",
    outcomes: ["created", "cancelled"],
    prepare: async (field) => {
      const { leave, ...attempt } = await challengedBeside(field);
      const cancel = post(`/paymentrequests/${attempt.requestId}/cancel`);
      return {
        verbs: [leave, cancel],
        check: async ([left = [], cancelled = []]) => {
          const cancels = accepted(cancelled).length;
          assert.ok(cancels <= 1, "cancelled twice");
          const { paymentRequestStatus } = await assertLeft(field, attempt, left);
          assert.equal(paymentRequestStatus, cancels === 1 ? "cancelled" : "created");
          // Once the payer has left, nothing locks the request.
          assert.equal((await cancel(field.near)).status, cancels === 1 ? 409 : 200);
          const events: { payload: { paymentRequestStatus: string } }[] = await eventsOf(
            field.far,
            attempt.requestId,
          );
          const ends = events.map(({ payload }) => payload.paymentRequestStatus);
          assert.deepEqual(ends, ["created", "created", "cancelled"]);
          return paymentRequestStatus;
        },
      };
    },
  },
  {
    name: "leave a 3D Secure challenge, pay with another token",
    outcomes: ["locked", "paid"],
    prepare: async (field) => {
      const { leave, other, ...attempt } = await challengedBeside(field);
      return {
        verbs: [leave, payOrRetry(other)],
        check: async ([left = [], paid = []]) => {
          const [second, ...more] = accepted(paid);
          assert.deepEqual(more, [], "two payments with one attempt left");
          const { paymentRequestStatus } = await assertLeft(field, attempt, left);
          assert.equal(paymentRequestStatus, "created");
          const { state, transactionId, challenge } = second?.body ?? ok(await other.pay());
          assert.equal(state, "challenge");
          ok(await answerChallenge(field.near, challenge.url, "approve"));
          assert.equal(ok(await other.at(field.near).continue(challenge.sealed)).state, "approved");
          const { transactionResult } = await getRequest(field.far, attempt.requestId);
          assert.equal(transactionResult.id, transactionId);
          return second === undefined ? "locked" : "paid";
        },
      };
    },
  },
];

/** The payer removes a saved card that is being paid with; `beside`: in the checkout of another request. */
function removingSavedCard(name: string, beside: boolean): Race {
  return {
    name,
    lagMs: LAG_MS,
    outcomes: ["paid first", "removed first"],
    prepare: async ({ database, near, far }) => {
      const { id, paymentInstrumentId: card } = await storedCard(near);
      const open = (shop: Shop) => openFrameFor(shop, id, { customerRequest: { allowRemoval: true } });
      const paying = await open(near);
      const removing = beside ? await open(far) : paying;
      return {
        verbs: [(shop) => paySaved(paying.at(shop), card), (shop) => removeSaved(removing.at(shop), card)],
        check: async ([paid = [], removed = []]) => {
          const [payment, ...more] = accepted(paid);
          assert.deepEqual(more, [], "one token paid twice");
          const removals = accepted(removed).length;
          // What is paid has ended, so that nothing is removed in its checkout; another one is open still.
          assert.equal(removals, beside || payment === undefined ? removed.length : 0);
          const request = await getRequest(far, paying.requestId);
          assert.equal(request.paymentRequestStatus, payment === undefined ? "created" : "completed");
          assert.equal(request.transactionResult?.id, payment?.body.transactionId);
          if (payment === undefined) {
            assert.equal(request.transactionAttempts, undefined);
            for (const answer of paid) assert.deepEqual(problemsOf(answer), SAVED_CARD_REFUSED);
          } else {
            assert.equal(payment.body.state, "approved");
            assert.deepEqual(await acquirerEntries(database, payment.body.transactionId), ["authorisation"]);
          }
          const again = await paySaved(await open(far), card);
          if (removals === 0) assert.equal(ok(again).state, "approved");
          else assert.deepEqual(problemsOf(again), SAVED_CARD_REFUSED);
          return payment === undefined ? "removed first" : "paid first";
        },
      };
    },
  };
}

const WALLET_RACE: Race = {
  name: "pay with a wallet's token, pay another request with it",
  outcomes: ["first", "second"],
  prepare: async ({ database, near, far }) => {
    const one = await openWalletFrame(near);
    const other = await openWalletFrame(far);
    const token = await createSandboxToken(one, "google_pay");
    const pay = (frame: Frame) => (shop: Shop) => sendToken(frame.at(shop), "google_pay", token);
    return {
      verbs: [pay(one), pay(other)],
      check: async ([first = [], second = []]) => {
        onlyOne(first, second);
        const [paid, unpaid, replays] =
          accepted(first).length === 1 ? [one, other, second] : [other, one, first];
        for (const answer of replays) assertRefused(answer, 409, ["V11624", "/wallet/token"]);
        const { paymentRequestStatus, transactionResult } = await getRequest(far, paid.requestId);
        assert.equal(paymentRequestStatus, "completed");
        assert.deepEqual(await acquirerEntries(database, transactionResult.id), ["authorisation"]);
        const request = await getRequest(far, unpaid.requestId);
        assert.deepEqual([request.paymentRequestStatus, request.transactionAttempts], ["created", undefined]);
        // The refused replays have not used up the other checkout.
        const fresh = await createSandboxToken(unpaid, "google_pay");
        assert.equal(ok(await sendToken(unpaid.at(near), "google_pay", fresh)).state, "approved");
        return paid === one ? "first" : "second";
      },
    };
  },
};

/** What a payer does in one place while something else is done with the same thing. */
export const PAYER_RACES: readonly Race[] = [
  ...LEAVE_RACES,
  removingSavedCard("pay with a saved card, remove it", false),
  removingSavedCard("pay with a saved card, remove it in another checkout", true),
  WALLET_RACE,
];
