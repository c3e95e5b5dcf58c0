import assert from "node:assert/strict";
import type { Answer } from "./calls.ts";
import { openChallenging, payChallenged } from "./challenges.ts";
import {
  answerChallenge,
  type Frame,
  getRequest,
  getTransaction,
  ok,
  openFrameOn,
  type RequestOverrides,
  type Shop,
} from "./checkout.ts";
import { inSeconds, passExpiry, REQUEST_SECONDS } from "./deadline-races.ts";
import { eventually } from "./eventually.ts";
import { accepted, type Field, ownMerchant, passes, post, type Race, type Verb } from "./race.ts";
import { payOrRetry } from "./repeat-races.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";

/** The payer has 15 minutes for a challenge. */
const passChallenge = passes(15 * 60 + 1);

type Answered = {
  readonly requestId: string;
  readonly transactionId: string;
  /** The frame goes on after the challenge. */
  readonly goOn: Verb;
  readonly leave: Verb;
};

/** A payment whose payer has answered the bank's challenge. */
async function answered(
  shop: Shop,
  answer: "approve" | "fail",
  overrides: RequestOverrides = {},
): Promise<Answered> {
  return answeredIn(await openChallenging(shop, overrides), answer);
}

async function answeredIn(frame: Frame, answer: "approve" | "fail"): Promise<Answered> {
  const { transactionId, url, sealed } = await payChallenged(frame);
  ok(await answerChallenge(frame.shop, url, answer));
  return {
    requestId: frame.requestId,
    transactionId,
    goOn: (at) => frame.at(at).continue(sealed),
    leave: (at) => frame.at(at).abandon(),
  };
}

/** The same, and another frame of its request, opened before the payment began. */
async function answeredBeside(
  { near, far }: Field,
  answer: "approve" | "fail",
  overrides: RequestOverrides = {},
) {
  const frame = await openChallenging(near, overrides);
  const other = await openFrameOn(far, frame.requestId);
  return { attempt: await answeredIn(frame, answer), other };
}

const statesOf = (answers: readonly Answer[]) => accepted(answers).map(({ body }): string => body.state);

/** The payment's outcome once it has one; the frame was shown no other, and the acquirer was called for an approval alone. */
async function outcomeOf(
  { database }: Pick<Field, "database">,
  shop: Shop,
  { requestId, transactionId }: Answered,
  continued: readonly Answer[],
): Promise<"approved" | "declined"> {
  const { result, authentication } = await eventually(`${transactionId} has an outcome`, async () => {
    const transaction = await getTransaction(shop, transactionId);
    return transaction.result.status !== "pending" && transaction;
  });
  const isApproved = result.status === "approved";
  assert.equal(authentication.status === "authenticated", isApproved);
  const calls = await acquirerEntries(database, transactionId);
  assert.deepEqual(calls, isApproved ? ["authorisation"] : []);
  const { transactionResult } = await getRequest(shop, requestId);
  assert.equal(transactionResult?.id, isApproved ? transactionId : undefined);
  for (const state of statesOf(continued))
    assert.ok([result.status, "pending"].includes(state), `the frame shows ${state}, not ${result.status}`);
  return result.status;
}

