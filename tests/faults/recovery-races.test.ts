import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { recoverAttempt } from "../../src/features/checkout/recover-attempt.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import type { Context } from "../../src/platform/context.ts";
import { getTransaction, ok, openFrame, type Shop, shopOf } from "../support/checkout.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { assertInvariantsAndStop } from "../support/invariants.ts";
import { inContext } from "../support/operator.ts";
import { watchContext } from "../support/watched-context.ts";

const CHALLENGED = 14_418;
const SECURE = { category: { authenticationType: "3d_secure" } } as const;

describe("the recovery of a phase never ends the next one", () => {
  let gateway: TestGateway;
  let shop: Shop;
  let ahead = 0;
  let stall = false;
  let authorised: string[] = [];
  before(async () => {
    gateway = await startTestGateway({
      now: () => instant(Date.now() + ahead),
      wrapContext: (ctx) =>
        watchContext(ctx, (point) => {
          if (point === "authorise:before") authorised.push(point);
          if (!stall || !/^(?:transaction_insert|attempt_begin).*:committed$/.test(point)) return;
          // The process stops for a minute after it has entered the phase.
          ahead += 60_000;
          stall = false;
        }),
    });
    shop = shopOf(gateway);
  });
  after(() => assertInvariantsAndStop(gateway));

  const phaseOf = async (id: string) =>
    (await gateway.database.rows<{ phase: string }>("select phase from transactions where id = $1", [id]))[0]
      ?.phase;
  const setPhase = (id: string, phase: string) =>
    gateway.database.rows("update transactions set phase = $2 where id = $1", [id, phase]);

  /** Another process enters the phase right after the recovery has read the attempt, before it locks the row. */
  const enterMeanwhile = (ctx: Context, id: string, phase: string): Context => {
    let armed = true;
    const gather: Context["db"]["gather"] = async (statement, row, scope) => {
      const found = await ctx.db.gather(statement, row, scope);
      if (armed && statement.name === "transaction_find") {
        armed = false;
        await setPhase(id, phase);
      }
      return found as never;
    };
    return { ...ctx, db: { ...ctx.db, gather } };
  };

  for (const [read, entered] of [
    ["authenticating", "profiling"],
    ["authenticating", "challenged"],
    ["profiling", "challenged"],
    ["authenticating", "calling"],
    ["profiling", "calling"],
  ] as const) {
    test(`a job that found an attempt ${read} leaves it when it is ${entered} by then`, async () => {
      const frame = await openFrame(shop, { amount: CHALLENGED, ...SECURE });
      const { state, transactionId, challenge } = ok(await frame.pay());
      assert.equal(state, "challenge");
      await setPhase(transactionId, read);
      const { merchantId } = (
        await gateway.database.rows<{ merchantId: string }>(
          'select merchant_id as "merchantId" from transactions where id = $1',
          [transactionId],
        )
      )[0] ?? { merchantId: "" };
      const ids = [merchantId as Id<"merchant">, transactionId as Id<"transaction">] as const;
      await inContext(gateway.database, (ctx) =>
        recoverAttempt(enterMeanwhile(ctx, transactionId, entered), ...ids, read),
      );
      assert.equal(await phaseOf(transactionId), entered);
      assert.equal((await getTransaction(shop, transactionId)).result.status, "pending");
      // Its twin: without the interleaving the job ends the attempt.
      await setPhase(transactionId, read);
      await inContext(gateway.database, (ctx) => recoverAttempt(ctx, ...ids, read));
      assert.equal((await getTransaction(shop, transactionId)).result.status, "declined");
      assert.ok(challenge.sealed);
    });
  }

  test("a process that stalled until its deadline does not call the acquirer any more", async () => {
    stall = true;
    authorised = [];
    const frame = await openFrame(shop);
    // Another card than before: a counted attempt begins with other statements.
    const paid = ok(await frame.pay({ card: { number: "5555555555554444" } }));
    assert.equal(paid.state, "pending");
    assert.equal(stall, false, "it stalled");
    await eventually("the recovery has declined it", async () => {
      return (await getTransaction(shop, paid.transactionId)).result.status === "declined";
    });
    assert.deepEqual(authorised, []);
    const next = await openFrame(shop);
    assert.equal(ok(await next.pay()).state, "approved");
    assert.equal(authorised.length, 1);
  });
});
