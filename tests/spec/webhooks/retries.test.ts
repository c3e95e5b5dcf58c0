import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { RETRY_WAITS } from "../../../src/features/deliveries/delivery.ts";
import { closeDeliveries, type DueSubscription } from "../../../src/features/deliveries/sending/queries.ts";
import { openDatabase, sql } from "../../../src/platform/db/database.ts";
import { createEgress, type Exchange } from "../../../src/platform/egress/egress.ts";
import { CITUS_URL } from "../../support/citus.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { withStatus } from "../../support/receiver.ts";
import { type ShopWithWebhook, type ShownAttempt, shopWithWebhook } from "../../support/webhooks.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const DAY = 86_400;
const waitOf = ({ attemptedDateTime, nextAttemptDateTime }: ShownAttempt) =>
  (Date.parse(nextAttemptDateTime ?? "") - Date.parse(attemptedDateTime ?? "")) / 1_000;

/** The subscription's current status. */
const statusOf = async (shop: ShopWithWebhook) => (await shop.get(`/webhooks/${shop.webhookId}`)).body.status;

describe("contract 7: retries", () => {
  test("follow the schedule on the sandbox clock; after the tenth attempt the delivery is failed", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    const event = await shop.eventOf(await shop.create());
    for (const [index, step] of RETRY_WAITS.entries()) {
      const waiting = await shop.untilAttempt(event, index + 1, "pending");
      assert.deepEqual([waiting.httpStatus, waiting.error], [500, "http_error"]);
      const seconds = step / 1_000;
      const slack = 3;
      assert.ok(
        waitOf(waiting) >= seconds * 0.8 - slack && waitOf(waiting) <= seconds * 1.2 + slack,
        `step ${index + 1}: ${waitOf(waiting)} s instead of ${seconds} s`,
      );
      await shop.advance(Math.ceil(seconds * 1.2) + 1);
    }
    const failed = await shop.untilAttempt(event, 10, "failed");
    assert.equal(failed.nextAttemptDateTime, null);
    await shop.advance(DAY);
    const attempts = await shop.attemptsOf(event);
    assert.deepEqual(
      attempts.map(({ attempt, status }) => [attempt, status]),
      Array.from({ length: 10 }, (_, index) => [10 - index, "failed"]),
    );
    // The request expired meanwhile, which is another event.
    const sent = shop.receiver.received.filter(({ headers }) => headers["webhook-id"] === event);
    assert.equal(sent.length, 10);
    assert.equal(new Set(sent.map(({ body }) => body)).size, 1, "one body, byte for byte");
  });

  test("the first retry follows after about five seconds", async () => {
    const shop = await shopWithWebhook(gateway, (response, { repeat }) => {
      response.writeHead(repeat === 0 ? 503 : 200).end();
    });
    const event = await shop.eventOf(await shop.create());
    const [first, second] = await shop.receiver.until(2);
    assert.ok(first && second);
    const wait = second.at - first.at;
    assert.ok(wait >= 3_900 && wait < 60_000, `${wait} ms`);
    await shop.untilAttempt(event, 2, "delivered");
    assert.equal((await shop.attemptsOf(event)).length, 2);
  });

  for (const [what, reply, least] of [
    ["429", withStatus(429), 60],
    ["503 with Retry-After: 90", withStatus(503, { "retry-after": "90" }), 90],
    ["429 with Retry-After: 10", withStatus(429, { "retry-after": "10" }), 60],
    ["301", withStatus(301, { location: "http://127.0.0.1:65001/" }), 4],
    ["400", withStatus(400), 4],
    [
      "500 with a body that never ends",
      (response: ServerResponse) => void response.writeHead(500).write("x"),
      60,
    ],
  ] as const) {
    test(`after ${what} the retry follows ${least} seconds later at the earliest`, async () => {
      const shop = await shopWithWebhook(gateway, reply);
      const waiting = await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "pending");
      assert.ok(waitOf(waiting) >= least - 1 && waitOf(waiting) < least * 1.5 + 3, `${waitOf(waiting)} s`);
    });
  }

  test("every 2xx acknowledges", async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const shop = await shopWithWebhook(gateway, withStatus(status));
      await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
    }
  });
});

