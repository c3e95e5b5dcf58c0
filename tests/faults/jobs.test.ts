import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHORES } from "../../src/app/jobs.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { onceWithin } from "../support/once-within.ts";
import { inContext } from "../support/operator.ts";
import { CHECKOUT } from "../support/request-bodies.ts";

let one: TestGateway;
before(async () => {
  one = await startTestGateway();
});
after(() => one.stop());

type Made = { readonly key: string; readonly ids: readonly string[] };

/** Creates requests of a new merchant, all with the same expiry. */
async function makeRequests(count: number): Promise<Made> {
  const { key } = await one.newMerchant();
  const ids: string[] = [];
  for (let at = 0; at < count; at += 50) {
    const some = Array.from({ length: Math.min(50, count - at) }, () =>
      one.post("/paymentrequests", CHECKOUT, { key }),
    );
    for (const answer of await Promise.all(some)) ids.push(answer.body.id);
  }
  assert.equal(new Set(ids).size, count);
  return { key, ids };
}

const expired = async (ids: readonly string[]) =>
  (
    await one.database.rows("select 1 from payment_requests where id = any ($1) and status = 'expired'", [
      ids,
    ])
  ).length;

describe("contract 3, 10: expiry on two nodes", () => {
  test("500 requests expire within seconds, each with exactly one event, and no job is left", async () => {
    const two = await startTestGateway({ database: one.database });
    try {
      const begun = Date.now();
      const { key, ids } = await makeRequests(500);
      const startedAt = Date.now();
      const withinMs = Math.max(15_000, 5 * (startedAt - begun));
      await one.post("/sandbox/clock/advance", { seconds: 86_400 }, { key });
      await eventually("all have expired", async () => (await expired(ids)) === 500, withinMs);
      assert.ok(Date.now() - startedAt < withinMs);
      const rows = await one.database.rows<{ events: string }>(
        "select count(*) as events from events where resource_id = any ($1) group by resource_id",
        [ids],
      );
      assert.deepEqual(new Set(rows.map((row) => row.events)), new Set(["2"]));
      await eventually("no job is left", async () => {
        return (
          (await one.database.rows("select 1 from jobs where subject_id = any ($1)", [ids])).length === 0
        );
      });
    } finally {
      await two.stop();
    }
  });

  test("concurrent reads, cancellations and two workers end each request once, with one event", async () => {
    const two = await startTestGateway({ database: one.database });
    try {
      const { key, ids } = await makeRequests(60);
      const [advance, ...rest] = await Promise.all([
        one.post("/sandbox/clock/advance", { seconds: 86_400 }, { key }),
        ...ids.map((id, index) =>
          index % 2 === 0
            ? two.get(`/paymentrequests/${id}`, { key })
            : two.post(`/paymentrequests/${id}/cancel`, undefined, { key }),
        ),
      ]);
      assert.equal(advance.status, 200);
      assert.ok(rest.every((answer) => answer.status === 200 || answer.status === 409));
      await eventually("all have ended", async () => {
        const rows = await one.database.rows(
          "select 1 from payment_requests where id = any ($1) and status = 'created'",
          [ids],
        );
        return rows.length === 0;
      });
      const rows = await one.database.rows<{ events: string }>(
        "select count(*) as events from events where resource_id = any ($1) group by resource_id",
        [ids],
      );
      assert.deepEqual(new Set(rows.map((row) => row.events)), new Set(["2"]));
    } finally {
      await two.stop();
    }
  });

  test("a request expires in the database within a second, without any read", async () => {
    await onceWithin(1_000, 10, async () => {
      const { ids } = await makeRequests(1);
      const [id] = ids;
      const due = new Date(Date.now() + 700);
      await one.database.rows("update payment_requests set expires_at = $2 where id = $1", [id, due]);
      await one.database.rows("update jobs set due_at = $2 where subject_id = $1", [id, due]);
      await eventually("the request has expired", async () => (await expired(ids)) === 1);
      const late = Date.now() - due.getTime();
      assert.ok(late >= 0, `${late} ms`);
      return { tookMs: late };
    });
  });
});