export const CHALLENGE_RACES: readonly Race[] = [
  {
    name: "continue after 3D Secure, continue",
    prepare: async (field) => {
      const attempt = await answered(field.near, "approve");
      return {
        verbs: [attempt.goOn],
        check: async ([continued = []]) => {
          assert.equal(accepted(continued).length, continued.length);
          assert.ok(statesOf(continued).includes("approved"));
          assert.equal(await outcomeOf(field, field.far, attempt, continued), "approved");
        },
      };
    },
  },
  {
    name: "continue after 3D Secure, cancel",
    prepare: async (field) => {
      const attempt = await answered(field.near, "approve");
      return {
        verbs: [attempt.goOn, post(`/paymentrequests/${attempt.requestId}/cancel`)],
        check: async ([continued = [], cancelled = []]) => {
          // The request is locked from the payer's click to the outcome.
          for (const { status } of cancelled) assert.equal(status, 409);
          assert.equal(await outcomeOf(field, field.far, attempt, continued), "approved");
        },
      };
    },
  },
  {
    name: "continue after a failed 3D Secure with an attempt left, cancel",
    outcomes: ["created", "cancelled"],
    prepare: async (field) => {
      const attempt = await answered(field.near, "fail", { attempts: 2 });
      return {
        verbs: [attempt.goOn, post(`/paymentrequests/${attempt.requestId}/cancel`)],
        check: async ([continued = [], cancelled = []]) => {
          assert.equal(await outcomeOf(field, field.far, attempt, continued), "declined");
          const cancels = accepted(cancelled).length;
          assert.ok(cancels <= 1, "cancelled twice");
          const { paymentRequestStatus, transactionAttempts } = await getRequest(
            field.far,
            attempt.requestId,
          );
          assert.equal(paymentRequestStatus, cancels === 1 ? "cancelled" : "created");
          assert.deepEqual(
            transactionAttempts.map(({ id }: { id: string }) => id),
            [attempt.transactionId],
          );
          return paymentRequestStatus;
        },
      };
    },
  },
  {
    name: "continue after 3D Secure, leave",
    outcomes: ["approved", "declined"],
    prepare: async (field) => {
      const attempt = await answered(field.near, "approve");
      return {
        verbs: [attempt.goOn, attempt.leave],
        check: ([continued = []]) => outcomeOf(field, field.far, attempt, continued),
      };
    },
  },
  {
    name: "continue after 3D Secure, expire",
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const attempt = await answered(near, "approve", { expiryDateTime: inSeconds(REQUEST_SECONDS) });
      let isPast = false;
      return {
        verbs: [
          attempt.goOn,
          of(async (shop) => {
            // A second step would take the clock past the challenge, too.
            if (isPast) return;
            isPast = true;
            await passExpiry(shop);
          }),
        ],
        check: async ([continued = []]) => {
          // A payment that began before the expiry is finished.
          assert.equal(await outcomeOf(field, far, attempt, continued), "approved");
          assert.equal((await getRequest(far, attempt.requestId)).paymentRequestStatus, "completed");
        },
      };
    },
  },
  {
    name: "continue after 3D Secure, end of the challenge",
    outcomes: ["approved", "declined"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const attempt = await answered(near, "approve");
      return {
        verbs: [attempt.goOn, of(passChallenge)],
        check: async ([continued = []]) => {
          const outcome = await outcomeOf(field, far, attempt, continued);
          assert.equal((await getRequest(far, attempt.requestId)).paymentRequestStatus, "completed");
          return outcome;
        },
      };
    },
  },
  {
    name: "continue after 3D Secure, pay with another token",
    prepare: async (field) => {
      const { attempt, other } = await answeredBeside(field, "approve");
      return {
        verbs: [attempt.goOn, (shop) => other.at(shop).pay()],
        check: async ([continued = [], paid = []]) => {
          // The request is locked from the payer's click to the outcome, and paid then.
          for (const { status } of paid) assert.equal(status, 409);
          assert.equal(await outcomeOf(field, field.far, attempt, continued), "approved");
        },
      };
    },
  },
  {
    name: "continue after a failed 3D Secure with an attempt left, pay with another token",
    outcomes: ["locked", "paid"],
    prepare: async (field) => {
      const { attempt, other } = await answeredBeside(field, "fail", { attempts: 2 });
      return {
        verbs: [attempt.goOn, payOrRetry(other)],
        check: async ([continued = [], paid = []]) => {
          const [second, ...more] = accepted(paid);
          assert.deepEqual(more, [], "two payments with one attempt left");
          assert.equal((await getTransaction(field.far, attempt.transactionId)).result.status, "declined");
          for (const state of statesOf(continued)) assert.ok(["declined", "pending"].includes(state), state);
          if (second === undefined) {
            assert.equal((await getRequest(field.far, attempt.requestId)).paymentRequestStatus, "created");
            return "locked";
          }
          const { state, transactionId, challenge } = second.body;
          assert.equal(state, "challenge");
          ok(await answerChallenge(field.near, challenge.url, "approve"));
          assert.equal(ok(await other.at(field.near).continue(challenge.sealed)).state, "approved");
          const { paymentRequestStatus, transactionResult, transactionAttempts } = await getRequest(
            field.far,
            attempt.requestId,
          );
          assert.deepEqual([paymentRequestStatus, transactionResult.id], ["completed", transactionId]);
          assert.deepEqual(
            transactionAttempts.map(({ id }: { id: string }) => id),
            [attempt.transactionId],
          );
          return "paid";
        },
      };
    },
  },
];