const answerOf = ({ httpStatus, latencyMs, error, attemptedDateTime }: ShownAttempt) => [
  httpStatus,
  latencyMs,
  error,
  attemptedDateTime,
];

describe("contract 7: subscriptions that are disabled", () => {
  test("410 disables the subscription at once and closes its pending deliveries; enabling resumes delivery", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    const waiting = await shop.eventOf(await shop.create());
    await shop.untilAttempt(waiting, 1, "pending");
    shop.receiver.answer(withStatus(410));
    const gone = await shop.eventOf(await shop.create());
    await eventually("the subscription is disabled", async () => (await statusOf(shop)) === "disabled");
    assert.equal((await shop.untilAttempt(gone, 1, "failed")).httpStatus, 410);
    await shop.advance(10);
    const closed = await shop.untilAttempt(waiting, 1, "failed");
    assert.deepEqual(answerOf(closed), [null, null, "subscription_disabled", null]);
    const [, real] = await shop.attemptsOf(waiting);
    assert.deepEqual([real?.attempt, real?.httpStatus, real?.error], [1, 500, "http_error"]);
    assert.ok(real?.latencyMs !== null && real?.attemptedDateTime !== null);
    const silent = await shop.create();
    assert.deepEqual(await shop.attemptsOf(await shop.eventOf(silent)), []);
    shop.receiver.answer(withStatus(200));
    await shop.put(`/webhooks/${shop.webhookId}`, { status: "active" });
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
    const redelivered = await shop.post(`/events/${waiting}/redeliver`);
    assert.equal(redelivered.body.deliveries[0].error, null);
    await shop.untilAttempt(waiting, 2, "delivered");
    assert.deepEqual((await shop.attemptsOf(waiting)).slice(1), [real], "the attempt is listed once");
  });

  test("an attempt on its way when its delivery is closed is listed; the delivery keeps the reason", async () => {
    for (const [status, shown] of [
      [500, "failed"],
      [200, "delivered"],
    ] as const) {
      let reply: () => void = () => {};
      const shop = await shopWithWebhook(gateway, (response) => {
        reply = () => response.writeHead(status).end();
      });
      const event = await shop.eventOf(await shop.create());
      await shop.receiver.until(1);
      await shop.put(`/webhooks/${shop.webhookId}`, { status: "disabled" });
      const closed = await shop.untilAttempt(event, 0, "failed");
      assert.deepEqual(answerOf(closed), [null, null, "subscription_disabled", null]);
      reply();
      assert.equal((await shop.untilAttempt(event, 1)).status, shown);
      const attempts = (await shop.attemptsOf(event)).map((one) => [one.attempt, one.httpStatus, one.error]);
      const expected =
        status === 200
          ? [[1, 200, null]]
          : [
              [1, null, "subscription_disabled"],
              [1, 500, "http_error"],
            ];
      assert.deepEqual(attempts, expected);
    }
  });

  test("an acknowledgement from before a redelivery that was closed is listed; the delivery keeps the reason", async () => {
    let reply: () => void = () => {};
    const shop = await shopWithWebhook(gateway, (response) => {
      reply = () => response.writeHead(200).end();
    });
    const event = await shop.eventOf(await shop.create());
    await shop.receiver.until(1);
    await shop.post(`/events/${event}/redeliver`);
    await shop.put(`/webhooks/${shop.webhookId}`, { status: "disabled" });
    const closed = await shop.untilAttempt(event, 0, "failed");
    assert.deepEqual(answerOf(closed), [null, null, "subscription_disabled", null]);
    reply();
    assert.equal((await shop.untilAttempt(event, 1)).status, "failed");
    const attempts = (await shop.attemptsOf(event)).map((one) => [one.attempt, one.httpStatus, one.error]);
    assert.deepEqual(attempts, [
      [1, null, "subscription_disabled"],
      [1, 200, null],
    ]);
  });

  test("an attempt that is recorded while its delivery is being closed is listed, too", {
    skip: CITUS_URL === undefined ? false : "its servers do not show who waits for whom",
  }, async () => {
    let reply: () => void = () => {};
    const shop = await shopWithWebhook(gateway, (response) => {
      reply = () => response.writeHead(500).end();
    });
    const event = await shop.eventOf(await shop.create());
    await shop.receiver.until(1);
    const db = openDatabase({
      url: gateway.database.url,
      poolSize: 1,
      preparedStatements: false,
      onIdleError: () => {},
    });
    try {
      await db.transaction(async (tx) => {
        const subscription = { merchantId: shop.id, webhookId: shop.webhookId } as DueSubscription;
        await tx.rows(sql("disable", "update webhooks set status = 'disabled' where id = $1"), [
          shop.webhookId,
        ]);
        await closeDeliveries(tx, subscription, "subscription_disabled", 10);
        reply();
        await eventually("the outcome waits for the closing", async () => {
          const waiting = await gateway.database.rows(
            `select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like '%delivery_attempts%'`,
          );
          return waiting.length > 0;
        });
      });
    } finally {
      await db.close();
    }
    await shop.untilAttempt(event, 1);
    const attempts = (await shop.attemptsOf(event)).map((one) => [one.attempt, one.httpStatus, one.error]);
    assert.deepEqual(attempts, [
      [1, null, "subscription_disabled"],
      [1, 500, "http_error"],
    ]);
  });

  test("five days without a success disable it, and not a minute less", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "pending");
    await shop.advance(5 * DAY - 120);
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "pending");
    assert.equal(await statusOf(shop), "active");
    await shop.advance(120);
    await shop.create();
    await eventually("the subscription is disabled", async () => (await statusOf(shop)) === "disabled");
  });

  test("one success restarts the five days", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    const first = await shop.create();
    const created = await shop.eventOf(first);
    await shop.untilAttempt(created, 1, "pending");
    shop.receiver.answer(withStatus(200));
    await shop.advance(4 * DAY);
    // Everything that is due succeeds before the endpoint fails again: the retry, and the event of the expiry.
    await eventually(
      "the retry is delivered",
      async () => (await shop.attemptsOf(created))[0]?.status === "delivered",
    );
    const expired = await eventually("the first request expires", async () => {
      const newest = await shop.eventOf(first);
      return newest !== created && newest;
    });
    await eventually(
      "the expiry is delivered",
      async () => (await shop.attemptsOf(expired))[0]?.status === "delivered",
    );
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
    shop.receiver.answer(withStatus(500));
    await shop.advance(4 * DAY);
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "pending");
    assert.equal(await statusOf(shop), "active");
    const [row] = await gateway.database.rows<{ failing_since: Date }>(
      "select failing_since from webhooks where id = $1",
      [shop.webhookId],
    );
    assert.ok(row?.failing_since);
  });

  test("deleting or disabling a subscription closes its deliveries at once, even those due later", async () => {
    for (const how of ["deleted", "disabled"]) {
      const shop = await shopWithWebhook(gateway, withStatus(500, { "Retry-After": "3600" }));
      const event = await shop.eventOf(await shop.create());
      await shop.untilAttempt(event, 1, "pending");
      const path = `/webhooks/${shop.webhookId}`;
      if (how === "deleted") await gateway.call(path, { method: "DELETE", key: shop.key });
      else await shop.put(path, { status: "disabled" });
      assert.equal((await shop.untilAttempt(event, 1, "failed")).error, `subscription_${how}`);
    }
  });
});

