import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHORES } from "../../../src/app/jobs.ts";
import type { Context } from "../../../src/platform/context.ts";
import { assertRefused } from "../../support/answers.ts";
import { runCommand } from "../../support/command-line.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { readPages } from "../../support/pages.ts";
import { withStatus } from "../../support/receiver.ts";
import { typeCommand } from "../../support/typed-command.ts";
import { watchContext } from "../../support/watched-context.ts";
import { writeEvents } from "../../support/webhook-load.ts";
import { type ShopWithWebhook, type ShownAttempt, shopWithWebhook } from "../../support/webhooks.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

describe("contract 7: POST /events/{id}/redeliver", () => {
  test("sends the same bytes as the next attempt", async () => {
    const shop = await shopWithWebhook(gateway);
    const event = await shop.eventOf(await shop.create());
    await shop.untilAttempt(event, 1, "delivered");
    const answer = await shop.post(`/events/${event}/redeliver`);
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.body.id, answer.body.deliveries[0].status], [event, "pending"]);
    await shop.untilAttempt(event, 2, "delivered");
    const [one, two] = await shop.receiver.until(2);
    assert.equal(one?.body, two?.body);
    assert.equal(one?.headers["x-signature"], two?.headers["x-signature"]);
    assert.deepEqual(
      (await shop.attemptsOf(event)).map(({ attempt, status }) => [attempt, status]),
      [
        [2, "delivered"],
        [1, "delivered"],
      ],
    );
  });

  test("restarts the retry schedule, even after the last retry", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    const event = await shop.eventOf(await shop.create());
    await shop.untilAttempt(event, 1, "pending");
    await gateway.database.rows(
      "update deliveries set status = 'failed', failures = 10 where event_id = $1",
      [event],
    );
    await shop.post(`/events/${event}/redeliver`);
    const waiting = await shop.untilAttempt(event, 2, "pending");
    const wait = Date.parse(waiting.nextAttemptDateTime ?? "") - Date.parse(waiting.attemptedDateTime ?? "");
    assert.ok(wait < 10_000, `${wait} ms`);
  });

  test("during an attempt, adds another attempt after it", async () => {
    const held: (() => void)[] = [];
    const shop = await shopWithWebhook(gateway, (response) => {
      held.push(() => response.end());
    });
    const event = await shop.eventOf(await shop.create());
    await eventually("the first attempt is in flight", async () => held.length === 1);
    assert.equal((await shop.post(`/events/${event}/redeliver`)).status, 200);
    held[0]?.();
    await eventually("the second attempt is in flight", async () => held.length === 2);
    held[1]?.();
    await shop.untilAttempt(event, 2, "delivered");
  });

  test("goes to the active subscription, even if the event is older", async () => {
    const shop = await shopWithWebhook(gateway);
    const event = await shop.eventOf(await shop.create());
    await shop.untilAttempt(event, 1, "delivered");
    await gateway.call(`/webhooks/${shop.webhookId}`, { method: "DELETE", key: shop.key });
    assertRefused(await shop.post(`/events/${event}/redeliver`), 409, "V11930");
    const { id } = (await shop.post("/webhooks", { event: "payment_requests", url: shop.receiver.url })).body;
    await shop.post(`/events/${event}/redeliver`);
    await shop.receiver.until(2);
    const rows = await eventually("both attempts are shown", async () => {
      const shown = await shop.attemptsOf(event);
      return shown.length === 2 && shown.every(({ status }) => status === "delivered") && shown;
    });
    assert.deepEqual(new Set(rows.map(({ webhookId }) => webhookId)), new Set([id, shop.webhookId]));
  });

  test("another merchant's event is 404, like an unknown one", async () => {
    const [shop, other] = [await shopWithWebhook(gateway), await shopWithWebhook(gateway)];
    const event = await shop.eventOf(await shop.create());
    assertRefused(await other.post(`/events/${event}/redeliver`), 404, "V11010");
    assertRefused(await other.get(`/events/${event}/deliveries`), 404, "V11010");
  });
});

