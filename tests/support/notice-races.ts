import assert from "node:assert/strict";
import { decideDispute } from "../../src/features/disputes/decide-dispute.ts";
import { findMerchant } from "../../src/features/merchants/index.ts";
import { type Id, requireId } from "../../src/kernel/ids.ts";
import { callApi, createRequest, eventsOf, getTransaction, ok, payOnce, type Shop } from "./checkout.ts";
import { approvedDebit, runSettlements } from "./debits.ts";
import { assertReceived } from "./delivery-invariants.ts";
import { dispute, whenDisputed } from "./disputes.ts";
import { eventually } from "./eventually.ts";
import { inContext } from "./operator.ts";
import { accepted, type Field, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { type Received, startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";

const CAPTURED = 2_500;
/** One of these fits, or two of the others; never one of each. */
const LARGE = 1_600;
const SMALL = 1_000;

type RefundRecord = {
  readonly payment: { readonly amount: number };
  readonly result: { readonly status: string };
};

const byValue = (one: number, other: number) => one - other;
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const DEBIT_RACE: Race = {
  name: "refund of a debit, refund",
  outcomes: [`${LARGE} refunded`, `${SMALL} refunded`, `${2 * SMALL} refunded`],
  prepare: async (field) => {
    const { near, far, of } = await ownMerchant(field);
    const id = await approvedDebit(near, CAPTURED);
    const path = `/transactions/${id}/refunds`;
    const refund = (amount: number) => of(post(path, { payment: { amount } }));
    const readRefunds = async () => {
      const { refunds }: { refunds: readonly RefundRecord[] } = ok(await callApi(far, "GET", path));
      return refunds.map(({ payment, result }) => ({ amount: payment.amount, status: result.status }));
    };
    return {
      verbs: [refund(LARGE), refund(SMALL)],
      check: async ([large = [], small = []]) => {
        const made = [...accepted(large).map(() => LARGE), ...accepted(small).map(() => SMALL)];
        const refunded = sum(made);
        assert.ok(refunded <= CAPTURED, `${made.join(" + ")} exceed ${CAPTURED}`);
        for (const [amount, answers] of [[LARGE, large] as const, [SMALL, small] as const])
          for (const answer of answers) {
            if (answer.status === 200) continue;
            assert.equal(answer.status, 409);
            assert.ok(refunded + amount > CAPTURED, `${amount} was refused after ${made.join(" + ")}`);
          }
        const pending = await readRefunds();
        const amounts = pending.map(({ amount }) => amount);
        assert.deepEqual(amounts.toSorted(byValue), made.toSorted(byValue));
        for (const { status } of pending) assert.equal(status, "pending");
        assert.equal((await refund(CAPTURED - refunded + 1)(near)).status, 409);
        await runSettlements(far);
        for (const { status } of await readRefunds()) assert.equal(status, "approved");
        assert.equal((await getTransaction(near, id)).payment.refundedAmount, refunded);
        const credits = await field.database.rows<{ amount: number }>(
          `select amount::int from sandbox_ledger
           where ledger = 'debit bank' and kind = 'credit' and (reference = $1 or belongs_to = $1)`,
          [id],
        );
        assert.equal(sum(credits.map(({ amount }) => amount)), refunded, "the bank paid another sum");
        return `${refunded} refunded`;
      },
    };
  },
};

/** A disputed card payment; its merchant can respond. */
async function disputed({ database, near }: Field) {
  const { transactionId } = await payOnce(near);
  await dispute(database, transactionId);
  const { id } = await whenDisputed(near, transactionId);
  return { transactionId, id, path: `/disputes/${id}` };
}

type Disputed = Awaited<ReturnType<typeof disputed>>;

/** What was published of the dispute; only a dispute that is won frees its money. */
async function statusesOf({ near, far }: Field, { id, path, transactionId }: Disputed) {
  const events: { payload: { status: string } }[] = await eventsOf(far, id);
  const statuses = events.map(({ payload }) => payload.status);
  const { status } = ok(await callApi(far, "GET", path));
  assert.equal(status, statuses.at(-1));
  const body = { payment: { amount: 3_000 } };
  const refunded = await callApi(near, "POST", `/transactions/${transactionId}/refunds`, body);
  assert.equal(refunded.status, status === "won" ? 200 : 409);
  for (const verb of [post(`${path}/accept`), post(`${path}/evidence`, { text: "again" })])
    assert.equal((await verb(near)).status, 409, "a response after the end");
  return statuses;
}

/** The payer's bank decides, as a notice of the acquirer reports it. Returns whether the call decided. */
async function decisionOf(
  { database }: Field,
  { id }: Disputed,
  trigger: "win" | "lose",
): Promise<() => Promise<boolean>> {
  const [owner] = await database.rows<{ id: Id<"merchant"> }>(
    "select merchant_id as id from disputes where id = $1",
    [id],
  );
  const merchant = await inContext(database, async ({ db }) => owner && findMerchant(db, owner.id));
  if (merchant === undefined) throw new Error("no such dispute");
  const disputeId = requireId("dispute", id);
  return () =>
    inContext(
      database,
      async (ctx) => (await decideDispute(ctx, merchant, disputeId, trigger)) !== undefined,
    );
}

/** The bank's decisions wait for one another, in this process. */
const DECISION_LAG_MS = 1_000;

type Decision = {
  readonly name: string;
  readonly response: "accept" | "evidence";
  /** What the bank decides, and what the merchant's response makes of it. */
  readonly trigger: "win" | "lose";
  readonly answered: readonly string[];
  readonly decided: string;
};

/** The merchant responds while the payer's bank decides. */
function duringDecision({ name, response, trigger, answered, decided }: Decision): Race {
  return {
    name,
    lagMs: DECISION_LAG_MS,
    outcomes: ["responded first", "decided first"],
    prepare: async (field) => {
      const found = await disputed(field);
      const decide = await decisionOf(field, found, trigger);
      let decisions = 0;
      return {
        verbs: [
          post(`${found.path}/${response}`, response === "evidence" ? { text: "lose" } : undefined),
          async () => {
            if (await decide()) decisions += 1;
          },
        ],
        check: async ([responded = []]) => {
          const isAnswered = accepted(responded).length > 0;
          if (isAnswered) onlyOne(responded);
          for (const { status } of responded) assert.ok(status === 200 || status === 409, String(status));
          const statuses = await statusesOf(field, found);
          assert.deepEqual(statuses, ["needs_response", ...(isAnswered ? answered : [decided])]);
          assert.equal(decisions, statuses.at(-1) === decided ? 1 : 0, "decided twice");
          return isAnswered ? "responded first" : "decided first";
        },
      };
    },
  };
}

const DISPUTE_RACES: readonly Race[] = [
  {
    name: "accept a dispute, accept it",
    prepare: async (field) => {
      const found = await disputed(field);
      return {
        verbs: [post(`${found.path}/accept`)],
        check: async ([taken = []]) => {
          onlyOne(taken);
          for (const { status } of taken) assert.ok(status === 200 || status === 409, String(status));
          assert.deepEqual(await statusesOf(field, found), ["needs_response", "accepted"]);
        },
      };
    },
  },
  duringDecision({
    name: "send evidence, decision of the payer's bank",
    response: "evidence",
    trigger: "win",
    answered: ["under_review", "won"],
    decided: "won",
  }),
  duringDecision({
    name: "accept a dispute, decision of the payer's bank",
    response: "accept",
    trigger: "win",
    answered: ["accepted"],
    decided: "won",
  }),
];

/** docs/guides/webhooks.md: about a second; a busy machine takes longer. */
const APPLIES_WITHIN_MS = 5_000;
/** So that deliveries wait for one another at the endpoint. */
const ANSWERS_AFTER_MS = 20;
/** So that a delivery is often under way when it is requested again. */
const ANSWERS_LATE_AFTER_MS = 200;
/** A delivery that is requested begins within this time, mostly. */
const DELIVERY_LAG_MS = 1_000;

type Row = {
  readonly event: string;
  readonly status: string;
  readonly error: string | null;
  readonly attempts: number;
};

const idOf = ({ headers }: Received) => String(headers["webhook-id"]);

/** A merchant with one subscription, and an event of it that has arrived. */
async function subscribed(field: Field, answersAfterMs = ANSWERS_AFTER_MS) {
  const own = await ownMerchant(field);
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(200).end(), answersAfterMs);
  });
  const body = { event: "payment_requests", url: receiver.url };
  const { id }: { id: string } = ok(await callApi(own.near, "POST", "/webhooks", body));
  const { signingKey } = ok(await callApi(own.near, "GET", "/webhooks/signingkey"));
  const eventOf = async (requestId: string): Promise<string> => (await eventsOf(own.near, requestId))[0].id;
  const first = await eventOf((await createRequest(own.near)).id);
  await receiver.until(1);
  return {
    ...own,
    receiver,
    path: `/webhooks/${id}`,
    eventOf,
    first,
    /** The deliveries once none is pending; those on record as delivered have arrived. */
    whenDone: async () => {
      const rows = await eventually("no delivery is pending", async () => {
        const all = await field.database.rows<Row>(
          "select event_id as event, status, error, attempts from deliveries where webhook_id = $1",
          [id],
        );
        return all.every(({ status }) => status !== "pending") && all;
      });
      assertReceived(receiver.received, signingKey);
      for (const { event, status } of rows)
        assert.ok(status === "failed" || receiver.received.some((one) => idOf(one) === event), event);
      return rows;
    },
  };
}