describe("contract 7: an endpoint that can't be dialled counts as an attempt each time: retries follow the schedule, then the delivery is failed and the subscription disabled", () => {
  for (const [what, failure, reason] of [
    ["a name that can't be looked up", { code: "EAI_AGAIN" }, "name_service_unavailable"],
    [
      "IPv6 alone, and the gateway has IPv4 alone",
      { code: "ENETUNREACH", address: "2606:4700::1" },
      "no_route",
    ],
  ] as const)
    test(what, async () => {
      const silent = createEgress(
        async () => {
          throw Object.assign(new Error(failure.code), failure);
        },
        {},
        async (family) => family === 4,
      );
      const unnamed = await startTestGateway({ wrapContext: (ctx) => ({ ...ctx, egress: silent }) });
      try {
        const shop = await shopWithWebhook(unnamed);
        await shop.put(`/webhooks/${shop.webhookId}`, { url: "http://hooks.example:8080/" });
        const event = await shop.eventOf(await shop.create());
        for (const [index, step] of RETRY_WAITS.entries()) {
          const waiting = await shop.untilAttempt(event, index + 1, "pending");
          assert.equal(waiting.error, reason);
          await shop.advance(Math.ceil((step / 1_000) * 1.2) + 1);
        }
        await shop.untilAttempt(event, 10, "failed");
        assert.equal(await statusOf(shop), "active");
        await shop.advance(2 * DAY);
        await shop.create();
        await eventually("it is disabled", async () => (await statusOf(shop)) === "disabled");
      } finally {
        await unnamed.stop();
        await silent.close();
      }
    });
});