describe("contract 10: a killed worker", () => {
  test("its claimed jobs come due again when the lease expires", async () => {
    const { ids } = await makeRequests(20);
    await one.database.rows(
      "update payment_requests set expires_at = now() - interval '1 minute' where id = any ($1)",
      [ids],
    );
    // The state after a worker is killed right after its claim: leased into the future, nothing done.
    await one.database.rows(
      "update jobs set due_at = now() + interval '60 seconds', tries = 1 where subject_id = any ($1)",
      [ids],
    );
    const claimed = await one.database.rows<{ tries: number }>(
      "select tries from jobs where subject_id = any ($1)",
      [ids],
    );
    assert.deepEqual(new Set(claimed.map((row) => row.tries)), new Set([1]));
    assert.equal(await expired(ids), 0);
    await one.database.rows("update jobs set due_at = now() where subject_id = any ($1)", [ids]);
    await eventually("all have expired", async () => (await expired(ids)) === 20);
  });

  test("a job that was done but not marked as done has no second effect", async () => {
    const { ids } = await makeRequests(1);
    await one.database.rows("update payment_requests set expires_at = now() where id = any ($1)", [ids]);
    await one.database.rows("update jobs set due_at = now() where subject_id = any ($1)", [ids]);
    await eventually("the request has expired", async () => (await expired(ids)) === 1);
    await one.database.rows(
      "insert into jobs (kind, merchant_id, subject_id, due_at) select 'payment_request_expire', merchant_id, id, now() from payment_requests where id = any ($1)",
      [ids],
    );
    await eventually("the job is gone", async () => {
      return (await one.database.rows("select 1 from jobs where subject_id = any ($1)", [ids])).length === 0;
    });
    assert.equal(
      (await one.database.rows("select 1 from events where resource_id = any ($1)", [ids])).length,
      2,
    );
  });

  test("a job without a subject ends, one of a newer version stays, and neither delays another job", async () => {
    await one.database.rows(
      `insert into jobs (kind, merchant_id, subject_id, due_at) values
         ('payment_request_expire', 'mer_unknown', 'pr_nothing', now()), ('of_a_newer_version', 'mer_unknown', 'x', now())`,
    );
    const { ids } = await makeRequests(5);
    await one.database.rows("update payment_requests set expires_at = now() where id = any ($1)", [ids]);
    await one.database.rows("update jobs set due_at = now() where subject_id = any ($1)", [ids]);
    await eventually("the others have expired", async () => (await expired(ids)) === 5);
    const left = await eventually("the job without a subject is gone", async () => {
      const jobs = await one.database.rows<{ kind: string; tries: number }>(
        "select kind, tries from jobs where merchant_id = 'mer_unknown'",
      );
      return jobs.length === 1 && jobs;
    });
    assert.deepEqual(left, [{ kind: "of_a_newer_version", tries: 0 }]);
    await one.database.rows("delete from jobs where merchant_id = 'mer_unknown'");
  });
});

describe("contract 2: idempotency keys are kept for at least 24 hours", () => {
  const runChores = (database: TestGateway["database"]) =>
    inContext(database, async (ctx) => {
      for (const chore of CHORES) while ((await chore.run(ctx)) === "more");
    });

  test("keys of up to 47 hours stay, and all older ones are deleted, however many there are", async () => {
    const name = (age: string) => `aged-${age.replace(" ", "-")}`;
    const key = (age: string) => ({ headers: { "x-idempotency-key": name(age) } });
    for (const age of ["24 hours", "47 hours", "49 hours"]) {
      assert.equal((await one.post("/paymentrequests", CHECKOUT, key(age))).status, 200);
      await one.database.rows(
        "update idempotency_keys set created_at = now() - $2::interval where key = $1",
        [name(age), age],
      );
    }
    await one.database.rows(
      `insert into idempotency_keys (merchant_id, key, request_id, created_at)
       select 'mer_old', 'old-' || n, 'x', now() - interval '3 days' from generate_series(1, 25000) n`,
    );
    await runChores(one.database);
    assert.equal(
      (await one.database.rows("select 1 from idempotency_keys where merchant_id = 'mer_old'")).length,
      0,
    );
    assert.equal((await one.post("/paymentrequests", CHECKOUT, key("24 hours"))).status, 409);
    assert.equal((await one.post("/paymentrequests", CHECKOUT, key("47 hours"))).status, 409);
    assert.equal((await one.post("/paymentrequests", CHECKOUT, key("49 hours"))).status, 200);
  });

  test("a gateway deletes old keys soon after it starts", async () => {
    await one.database.rows(
      `insert into idempotency_keys (merchant_id, key, request_id, created_at)
       select 'mer_old', 'old-' || n, 'x', now() - interval '3 days' from generate_series(1, 12000) n`,
    );
    const two = await startTestGateway({ database: one.database });
    try {
      await eventually("the old keys are deleted", async () => {
        return (
          (await one.database.rows("select 1 from idempotency_keys where merchant_id = 'mer_old'")).length ===
          0
        );
      });
    } finally {
      await two.stop();
    }
  });
});

describe("CONTRACT 6: keys that seal the state of a payer's frame", () => {
  test("a gateway deletes keys whose frames have expired, and keeps the others", async () => {
    await one.database.rows(
      `insert into sealing_keys (id, sealed_key, created_at) values
         ('of-long-ago', 'a', now() - interval '49 hours'), ('of-yesterday', 'b', now() - interval '47 hours')`,
    );
    const ids = () => one.database.rows<{ id: string }>("select id from sealing_keys where id like 'of-%'");
    const two = await startTestGateway({ database: one.database });
    try {
      await eventually("the old key is deleted", async () => (await ids()).length === 1);
      assert.deepEqual(await ids(), [{ id: "of-yesterday" }]);
    } finally {
      await two.stop();
    }
  });
});