describe("contract 7: POST /events/redeliver", () => {
  test("sends the events of the time range, and no others", async () => {
    const shop = await shopWithWebhook(gateway);
    const ids = [await shop.create()];
    await shop.advance(3_600);
    ids.push(await shop.create(), await shop.create());
    await shop.advance(3_600);
    ids.push(await shop.create());
    await shop.receiver.until(4);
    const { events } = (await shop.get("/events")).body;
    const created = events.map(({ created }: { created: string }) => created).reverse();
    await eventually("all are delivered", async () => {
      const rows = await gateway.database.rows(
        "select from deliveries where merchant_id = $1 and status = 'delivered'",
        [shop.id],
      );
      return rows.length === 4;
    });
    shop.receiver.clear();
    const range = { createdFrom: created[1], createdTo: created[3] };
    assert.equal((await shop.post("/events/redeliver", { ...range, event: "transactions" })).body.count, 0);
    assert.equal((await shop.post("/events/redeliver", range)).body.count, 2);
    const again = await shop.receiver.until(2);
    assert.deepEqual(
      new Set(again.map(({ body }) => JSON.parse(body).payload.id)),
      new Set([ids[1], ids[2]]),
    );
    assertRefused(
      await shop.post("/events/redeliver", { createdFrom: created[1], createdTo: created[1] }),
      400,
      ["V11932", "/createdTo"],
    );
    const backwards = { createdFrom: created[1], createdTo: created[0], event: "*" };
    const refused = await shop.post("/events/redeliver", backwards);
    assertRefused(refused, 400, ["V11934", "/event"], ["V11932", "/createdTo"]);
    assert.match(refused.body.result.codes[0].detail, /leave `event` out for all/);
    assertRefused(await shop.post("/events/redeliver", { createdTo: created[1] }), 400, [
      "V11931",
      "/createdFrom",
    ]);
  });
});

describe("contract 7: the limit of POST /events/redeliver", () => {
  test("accepts 10,000 events and refuses one more", async () => {
    const shop = await shopWithWebhook(gateway);
    await shop.put(`/webhooks/${shop.webhookId}`, { status: "disabled" });
    const range = { createdFrom: "2020-01-01T00:00:00Z", createdTo: "2099-01-01T00:00:00Z" };
    await writeEvents(gateway, shop.id, 10_000);
    const accepted = await shop.post("/events/redeliver", range);
    assert.deepEqual([accepted.status, accepted.body.count], [200, 0]);
    await writeEvents(gateway, shop.id, 1, 10_000);
    assertRefused(await shop.post("/events/redeliver", range), 409, "V11933");
  });
});

describe("contract 10: tidegate events redeliver", () => {
  test("redelivers on the command line and prints the count", async () => {
    const shop = await shopWithWebhook(gateway);
    await shop.create();
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
    await shop.receiver.until(2);
    const moment = (ms: number) => new Date(Date.now() + ms).toISOString();
    const args = ["events", "redeliver", "--merchant", shop.id, "--from", moment(-3_600_000)];
    const run = await runCommand(gateway.database, [...args, "--to", moment(3_600_000), "--json"]);
    assert.deepEqual([run.code, run.stderr, JSON.parse(run.stdout)], [0, "", { count: 2 }]);
    await shop.receiver.until(4);
    const wrong = await runCommand(gateway.database, [...args, "--to", moment(-7_200_000)]);
    assert.deepEqual([wrong.code, wrong.stderr], [2, "tidegate: --to must be after --from\n"]);
    const unclear = await runCommand(gateway.database, [...args, "--to", "tomorrow"]);
    assert.match(unclear.stderr, /--to must be a time/);
  });

  test("a failure says how many start again so far, and where to go on", async () => {
    const shop = await shopWithWebhook(gateway);
    await shop.untilAttempt(await shop.eventOf(await shop.create()), 1, "delivered");
    const [from, to] = [Date.now() - 3_600_000, Date.now() + 7_200_000];
    const period = ["--from", new Date(from).toISOString(), "--to", new Date(to).toISOString()];
    const words = ["events", "redeliver", "--merchant", shop.id, ...period];
    let steps = 0;
    const failing = (ctx: Context) =>
      watchContext(ctx, async (point) => {
        if (point !== "delivery_find_end_of_portion:before") return;
        steps += 1;
        if (steps === 3) throw new Error("the database is away");
      });
    const { json, lines, problem } = await typeCommand({ ...gateway, wrapContext: failing }, ...words);
    assert.match(String(problem), /the database is away/);
    const next = new Date(from + 7_200_000).toISOString();
    assert.deepEqual(json, { count: 1, next });
    assert.ok(lines.join(" ").includes(`--from ${next}`));
    const stopped = { ...gateway, terminal: { interrupted: () => AbortSignal.abort() } };
    const none = await typeCommand(stopped, ...words);
    assert.deepEqual(none.json, { count: 0, next: new Date(from).toISOString() });
    assert.match(String(none.problem), /interrupted before the end/);
  });

  test("redelivers more events of one moment than a statement takes, each once", async () => {
    const quiet = await startTestGateway({ environment: { TIDEGATE_ROLES: "api" } });
    try {
      const { id, key } = await quiet.newMerchant();
      await quiet.post("/webhooks", { event: "payment_requests", url: "http://127.0.0.1:4999/" }, { key });
      await writeEvents(quiet, id, 2_500);
      // The moment in the ids of these events.
      const period = ["--from", "2025-07-12T18:00:00Z", "--to", "2025-07-12T20:00:00Z"];
      const args = ["events", "redeliver", "--merchant", id, ...period, "--json"];
      const run = await runCommand(quiet.database, args);
      assert.deepEqual([run.code, JSON.parse(run.stdout)], [0, { count: 2_500 }]);
      const rounds = await quiet.database.rows("select round, count(*)::int from deliveries group by round");
      assert.deepEqual(rounds, [{ round: 1, count: 2_500 }]);
    } finally {
      await quiet.stop();
    }
  });
});

