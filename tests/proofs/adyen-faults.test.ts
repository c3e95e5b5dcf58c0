import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type AdyenGateway, startAdyenGateway } from "../support/adyen-gateway.ts";
import { callApi, getTransaction, ok, openFrame, type Shop } from "../support/checkout.ts";
import type { TestDatabase } from "../support/database.ts";
import { describeUnsettled } from "../support/describe-unsettled.ts";
import type { FakeAdyen, Fault } from "../support/fake-adyen.ts";
import { findBesideHost } from "../support/iso-host/find-beside-host.ts";
import { sendReversalsAgain } from "../support/iso-host/kill-payments.ts";
import { NO_LIMITS } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { pick, seeded } from "../support/random.ts";
import { settle } from "../support/settle.ts";

const PAYMENTS = sized(15, 600);
const REFUND = 700;
/** Of each call. */
const PROBABILITY = 0.5;

const FAULTS: readonly Fault[] = [
  { does: "drop", after: false },
  { does: "drop", after: true },
  { does: "hang", after: false },
  { does: "hang", after: true },
  { does: "delay", milliseconds: 300 },
  { does: "delay", milliseconds: 900 },
  { does: "say", text: "<html>maintenance</html>" },
  { does: "say", text: '{"resultCode":' },
  { does: "answer", status: 500 },
  { does: "answer", status: 503 },
];

const proof = declareProof(
  "Adyen's API answers late, with garbage, with errors or not at all; its notifications come doubled, at the same time and in any order; all settles within a minute, but for reversals that are sent again after two",
  ["I3", "I5", "I6", "I7", "I9", "I21", "I24", "I27"],
);

const EVENTS = "select resource_id, id from events order by resource_id, id";

/** All that is on record about the payments whose events are more than those. */
async function publishedSince(database: TestDatabase, events: readonly { id: string }[]) {
  const known = new Set(events.map(({ id }) => id));
  const added = (await database.rows<{ resource_id: string; id: string }>(EVENTS)).filter(
    ({ id }) => !known.has(id),
  );
  const ids = [...new Set(added.map(({ resource_id }) => resource_id))];
  return {
    added,
    events: await database.rows("select * from events where resource_id = any($1) order by id", [ids]),
    transactions: await database.rows("select * from transactions where id = any($1)", [ids]),
    operations: await database.rows("select * from transaction_operations where transaction_id = any($1)", [
      ids,
    ]),
    jobs: await database.rows("select * from jobs where subject_id = any($1)", [ids]),
  };
}

/** Sends notifications as Adyen does, each twice: two senders at the same time, each in an order of its own. */
function startSender({ fake, notify }: AdyenGateway, account: string, random: () => number) {
  const sent: string[] = [];
  const sendOnce = async (bodies: readonly string[]) => {
    for (const body of bodies.toSorted(() => random() - 0.5))
      assert.equal(await (await notify(account, body)).text(), "[accepted]");
  };
  return {
    /** Those that wait. */
    send: async () => {
      const bodies = fake.takeNotifications();
      sent.push(...bodies);
      await Promise.all([sendOnce(bodies), sendOnce(bodies)]);
    },
    /** Those that were sent before, once more; returns how many. */
    repeatAll: async () => {
      await sendOnce(sent);
      return sent.length;
    },
  };
}

/** Settles in real time, while Adyen sends what waits. */
async function settleWhile(database: TestDatabase, send: () => Promise<void>): Promise<number> {
  let isSettling = true;
  const sending = (async () => {
    while (isSettling) {
      await send();
      await pause(100);
    }
  })();
  sending.catch(() => {});
  try {
    return await settle(database, Date.now());
  } catch (error) {
    throw new Error(`${String(error)}\n${await describeUnsettled(database, [])}`);
  } finally {
    isSettling = false;
    await sending;
  }
}

/** Whether gateway and Adyen's ledger agree on a payment whose outcome is known on both sides. */
async function agrees(shop: Shop, fake: FakeAdyen, id: string): Promise<boolean> {
  const { result, captureStatus, payment } = await getTransaction(shop, id);
  const { held, captured, refunded } = fake.ledgerOf(id);
  if (result.status === "pending") return false;
  if (result.status === "declined") return captured === 0 ? held === 0 : captured === refunded;
  const { refunds } = ok(await callApi(shop, "GET", `/transactions/${id}/refunds`));
  if (refunds.some((refund: { result: { status: string } }) => refund.result.status === "pending"))
    return false;
  if (captureStatus === "captured")
    return captured === payment.capturedAmount && refunded === payment.refundedAmount;
  if (captureStatus === "voided") return held === 0 && captured === 0;
  return captured === 0 && held === payment.amount;
}

test(`${PAYMENTS} payments through Adyen with faults in half of the calls: both ledgers agree`, async () => {
  const random = seeded(proofSeed);
  const adyen = await startAdyenGateway(600);
  try {
    const { shop, accounts: [account = ""] = [] } = await adyen.newShop();
    const { database } = adyen.gateway;
    await database.rows(NO_LIMITS);
    let faults = 0;
    const plan = (path: string) => {
      if (random() >= PROBABILITY) return;
      faults += 1;
      adyen.fake.fault(path, pick(random, FAULTS));
    };
    const sender = startSender(adyen, account, random);
    const made: string[] = [];
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const isManual = random() < 0.4;
      const frame = await openFrame(shop, isManual ? { category: { captureType: "manual" } } : {});
      plan("/payments");
      const { transactionId, state } = ok(await frame.pay());
      made.push(transactionId);
      if (random() < 0.5) await sender.send();
      if (state !== "approved") continue;
      const verb = isManual ? pick(random, ["capture", "cancel"]) : "refund";
      plan(verb === "capture" ? "/captures" : verb === "cancel" ? "/cancels" : "/refunds");
      const path = `/transactions/${transactionId}`;
      const { status } = await (verb === "refund"
        ? callApi(shop, "POST", `${path}/refunds`, { payment: { amount: REFUND } })
        : callApi(shop, "POST", `${path}/${verb}`));
      assert.ok([200, 409].includes(status), `${verb}: ${status}`);
    }
    adyen.fake.clearFaults();
    proof.most({ "seconds to settle": await settleWhile(database, sender.send) });
    const sentAgain = await sendReversalsAgain(database, sender.send);
    for (const id of made)
      assert.ok(
        await agrees(shop, adyen.fake, id),
        `differs: ${JSON.stringify([await getTransaction(shop, id), adyen.fake.ledgerOf(id)])}`,
      );
    const [owner] = await database.rows<{ id: string }>(
      "select merchant_id as id from acquirer_accounts where id = $1",
      [account],
    );
    assert.deepEqual(await findBesideHost(database, owner?.id ?? assert.fail()), []);
    const events = await database.rows<{ id: string }>(EVENTS);
    const repeated = await sender.repeatAll();
    assert.ok(repeated > 0 && events.length > 0);
    const since = await publishedSince(database, events);
    assert.deepEqual(
      since.added,
      [],
      `a repeated notification was published as a change: ${JSON.stringify(since)}, calls ${JSON.stringify(
        adyen.fake.calls.filter(({ body }) =>
          since.added.some((one) => JSON.stringify(body).includes(one.resource_id)),
        ),
      )}`,
    );
    proof.count({
      payments: PAYMENTS,
      "faults of Adyen's API": faults,
      "calls of Adyen's API": adyen.fake.calls.length,
      "notifications of Adyen, each sent three times": repeated,
      "second reversals brought forward": sentAgain,
    });
  } finally {
    await adyen.stop();
  }
});
