import assert from "node:assert/strict";
import { after } from "node:test";
import { addAccount } from "../../src/features/acquirer-accounts/index.ts";
import type { Id } from "../../src/kernel/ids.ts";
import type { Answer } from "./calls.ts";
import { callApi, getTransaction, ok, payOnce, type Shop } from "./checkout.ts";
import { eventually } from "./eventually.ts";
import { openFakeAdyen } from "./fake-adyen.ts";
import { FAKE_AMOUNTS } from "./fake-adyen-answers.ts";
import { NO_LIMITS } from "./mixed-load.ts";
import { inContext, makeMerchant } from "./operator.ts";
import { accepted, type Field, MANUAL, post, type Race, type Verb } from "./race.ts";

/** Two of them exceed what is captured. */
const REFUND = 2_000;

type RefundRecord = { readonly id: string; readonly result: { readonly status: string } };

/**
 * A merchant whose payments go through a fake of Adyen, which sends nothing until a trial does. A live one: the checker
 * compares what sandbox merchants are paid with the sandbox's acquirer.
 */
async function adyenMerchant({ database, near, far }: Field) {
  const { id, key } = await makeMerchant(database, "live", "AU");
  await database.rows(`${NO_LIMITS} where id = $1`, [id]);
  await database.rows(
    "update merchants set capabilities = (capabilities::jsonb || $2::jsonb)::json where id = $1",
    [id, JSON.stringify({ cardNotPresent: true })],
  );
  const own = { near: { ...near, key }, far: { ...far, key } };
  const fake = await openFakeAdyen();
  // Also of a trial that fails.
  after(() => fake.close());
  const account = await inContext(database, (ctx) =>
    addAccount(
      ctx,
      { id: id as Id<"merchant"> },
      { connector: "adyen", settings: fake.settings, currencies: [], cardTypes: [] },
    ),
  );
  assert.ok("id" in account, JSON.stringify(account));
  /** Each one is a call of Adyen's, at either node. */
  const notify =
    (bodies: readonly string[]): Verb =>
    async ({ baseUrl }) => {
      for (const body of bodies) {
        const answer = await fetch(
          `${baseUrl.replace("localhost", "127.0.0.1")}/connectors/adyen/${account.id}/notifications`,
          { method: "POST", headers: { "content-type": "application/json" }, body },
        );
        assert.deepEqual([answer.status, await answer.text()], [200, "[accepted]"]);
      }
    };
  return {
    ...own,
    of: (verb: (shop: Shop) => Promise<Answer>) => (shop: Shop) => verb({ ...shop, key }),
    fake,
    notify,
    /** Sends what waits, from both nodes at once. */
    sendAll: async () => {
      const send = notify(fake.takeNotifications());
      await Promise.all([send(own.near), send(own.far)]);
    },
  };
}

/** The payment is pending until Adyen notifies its approval: before that there is nothing to capture or to void. */
function duringApproval(path: "capture" | "cancel", done: "captured" | "voided"): Race {
  return {
    name: `${path === "capture" ? "capture" : "void"}, notification of the approval`,
    outcomes: ["refused", done],
    prepare: async (field) => {
      const { near, far, of, fake, notify, sendAll } = await adyenMerchant(field);
      const amount = FAKE_AMOUNTS.pending;
      const { transactionId, paid } = await payOnce(near, { ...MANUAL, amount });
      assert.equal(paid.state, "pending");
      fake.conclude(transactionId, true);
      const operate = of(post(`/transactions/${transactionId}/${path}`));
      return {
        verbs: [operate, notify(fake.takeNotifications())],
        check: async ([made = []]) => {
          for (const { status } of made) assert.ok(status === 200 || status === 409, String(status));
          const count = accepted(made).length;
          assert.ok(count <= 1, `${done} twice`);
          assert.equal((await getTransaction(far, transactionId)).result.status, "approved");
          assert.equal((await operate(far)).status, count === 1 ? 409 : 200);
          await sendAll();
          const { captureStatus, payment } = await getTransaction(near, transactionId);
          const { held, captured } = fake.ledgerOf(transactionId);
          assert.deepEqual(
            [captureStatus, payment.capturedAmount, captured, held],
            done === "captured" ? [done, amount, amount, amount] : [done, 0, 0, 0],
          );
          await fake.close();
          return count === 1 ? done : "refused";
        },
      };
    },
  };
}

const REFUND_RACE: Race = {
  name: "refund, notification that an earlier refund failed",
  outcomes: ["refused", "refunded"],
  prepare: async (field) => {
    const { near, far, of, fake, notify, sendAll } = await adyenMerchant(field);
    const { transactionId } = await payOnce(near);
    const path = `/transactions/${transactionId}/refunds`;
    const refund = of(post(path, { payment: { amount: REFUND } }));
    const { id: failing } = ok(await refund(near));
    const whenSent = () =>
      eventually("the refund is at Adyen", async () => fake.ledgerOf(transactionId).refunded === REFUND);
    await whenSent();
    // What Adyen accepted is not notified before it failed.
    fake.takeNotifications();
    fake.fail(failing);
    return {
      verbs: [refund, notify(fake.takeNotifications())],
      check: async ([refunded = []]) => {
        for (const { status } of refunded) assert.ok(status === 200 || status === 409, String(status));
        const made = accepted(refunded).length;
        assert.ok(made <= 1, "a refund of what another one may have returned");
        assert.equal((await refund(far)).status, made === 1 ? 409 : 200);
        await whenSent();
        await sendAll();
        const { refunds }: { refunds: readonly RefundRecord[] } = ok(await callApi(near, "GET", path));
        const found = refunds.map(({ id, result }) => [id === failing, result.status]);
        assert.deepEqual(found, [
          [false, "approved"],
          [true, "declined"],
        ]);
        assert.equal((await getTransaction(near, transactionId)).payment.refundedAmount, REFUND);
        assert.equal(fake.ledgerOf(transactionId).refunded, REFUND);
        await fake.close();
        return made === 1 ? "refunded" : "refused";
      },
    };
  },
};

/** What Adyen notifies while the merchant acts on the payment. */
export const ADYEN_RACES: readonly Race[] = [
  duringApproval("capture", "captured"),
  duringApproval("cancel", "voided"),
  REFUND_RACE,
];