describe("contract 7: GET /events/{id}/deliveries", () => {
  /** The attempts on pages of two rows, as `<first or second subscription> <attempt>`. */
  async function walkPages(shop: ShopWithWebhook, event: string): Promise<readonly string[]> {
    const pages = await readPages(
      async (cursor) => (await shop.get(`/events/${event}/deliveries?limit=2${cursor}`)).body,
    );
    for (const { count, deliveries } of pages) assert.ok(count === deliveries.length && count <= 2);
    return pages.flatMap(({ deliveries }) =>
      (deliveries as readonly ShownAttempt[]).map(
        ({ webhookId, attempt }) => `${webhookId === shop.webhookId ? "first" : "second"} ${attempt}`,
      ),
    );
  }

  test("pages contain every attempt once, the newest first whatever its subscription", async () => {
    const shop = await shopWithWebhook(gateway);
    const event = await shop.eventOf(await shop.create());
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await shop.untilAttempt(event, attempt, "delivered");
      await shop.post(`/events/${event}/redeliver`);
    }
    await shop.untilAttempt(event, 5, "delivered");
    await gateway.call(`/webhooks/${shop.webhookId}`, { method: "DELETE", key: shop.key });
    await shop.post("/webhooks", { event: "payment_requests", url: shop.receiver.url });
    await shop.post(`/events/${event}/redeliver`);
    await shop.untilAttempt(event, 1, "delivered");
    const ofFirst = ["first 5", "first 4", "first 3", "first 2", "first 1"];
    assert.deepEqual(await walkPages(shop, event), ["second 1", ...ofFirst]);
    await gateway.database.rows(
      "update delivery_attempts set attempted_at = to_timestamp(1767225600 + attempt * 0.000009) where event_id = $1",
      [event],
    );
    assert.deepEqual(await walkPages(shop, event), ["second 1", ...ofFirst], "within one millisecond");
    for (const query of [
      "cursor=x",
      `cursor=${btoa("1 pr_x 1")}`,
      `cursor=${btoa("999999999999999 whk_x 1")}`,
    ]) {
      assertRefused(await shop.get(`/events/${event}/deliveries?${query}`), 400, ["V11021", "/cursor"]);
    }
    assertRefused(await shop.get(`/events/${event}/deliveries?limit=0`), 400, ["V11020", "/limit"]);
  });
});

describe("contract 7: the event log is kept for 30 days", () => {
  test("older events are deleted with their deliveries; younger events stay", async () => {
    const shop = await shopWithWebhook(gateway, withStatus(500));
    const old = await shop.eventOf(await shop.create());
    const young = await shop.eventOf(await shop.create());
    for (const event of [old, young]) await shop.untilAttempt(event, 1, "pending");
    await shop.advance(10);
    for (const event of [old, young]) await shop.untilAttempt(event, 2, "pending");
    const age = (event: string, hours: number) =>
      gateway.database.rows(
        "update events set created_at = now() - make_interval(hours => $2) where id = $1",
        [event, hours],
      );
    await age(old, 30 * 24 + 1);
    await age(young, 30 * 24 - 1);
    const chore = CHORES.find(({ name }) => name === "delete old events");
    assert.equal(await inContext(gateway.database, async (ctx) => chore?.run(ctx)), "done");
    assertRefused(await shop.get(`/events/${old}`), 404, "V11010");
    const left = async (table: string) =>
      (
        await gateway.database.rows<{ event_id: string }>(
          `select event_id from ${table} where merchant_id = $1`,
          [shop.id],
        )
      ).map(({ event_id }) => event_id);
    assert.deepEqual([await left("deliveries"), await left("delivery_attempts")], [[young], [young]]);
    assert.equal((await shop.get(`/events/${young}`)).status, 200);
  });
});
