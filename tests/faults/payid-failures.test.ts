import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import type { PayIdRail } from "../../src/connectors/ports/payid-rail.ts";
import type { PayIdPayers } from "../../src/connectors/ports/sandbox-controls.ts";
import { newId } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import { payIdShop } from "../support/payid.ts";

/** Faults of the rail. */
let faults: { rail?: Partial<PayIdRail>; payers?: (payers: PayIdPayers) => Partial<PayIdPayers> } = {};
let ahead = 0;

const gateway = await startTestGateway({
  now: () => instant(Date.now() + ahead),
  wrapContext: (ctx) => {
    const { payIdPayers: payers } = ctx.sandbox;
    const faultyRail = (rail: PayIdRail): PayIdRail => ({
      register: (request) => (faults.rail?.register ?? rail.register)(request),
      release: (reference) => (faults.rail?.release ?? rail.release)(reference),
      returnTransfer: (request) => (faults.rail?.returnTransfer ?? rail.returnTransfer)(request),
      refund: (request) => (faults.rail?.refund ?? rail.refund)(request),
    });
    const findPayIdRail: typeof ctx.connectors.findPayIdRail = (merchant) => {
      const rail = ctx.connectors.findPayIdRail(merchant);
      return rail && faultyRail(rail);
    };
    const payIdPayers: PayIdPayers = {
      ...payers,
      pay: (transfer) => (faults.payers?.(payers).pay ?? payers.pay)(transfer),
    };
    return {
      ...ctx,
      connectors: { ...ctx.connectors, findPayIdRail },
      sandbox: { ...ctx.sandbox, payIdPayers },
    };
  },
});
const shop = payIdShop(gateway);
const unavailable = async () => {
  throw new Error("the rail is unavailable");
};
beforeEach(() => {
  faults = {};
});
after(() => gateway.stop());

/** Removes the faults, and asserts that nothing is pending after half a minute and no invariant is broken. */
async function assertRecovered(): Promise<void> {
  faults = {};
  ahead += 30_000;
  await eventually("nothing is unsettled", async () => (await findUnsettled(gateway.database)).length === 0);
  assert.deepEqual(await findViolations(gateway.database), []);
}

const releasesOf = (id: string) =>
  gateway.database.rows("select from sandbox_ledger where kind = 'release' and reference = $1", [id]);

describe("PROOF: an unavailable PayID rail loses nothing", () => {
  test("if the registration fails, the request is created and registered later", async () => {
    faults = { rail: { register: unavailable } };
    const { id, body } = await shop.request();
    assert.equal(body.paymentRequestStatus, "created");
    assert.notDeepEqual(await findUnsettled(gateway.database), [], "the PayID is not registered yet");
    await assertRecovered();
    assert.equal((await shop.read(id)).paymentRequestStatus, "created");
  });

  test("an answer that is none refuses no registration, and confirms or refuses no return", async () => {
    const garbage = async () => ({}) as never;
    faults = { rail: { register: garbage } };
    const { id, body } = await shop.request();
    assert.equal(body.paymentRequestStatus, "created");
    await assertRecovered();
    assert.equal((await shop.read(id)).paymentRequestStatus, "created");
    const { payId } = await shop.request();
    faults = { rail: { returnTransfer: garbage } };
    await shop.send(payId, 2_999);
    await eventually("the return was tried", async () => {
      const failing = "select from jobs where kind = 'payid_return' and problem is not null";
      return (await gateway.database.rows(failing)).length === 1;
    });
    assert.notDeepEqual(await findUnsettled(gateway.database), [], "the transfer is not returned yet");
    await assertRecovered();
  });

  test("if the rail refuses the registration, the request is cancelled, and an event is published", async () => {
    faults = { rail: { register: async () => ({ kind: "declined", code: "declined" }) } };
    const { id, body } = await shop.request();
    assert.equal(body.paymentRequestStatus, "cancelled");
    assert.deepEqual(
      (await shop.eventsOf(id)).map(({ payload }) => payload.paymentRequestStatus),
      ["created", "cancelled"],
    );
    await assertRecovered();
  });

  test("a PayID that the rail refuses after an unknown answer is released: the rail may have registered it", async () => {
    faults = { rail: { register: unavailable } };
    const { id } = await shop.request();
    faults = { rail: { register: async () => ({ kind: "declined", code: "declined" }) } };
    ahead += 60_000;
    await eventually(
      "it is cancelled",
      async () => (await shop.read(id)).paymentRequestStatus === "cancelled",
    );
    await assertRecovered();
    await eventually("it is released", async () => (await releasesOf(id)).length === 1);
  });

  test("releases and returns happen once the rail is available again", async () => {
    faults = { rail: { release: unavailable, returnTransfer: async () => ({ kind: "unknown" }) } };
    const { id, payId } = await shop.request();
    assert.equal((await shop.pay(payId, 1)).reason, "short");
    await shop.cancel(id);
    await assertRecovered();
    assert.equal((await releasesOf(id)).length, 1);
  });

  test("a refused return is recorded for the operator", async () => {
    faults = { rail: { returnTransfer: async () => ({ kind: "declined", code: "declined" }) } };
    const { payId } = await shop.request();
    const { id } = await shop.pay(payId, 1);
    await eventually("the refusal is recorded", async () => {
      const rows = await gateway.database.rows(
        "select from incoming_transfers where id = $1 and status = 'return_refused'",
        [id],
      );
      return rows.length === 1;
    });
    await assertRecovered();
  });

  test("a transfer that a failed call promised is made, once, and its idempotency key stays used", async () => {
    const { id, payId } = await shop.request();
    const idempotencyKey = `failed-${id}`;
    const send = () => shop.send(payId, 3000, {}, { headers: { "idempotency-key": idempotencyKey } });
    faults = { payers: () => ({ pay: unavailable }) };
    assert.equal((await send()).status, 500);
    assert.equal((await send()).status, 409);
    await assertRecovered();
    const { paymentRequestStatus } = await eventually("it is paid", async () => {
      const request = await shop.read(id);
      return request.paymentRequestStatus !== "created" && request;
    });
    assert.equal(paymentRequestStatus, "completed");
    const made = await gateway.database.rows(
      "select from sandbox_ledger where ledger = 'payid' and kind = 'transfer' and belongs_to = $1",
      [payId],
    );
    assert.equal(made.length, 1);
  });

  test("a job of an earlier version receives the transfer that was made", async () => {
    const { id, payId } = await shop.request();
    const message = newId("incomingTransfer", instant(Date.now()));
    await gateway.database.rows(
      `insert into sandbox_ledger (ledger, kind, reference, belongs_to, amount, facts)
       values ('payid', 'transfer', $1, $2, 3000, '{}')`,
      [message, payId],
    );
    await gateway.database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at, real_time)
       select 'sandbox_payid_deliver', merchant_id, $1, now(), true from payment_requests where id = $2`,
      [message, id],
    );
    await eventually("it is paid", async () => (await shop.read(id)).paymentRequestStatus === "completed");
  });

  test("a transfer whose message is lost in a crash is received again", async () => {
    const { id, payId } = await shop.request();
    faults = {
      payers: (payers) => ({
        pay: async (transfer) => {
          await payers.pay(transfer);
          throw new Error("the process crashed");
        },
      }),
    };
    assert.equal((await shop.send(payId, 3000)).status, 500);
    assert.equal((await shop.read(id)).paymentRequestStatus, "created");
    await assertRecovered();
    assert.equal((await shop.read(id)).paymentRequestStatus, "completed");
  });
});