const DELIVERY_RACES: readonly Race[] = [
  {
    name: "disable a webhook, deliver and redeliver",
    outcomes: ["delivered first", "disabled first"],
    prepare: async (field) => {
      const { near, far, of, receiver, path, eventOf, first, whenDone } = await subscribed(field);
      const redeliver = post(`/events/${first}/redeliver`);
      const setTo = (shop: Shop, status: string) => callApi(shop, "PUT", path, { status });
      let isBegun = false;
      let disabledAt = Number.POSITIVE_INFINITY;
      /** Those that were made before any call disabled the subscription. */
      const early: string[] = [];
      return {
        verbs: [
          of(async (shop) => {
            isBegun = true;
            const answer = await setTo(shop, "disabled");
            disabledAt = Math.min(disabledAt, Date.now());
            return answer;
          }),
          of(async (shop) => {
            const answer = await callApi(shop, "POST", "/paymentrequests", CHECKOUT);
            if (!isBegun) early.push(answer.body.id);
            return answer;
          }),
          of(redeliver),
        ],
        check: async ([disabled = [], changed = [], redelivered = []]) => {
          for (const answer of disabled) assert.equal(ok(answer).status, "disabled");
          for (const { status } of redelivered) assert.ok(status === 200 || status === 409, String(status));
          const rows = await whenDone();
          const made = await Promise.all(changed.map((answer) => eventOf(ok(answer).id)));
          for (const { event, status, error } of rows) {
            assert.ok([first, ...made].includes(event), event);
            if (status !== "delivered")
              assert.deepEqual([status, error], ["failed", "subscription_disabled"]);
          }
          const known = new Set(rows.map(({ event }) => event));
          for (const event of await Promise.all(early.map(eventOf)))
            assert.ok(known.has(event), "an event before the end has no delivery");
          for (const shop of [near, far]) {
            assert.equal(ok(await callApi(shop, "GET", path)).status, "disabled");
            assert.equal((await redeliver(shop)).status, 409);
          }
          for (const { at } of receiver.received)
            assert.ok(at - disabledAt <= APPLIES_WITHIN_MS, `received ${at - disabledAt} ms after its end`);
          const arrived = made.filter((event) => receiver.received.some((one) => idOf(one) === event));
          const unsent = made.filter((event) => !arrived.includes(event));
          // Active again it receives what changes from then on, and what is requested again.
          assert.equal(ok(await setTo(far, "active")).status, "active");
          const later = await eventOf((await createRequest(near)).id);
          ok(await redeliver(far));
          const after = await whenDone();
          for (const event of [first, later])
            assert.equal(after.find((row) => row.event === event)?.status, "delivered");
          for (const event of unsent) assert.ok(!receiver.received.some((one) => idOf(one) === event));
          await receiver.close();
          return arrived.length > 0 ? "delivered first" : "disabled first";
        },
      };
    },
  },
  {
    name: "redeliver an event, redeliver a period",
    lagMs: DELIVERY_LAG_MS,
    outcomes: ["during a delivery", "between deliveries"],
    prepare: async (field) => {
      const { near, of, receiver, eventOf, first, whenDone } = await subscribed(field, ANSWERS_LATE_AFTER_MS);
      const others = await Promise.all([createRequest(near), createRequest(near)]);
      const events = [first, ...(await Promise.all(others.map(({ id }) => eventOf(id))))];
      await receiver.until(events.length);
      await whenDone();
      const day = 24 * 60 * 60 * 1_000;
      const period = {
        createdFrom: new Date(Date.now() - day).toISOString(),
        createdTo: new Date(Date.now() + day).toISOString(),
      };
      let [lastOfEvent, lastOfPeriod] = [0, 0];
      return {
        verbs: [
          of((shop) => {
            lastOfEvent = Date.now();
            return callApi(shop, "POST", `/events/${first}/redeliver`);
          }),
          of((shop) => {
            lastOfPeriod = Date.now();
            return callApi(shop, "POST", "/events/redeliver", period);
          }),
        ],
        check: async ([one = [], all = []]) => {
          for (const answer of one) ok(answer);
          for (const answer of all) assert.equal(ok(answer).count, events.length);
          const rows = await whenDone();
          assert.deepEqual(rows.map(({ event }) => event).toSorted(), events.toSorted());
          let isDuring = false;
          for (const { event, status, attempts } of rows) {
            assert.equal(status, "delivered");
            const moments = receiver.received.filter((sent) => idOf(sent) === event).map(({ at }) => at);
            assert.ok(attempts <= moments.length, "an attempt on record did not arrive");
            // Also when the event was on its way already: a later request sends it once more.
            const asked = event === first ? Math.max(lastOfEvent, lastOfPeriod) : lastOfPeriod;
            assert.ok(Math.max(...moments) >= asked, "not sent after the last request for it");
            isDuring ||= moments.some((at) => at < asked && asked < at + ANSWERS_LATE_AFTER_MS);
          }
          await receiver.close();
          return isDuring ? "during a delivery" : "between deliveries";
        },
      };
    },
  },
];

/** Money that goes back to payers, and what merchants are notified of. */
export const NOTICE_RACES: readonly Race[] = [DEBIT_RACE, ...DISPUTE_RACES, ...DELIVERY_RACES];
