import assert from "node:assert/strict";
import { callsTo } from "./calls.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  getRequest,
  getTransaction,
  ok,
  payOnce,
  type Shop,
} from "./checkout.ts";
import { disputeOf, whenDisputeIs } from "./disputes.ts";
import { eventually } from "./eventually.ts";
import { DAY_SECONDS, payIdShop } from "./payid.ts";
import { accepted, MANUAL, ownMerchant, passes, post, type Race } from "./race.ts";
import { CLOCK_LAG_MS, type RaceOptions } from "./run-races.ts";
import { acquirerEntries } from "./sandbox-ledger.ts";

/** The delay of the sandbox's banks at the nodes of these races: what is asynchronous happens when a race makes it happen. */
export const SETTLEMENT_SECONDS = 600;

export const WITH_DEADLINES: RaceOptions = {
  environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(SETTLEMENT_SECONDS) },
  lagMs: CLOCK_LAG_MS,
};

/** A race begins so long before its deadline, on the merchant's clock. */
const BEFORE_SECONDS = 60;
/** One such step takes the clock past the deadline. */
const passDeadline = passes(BEFORE_SECONDS + 1);

/** A request must live for a minute at least. */
export const REQUEST_SECONDS = 70;
export const passExpiry = passes(REQUEST_SECONDS + 1);

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

const AUTHORISATION_SECONDS = 7 * DAY_SECONDS;
const RESPONSE_SECONDS = 14 * DAY_SECONDS;

/** A capture or a void races the end of its authorisation: one of both happens, here and at the acquirer. */
function atEndOfAuthorisation(verb: "capture" | "cancel", done: "captured" | "voided"): Race {
  return {
    name: `${verb === "capture" ? "capture" : "void"}, authorisation expires`,
    outcomes: [done, "expired"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const { transactionId } = await payOnce(near, MANUAL);
      const path = `/transactions/${transactionId}`;
      await advanceClock(near, AUTHORISATION_SECONDS - BEFORE_SECONDS);
      return {
        verbs: [of(post(`${path}/${verb}`)), of(passDeadline)],
        check: async ([made = []]) => {
          assert.ok(accepted(made).length <= 1, `more than one ${verb}`);
          const end = accepted(made).length === 1 ? done : "expired";
          const { payment } = await eventually(`${transactionId} is ${end}`, async () => {
            const transaction = await getTransaction(far, transactionId);
            return transaction.captureStatus === end && transaction;
          });
          assert.equal(payment.capturedAmount, end === "captured" ? 3_000 : 0);
          for (const shop of [near, far])
            assert.equal((await callApi(shop, "POST", `${path}/${verb}`)).status, 409, "after the deadline");
          assert.deepEqual(await acquirerEntries(field.database, transactionId), [
            "authorisation",
            end === "captured" ? "capture" : "reversal",
          ]);
          return end;
        },
      };
    },
  };
}

/** The merchant's response to a dispute races its deadline. */
function atEndOfDispute(
  verb: "evidence" | "accept",
  body: object | undefined,
  ends: readonly string[],
): Race {
  return {
    name: `${verb === "accept" ? "accept a dispute" : "send evidence"}, deadline of the dispute`,
    outcomes: ["in time", "late"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const { id } = await disputeOf(near, {}, SETTLEMENT_SECONDS);
      await advanceClock(near, RESPONSE_SECONDS - BEFORE_SECONDS);
      return {
        verbs: [of(post(`/disputes/${id}/${verb}`, body)), of(passDeadline)],
        check: async ([responded = []]) => {
          const responses = accepted(responded).length;
          assert.ok(responses <= 1, "more than one response");
          if (responses === 0) await whenDisputeIs(far, id, "lost");
          const { status } = ok(await callApi(far, "GET", `/disputes/${id}`));
          if (responses === 1) assert.ok(ends.includes(status), `${status} after a response in time`);
          for (const shop of [near, far])
            assert.equal((await callApi(shop, "POST", `/disputes/${id}/${verb}`, body)).status, 409);
          return responses === 1 ? "in time" : "late";
        },
      };
    },
  };
}

export const DEADLINE_RACES: readonly Race[] = [
  atEndOfAuthorisation("capture", "captured"),
  atEndOfAuthorisation("cancel", "voided"),
  {
    name: "transfer, expire",
    outcomes: ["completed", "expired"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const payIds = (shop: Shop) => payIdShop(callsTo(shop.baseUrl), shop.key);
      const { id, payId } = await payIds(near).request({ expiryDateTime: inSeconds(REQUEST_SECONDS) });
      return {
        verbs: [of((shop) => payIds(shop).send(payId, 3_000)), of(passExpiry)],
        check: async ([sent = []]) => {
          const bodies: { status: string; reason?: string }[] = sent.map((answer) => ok(answer));
          const paid = bodies.filter(({ status }) => status === "accepted").length;
          assert.ok(paid <= 1, "two transfers pay one request");
          const end = await whenEnded(far, id);
          assert.equal(end, paid === 1 ? "completed" : "expired");
          const { payIdReturns = [] } = await getRequest(far, id);
          const reasons = payIdReturns.map(({ reason }: { reason: string }) => reason).toSorted();
          const answered = bodies.flatMap(({ reason }) => reason ?? []).toSorted();
          assert.deepEqual(reasons, answered, "every other transfer is returned and recorded");
          for (const reason of reasons) assert.ok(["late", "duplicate"].includes(reason), reason);
          if (paid === 0) assert.ok(!reasons.includes("duplicate"), "a duplicate of nothing");
          return end;
        },
      };
    },
  },
  {
    name: "cancel, expire",
    outcomes: ["cancelled", "expired"],
    prepare: async (field) => {
      const { near, far, of } = await ownMerchant(field);
      const { id } = await createRequest(near, { expiryDateTime: inSeconds(REQUEST_SECONDS) });
      return {
        verbs: [of(post(`/paymentrequests/${id}/cancel`)), of(passExpiry)],
        check: async ([cancelled = []]) => {
          assert.ok(accepted(cancelled).length <= 1, "cancelled twice");
          const end = await whenEnded(far, id);
          assert.equal(end, accepted(cancelled).length === 1 ? "cancelled" : "expired");
          return end;
        },
      };
    },
  },
  atEndOfDispute("evidence", { text: "win" }, ["under_review", "won"]),
  atEndOfDispute("accept", undefined, ["accepted"]),
];

/** The status of a request that has ended; one past its expiry is never read as open. */
async function whenEnded(shop: Shop, id: string): Promise<string> {
  return eventually(`${id} has ended`, async () => {
    const { paymentRequestStatus } = await getRequest(shop, id);
    return paymentRequestStatus !== "created" && paymentRequestStatus;
  });
}
