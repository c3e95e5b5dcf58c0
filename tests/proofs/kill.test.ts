import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { declareProof, sized } from "../support/proof.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { spawnGateway } from "../support/spawned-gateway.ts";

const KILLS = sized(3, 50);
const proof = declareProof("kill -9 under a stream of creates with idempotency keys", ["I8", "I9"]);

const withKey = (key: string) => ({ headers: { "x-idempotency-key": key } });

/** Keys without a resource, and resources without a key. */
const UNMATCHED_KEYS = `
  select k.key as used, r.id as made from idempotency_keys k
  full join payment_requests r on r.id = k.resource_id where (k.key is null) <> (r.id is null)`;

/** Resources without exactly one event and one job. */
const INCOMPLETE_REQUESTS = `
  select r.id from payment_requests r
  where (select count(*) from events e where e.resource_id = r.id) <> 1
     or (select count(*) from jobs j where j.subject_id = r.id) <> 1`;

describe("contract 10: kill -9 at any moment", () => {
  test(`after ${KILLS} kills under load, every answered request exists, and every used key has its resource`, async () => {
    const database = await cloneDatabase();
    try {
      const sent = new Map<string, number>();
      const answered = new Map<string, string>();
      for (let round = 0; round < KILLS; round += 1) {
        const gateway = await spawnGateway({ environment: { DATABASE_URL: database.url } });
        let running = true;
        const lanes = Array.from({ length: 8 }, async (_, lane) => {
          for (let index = 0; running; index += 1) {
            const key = `kill-${round}-${lane}-${index}`;
            const amount = sent.size + 1;
            sent.set(key, amount);
            const body = { ...CHECKOUT, payment: { amount } };
            const answer = await gateway.post("/paymentrequests", body, withKey(key)).catch(() => undefined);
            if (answer?.status === 200) answered.set(key, answer.body.id);
          }
        });
        const before = answered.size;
        await eventually("some requests are created", async () => answered.size > before + 40, 30_000);
        await gateway.kill();
        running = false;
        await Promise.all(lanes);
        assert.deepEqual(await database.rows(UNMATCHED_KEYS), []);
        assert.deepEqual(await database.rows(INCOMPLETE_REQUESTS), []);
      }
      const last = await startTestGateway({ database });
      try {
        let unanswered = 0;
        for (const [key, amount] of sent) {
          const id = answered.get(key);
          if (id === undefined) unanswered += 1;
          else assert.equal((await last.get(`/paymentrequests/${id}`)).body.payment?.amount, amount);
          // A caller that lost its answer repeats the request: it succeeds now, or the answer refers to the first one.
          const again = await last.post(
            "/paymentrequests",
            { ...CHECKOUT, payment: { amount } },
            withKey(key),
          );
          assert.ok(
            again.status === 409
              ? again.body.original.id === (id ?? again.body.original.id)
              : id === undefined,
          );
        }
        assert.ok(unanswered > 0);
        proof.count({ kills: KILLS, requests: sent.size, "unanswered requests": unanswered });
        assert.equal((await database.rows("select 1 from payment_requests")).length, sent.size);
      } finally {
        await last.stop();
      }
    } finally {
      await database.drop();
    }
  });
});
