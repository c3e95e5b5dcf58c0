import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import type { PayIdPayers, PayIdRail } from "../../src/connectors/ports/payid-rail.ts";
import { instant } from "../../src/kernel/time.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { findUnsettled, findViolations } from "../support/invariants.ts";
import { payIdShop } from "../support/payid.ts";

/** What the rail does wrong, until it is mended. */
let faults: { rail?: Partial<PayIdRail>; payers?: (payers: PayIdPayers) => Partial<PayIdPayers> } = {};
let ahead = 0;

const gateway = await startTestGateway({
  now: () => instant(Date.now() + ahead),
  wrapContext: (ctx) => {
    const { sandbox } = ctx.connectors;
    if (sandbox?.payIdPayers === undefined) return ctx;
    const { payIdRail: rail, payIdPayers: payers } = sandbox;
    const payIdRail: PayIdRail = {
      register: (ask) => (faults.rail?.register ?? rail.register)(ask),
      release: (ask) => (faults.rail?.release ?? rail.release)(ask),
      returnTransfer: (ask) => (faults.rail?.returnTransfer ?? rail.returnTransfer)(ask),
      refund: (ask) => (faults.rail?.refund ?? rail.refund)(ask),
    };
    const payIdPayers: PayIdPayers = {
      ...payers,
      pay: (transfer) => (faults.payers?.(payers).pay ?? payers.pay)(transfer),
    };
    return {
      ...ctx,
      connectors: { ...ctx.connectors, sandbox: { ...sandbox, payIdRail, payIdPayers } },
    };
  },
});
const shop = payIdShop(gateway);
const away = async () => {
  throw new Error("the rail is away");
};
beforeEach(() => {
  faults = {};
});
after(() => gateway.stop());

/** All is well again: nothing is wrong, and with half a minute more nothing waits. */
async function assertMended(): Promise<void> {
  faults = {};
  ahead += 30_000;
  await eventually("nothing waits", async () => (await findUnsettled(gateway.database)).length === 0, 15_000);
  assert.deepEqual(await findViolations(gateway.database), []);
}

describe("PROOF: a PayID rail that is away loses nothing", () => {
  test("when it can't be asked to register, the request is made, and registered later", async () => {
    faults = { rail: { register: away } };
    const { id, body } = await shop.request();
    assert.equal(body.paymentRequestStatus, "created");
    assert.notDeepEqual(await findUnsettled(gateway.database), [], "the PayID is not registered yet");
    await assertMended();
    assert.equal((await shop.read(id)).paymentRequestStatus, "created");
  });

  test("when it refuses to register, the request ends as cancelled, and the merchant is told", async () => {
    faults = { rail: { register: async () => ({ kind: "declined", code: "declined" }) } };
    const { id, body } = await shop.request();
    assert.equal(body.paymentRequestStatus, "cancelled");
    assert.deepEqual(
      (await shop.told(id)).map(({ payload }) => payload.paymentRequestStatus),
      ["created", "cancelled"],
    );
    await assertMended();
  });

  test("when it is away for releases and returns, both happen once it is back", async () => {
    faults = { rail: { release: away, returnTransfer: async () => ({ kind: "unknown" }) } };
    const { id, payId } = await shop.request();
    assert.equal((await shop.pay(payId, 1)).reason, "short");
    await shop.cancel(id);
    await assertMended();
    const books = await gateway.database.rows<{ kind: string }>(
      "select kind from sandbox_books where kind = 'release' and reference = $1",
      [id],
    );
    assert.equal(books.length, 1);
  });

  test("when it will not take a transfer back, that is on record for the operator", async () => {
    faults = { rail: { returnTransfer: async () => ({ kind: "declined", code: "declined" }) } };
    const { payId } = await shop.request();
    const { id } = await shop.pay(payId, 1);
    await eventually("the refusal is on record", async () => {
      const rows = await gateway.database.rows(
        "select from incoming_transfers where id = $1 and status = 'return_refused'",
        [id],
      );
      return rows.length === 1;
    });
    await assertMended();
  });

  test("when the bank has paid and we were gone before we heard, it tells us again", async () => {
    const { id, payId } = await shop.request();
    faults = {
      payers: (payers) => ({
        pay: async (transfer) => {
          await payers.pay(transfer);
          throw new Error("the process is gone");
        },
      }),
    };
    assert.equal((await shop.send(payId, 3000)).status, 500);
    assert.equal((await shop.read(id)).paymentRequestStatus, "created");
    await assertMended();
    assert.equal((await shop.read(id)).paymentRequestStatus, "completed");
  });
});
