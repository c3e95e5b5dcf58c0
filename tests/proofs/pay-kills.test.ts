import assert from "node:assert/strict";
import { test } from "node:test";
import {
  callApi,
  getTransaction,
  ok,
  openFrame,
  type RequestOverrides,
  type Shop,
  shopOf,
} from "../support/checkout.ts";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { aMinutePasses, startGatewayProcess } from "../support/gateway-process.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { NO_LIMITS } from "../support/mixed-load.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";

const KILLS = sized(8, 100);
const PAYERS = 4;

const proof = declareProof("kill -9 in a stream of card payments, captures and refunds", [
  "I1",
  "I2",
  "I4",
  "I5",
  "I6",
  "I7",
  "I13",
  "I21",
]);

const REQUESTS: readonly RequestOverrides[] = [
  {},
  { amount: 14_451 },
  { category: { authenticationType: "3d_secure" } },
  { category: { captureType: "manual" } },
  { amount: 14_481 },
];

/** Everything that gateways have answered; none of it may be lost. */
type Answered = {
  readonly approved: string[];
  readonly captured: string[];
  readonly refunds: string[];
  payments: number;
};

/** Pays, captures and refunds repeatedly until the gateway is killed. */
async function payUntilKilled(shop: Shop, random: () => number, answered: Answered): Promise<void> {
  for (;;) {
    const options = REQUESTS[Math.floor(random() * REQUESTS.length)] ?? {};
    const frame = await openFrame(shop, options);
    const presses = random() < 0.3 ? [1, 2] : [1];
    const answers = await Promise.all(presses.map(() => frame.pay()));
    const paid = answers.filter((answer) => answer.status === 200);
    assert.equal(paid.length, 1, JSON.stringify(answers.map(({ status, body }) => ({ status, body }))));
    answered.payments += 1;
    const { state, transactionId } = paid[0]?.body ?? {};
    if (state !== "approved") continue;
    answered.approved.push(transactionId);
    const path = `/transactions/${transactionId}`;
    if (options.category?.["captureType"] === "manual") {
      ok(await callApi(shop, "POST", `${path}/capture`));
      answered.captured.push(transactionId);
    }
    answered.refunds.push(
      ok(await callApi(shop, "POST", `${path}/refunds`, { payment: { amount: 100 } })).id,
    );
  }
}

test(`I21: a minute after ${KILLS} kills in a stream of payments, nothing is lost, locked or unknown`, async () => {
  const database = await cloneDatabase();
  const random = seeded(proofSeed);
  const answered: Answered = { approved: [], captured: [], refunds: [], payments: 0 };
  let next: ReturnType<typeof startGatewayProcess> | undefined;
  try {
    let kills = 0;
    // The next gateway starts before this one is killed: two nodes on one database most of the time.
    next = startGatewayProcess(database);
    await next;
    await database.rows(NO_LIMITS);
    while (kills < KILLS) {
      const gateway = await next;
      next = startGatewayProcess(database);
      const ended: unknown[] = [];
      const payers = Promise.allSettled(
        Array.from({ length: PAYERS }, () =>
          payUntilKilled(gateway.shop, random, answered).catch((error: unknown) => {
            ended.push(error);
            throw error;
          }),
        ),
      );
      const enough = answered.payments + Math.floor(random() * 8);
      try {
        await eventually(
          "the gateway has answered some payments",
          async () => {
            if (ended.length > 0) throw ended[0];
            return answered.payments >= enough;
          },
          60_000,
        );
        await new Promise((resolve) => setTimeout(resolve, random() * 60));
      } finally {
        await gateway.kill();
      }
      for (const payer of await payers) {
        // A payer's call ends in a broken connection; anything else is a wrong answer.
        if (payer.status === "rejected" && !(payer.reason instanceof TypeError)) throw payer.reason;
      }
      kills += 1;
    }
    await (await next).kill();
    next = undefined;

    const survivor = await startTestGateway({ database });
    try {
      await aMinutePasses(database);
      await eventually(
        "nothing is unsettled",
        async () => (await findUnsettled(database)).length === 0,
        20_000,
      );
      await assertInvariants(database);
      const shop = shopOf(survivor);
      for (const id of answered.approved) {
        assert.equal((await getTransaction(shop, id)).result.status, "approved");
      }
      for (const id of answered.captured) {
        assert.equal((await getTransaction(shop, id)).captureStatus, "captured");
      }
      const refunds = await database.rows<{ id: string }>("select id from refunds");
      const known = new Set(refunds.map((refund) => refund.id));
      assert.ok(answered.refunds.every((id) => known.has(id)));
      const { payments, approved } = answered;
      proof.count({ kills, payments });
      assert.ok(approved.length > kills);
    } finally {
      await survivor.stop();
    }
  } finally {
    await (await next)?.kill();
    await database.drop();
  }
});
