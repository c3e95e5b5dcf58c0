import assert from "node:assert/strict";
import { test } from "node:test";
import { startAdyenGateway } from "../support/adyen-gateway.ts";
import { callApi, getTransaction, ok, openFrame, type Shop } from "../support/checkout.ts";
import type { FakeAdyen, Fault } from "../support/fake-adyen.ts";
import { aMinutePasses } from "../support/gateway-process.ts";
import { NO_LIMITS } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { pick, seeded } from "../support/random.ts";

const PAYMENTS = sized(15, 600);
const REFUND = 700;
/** Of each call. */
const PROBABILITY = 0.5;
const SETTLES_WITHIN_MS = 120_000;

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
  "Adyen's API answers late, with garbage, with errors or not at all; its notifications come doubled and in any order",
  ["I7", "I24", "I27"],
);

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
    const { shop, accounts } = await adyen.newShop();
    await adyen.gateway.database.rows(NO_LIMITS);
    let faults = 0;
    const plan = (path: string) => {
      if (random() >= PROBABILITY) return;
      faults += 1;
      adyen.fake.fault(path, pick(random, FAULTS));
    };
    const deliver = () =>
      adyen.deliver(accounts[0] ?? "", (bodies) => [...bodies, ...bodies].toSorted(() => random() - 0.5));
    const made: string[] = [];
    for (let payment = 0; payment < PAYMENTS; payment += 1) {
      const isManual = random() < 0.4;
      const frame = await openFrame(shop, isManual ? { category: { captureType: "manual" } } : {});
      plan("/payments");
      const { transactionId, state } = ok(await frame.pay());
      made.push(transactionId);
      if (random() < 0.5) await deliver();
      if (state !== "approved") continue;
      const verb = isManual ? pick(random, ["capture", "cancel"]) : "refund";
      plan(verb === "capture" ? "/captures" : verb === "cancel" ? "/cancels" : "/refunds");
      const path = `/transactions/${transactionId}`;
      const { status } = await (verb === "refund"
        ? callApi(shop, "POST", `${path}/refunds`, { payment: { amount: REFUND } })
        : callApi(shop, "POST", `${path}/${verb}`));
      assert.ok([200, 409].includes(status), `${verb}: ${status}`);
    }
    const until = Date.now() + SETTLES_WITHIN_MS;
    let open: readonly string[] = made;
    while (open.length > 0) {
      await aMinutePasses(adyen.gateway.database);
      await deliver();
      const left: string[] = [];
      for (const id of open) if (!(await agrees(shop, adyen.fake, id))) left.push(id);
      open = left;
      if (Date.now() < until) continue;
      const [first] = open;
      if (first !== undefined)
        assert.fail(
          `${open.length} payments differ, such as ${JSON.stringify([await getTransaction(shop, first), adyen.fake.ledgerOf(first)])}`,
        );
    }
    proof.count({
      payments: PAYMENTS,
      "faults of Adyen's API": faults,
      "calls of Adyen's API": adyen.fake.calls.length,
    });
  } finally {
    await adyen.stop();
  }
});