describe("contract 7: failures on the gateway's side", () => {
  test("do not count against the endpoint or the schedule; the retry follows a minute later", async () => {
    let offline = true;
    const noNetwork: Exchange = {
      outcome: "failed",
      reason: "network_unreachable",
      isOurs: true,
      latencyMs: 1,
    };
    const isolated = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        egress: { ...ctx.egress, send: async (out) => (offline ? noNetwork : ctx.egress.send(out)) },
      }),
    });
    try {
      const shop = await shopWithWebhook(isolated);
      const event = await shop.eventOf(await shop.create());
      const waiting = await eventually("the attempt was made", async () => {
        const [one] = await shop.attemptsOf(event);
        return one?.error === "network_unreachable" && one;
      });
      assert.deepEqual([waiting.attempt, waiting.status], [0, "pending"]);
      assert.ok(waitOf(waiting) > 45 && waitOf(waiting) < 75, `${waitOf(waiting)} s`);
      await shop.advance(6 * DAY);
      await shop.create();
      assert.equal(await statusOf(shop), "active");
      const metrics: string = (await isolated.get("/metrics")).body;
      assert.match(metrics, /^tidegate_webhook_attempts_total\{outcome="own_error"\} [1-9]/m);
      assert.match(metrics, /^tidegate_webhook_attempts_total\{outcome="retried"\} 0$/m);
      offline = false;
      await shop.advance(80);
      await shop.untilAttempt(event, 1, "delivered");
      const [row] = await isolated.database.rows<{ failing_since: Date | null; failures: number }>(
        `select failing_since, failures from webhooks w
         join deliveries d on d.merchant_id = w.merchant_id and d.webhook_id = w.id limit 1`,
      );
      assert.deepEqual([row?.failing_since, row?.failures], [null, 0]);
    } finally {
      await isolated.stop();
    }
  });
});

describe("contract 10: delivery metrics", () => {
  test("count outcomes, first-attempt latency, disabled subscriptions and the queue", async () => {
    const metrics: string = (await gateway.get("/metrics", { key: null })).body;
    for (const line of [
      'attempts_total{outcome="delivered"}',
      'attempts_total{outcome="retried"}',
      'attempts_total{outcome="failed"}',
      'subscriptions_disabled_total{reason="gone"}',
      'subscriptions_disabled_total{reason="failing"}',
      "first_attempt_seconds_count",
    ]) {
      const [, count = "no line"] = metrics.split(`\ntidegate_webhook_${line} `);
      assert.ok(Number.parseInt(count, 10) > 0, line);
    }
    for (const name of ["due", "oldest_due_seconds", 'in_hand{state="queued"}', 'in_hand{state="slow"}'])
      assert.ok(metrics.includes(`\ntidegate_webhook_${name} `), name);
  });

  test("a first attempt is counted with the time since its change", async () => {
    // A gateway of its own: a moved clock counts, too.
    const still = await startTestGateway();
    try {
      const shop = await shopWithWebhook(still);
      for (let n = 0; n < 3; n += 1)
        await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
      const metrics: string = (await still.get("/metrics", { key: null })).body;
      const within = /first_attempt_seconds_bucket\{le="60"\} (\d+)/.exec(metrics)?.[1];
      const count = /first_attempt_seconds_count (\d+)/.exec(metrics)?.[1];
      assert.deepEqual([within, count], ["3", "3"], "each within a minute");
    } finally {
      await still.stop();
    }
  });
});
