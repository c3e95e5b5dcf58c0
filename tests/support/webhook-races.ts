import assert from "node:assert/strict";
import type { Answer } from "./calls.ts";
import { callApi, createRequest, eventsOf, ok } from "./checkout.ts";
import { assertReceived } from "./delivery-invariants.ts";
import { eventually } from "./eventually.ts";
import { accepted, type Field, onlyOne, ownMerchant, post, type Race } from "./race.ts";
import { type Received, startReceiver } from "./receiver.ts";
import { CHECKOUT } from "./request-bodies.ts";

/** A node that delivers reads its subscriptions several times a second (docs/guides/webhooks.md); a busy machine takes longer. */
const APPLIES_WITHIN_MS = 5_000;
/** So that deliveries wait for one another at the endpoint. */
const ANSWERS_AFTER_MS = 20;

type Row = { readonly event: string; readonly status: string; readonly error: string | null };

/** A merchant with one subscription, and one event that it has received. */
async function subscribed(field: Field) {
  const own = await ownMerchant(field);
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.writeHead(200).end(), ANSWERS_AFTER_MS);
  });
  const { id } = ok(
    await callApi(own.near, "POST", "/webhooks", { event: "payment_requests", url: receiver.url }),
  );
  const { signingKey } = ok(await callApi(own.near, "GET", "/webhooks/signingkey"));
  const [event] = await eventsOf(own.near, (await createRequest(own.near)).id);
  await receiver.until(1);
  const rowsOfAll = () =>
    field.database.rows<Row>(
      "select event_id as event, status, error from deliveries where webhook_id = $1",
      [id],
    );
  return {
    ...own,
    receiver,
    id: id as string,
    change: own.of(post("/paymentrequests", CHECKOUT)),
    redeliver: own.of(post(`/events/${event.id}/redeliver`)),
    /** The deliveries once none is pending; what is on record as delivered has arrived, and verifies. */
    whenDone: async () => {
      const rows = await eventually("no delivery is pending", async () => {
        const all = await rowsOfAll();
        return all.every(({ status }) => status !== "pending") && all;
      });
      assertReceived(receiver.received, signingKey);
      const arrived = new Set(receiver.received.map(({ headers }) => String(headers["webhook-id"])));
      const delivered = rows.filter(({ status }) => status === "delivered");
      assert.deepEqual(
        delivered.filter((row) => !arrived.has(row.event)),
        [],
        "on record as delivered, but it did not arrive",
      );
      return rows;
    },
  };
}

/** How long after that moment the last of these deliveries arrived. */
const latestAfter = (moment: number, received: readonly Received[]) =>
  Math.max(0, ...received.map(({ at }) => at - moment));

/** Where the deliveries of these changes went, in the order in which they arrived. */
function pathsOf(received: readonly Received[], changed: readonly Answer[]): readonly string[] {
  const ids = new Set(changed.map(({ body }): string => body.id));
  return received.flatMap(({ path, body }) => (ids.has(JSON.parse(body).payload.id) ? [path] : []));
}

export const WEBHOOK_RACES: readonly Race[] = [
  {
    name: "move a webhook, deliver and redeliver",
    outcomes: ["delivered first", "moved first"],
    prepare: async (field) => {
      const { near, of, receiver, id, change, redeliver, whenDone } = await subscribed(field);
      const url = receiver.url.replace("/hook", "/moved");
      let movedAt = Number.POSITIVE_INFINITY;
      return {
        verbs: [
          of(async (shop) => {
            const answer = await callApi(shop, "PUT", `/webhooks/${id}`, { url });
            movedAt = Math.min(movedAt, Date.now());
            return answer;
          }),
          change,
          redeliver,
        ],
        check: async ([moved = [], changed = [], redelivered = []]) => {
          for (const answer of [...moved, ...changed, ...redelivered]) ok(answer);
          let created = 0;
          await eventually("events arrive at the new URL", async () => {
            await createRequest(near);
            created += 1;
            const rows = await whenDone();
            assert.equal(rows.length, 1 + changed.length + created, "every event has its delivery");
            for (const { status } of rows) assert.equal(status, "delivered");
            return receiver.received.at(-1)?.path === "/moved";
          });
          const late = latestAfter(
            movedAt,
            receiver.received.filter(({ path }) => path === "/hook"),
          );
          assert.ok(late <= APPLIES_WITHIN_MS, `the old URL was used ${late} ms after the change`);
          await receiver.close();
          return pathsOf(receiver.received, changed)[0] === "/moved" ? "moved first" : "delivered first";
        },
      };
    },
  },
  {
    name: "delete a webhook, deliver and redeliver",
    outcomes: ["delivered first", "deleted first"],
    prepare: async (field) => {
      const { near, of, receiver, id, change, redeliver, whenDone } = await subscribed(field);
      let deletedAt = Number.POSITIVE_INFINITY;
      return {
        verbs: [
          of(async (shop) => {
            const answer = await callApi(shop, "DELETE", `/webhooks/${id}`);
            if (answer.status === 200) deletedAt = Date.now();
            return answer;
          }),
          change,
          redeliver,
        ],
        check: async ([deleted = [], changed = [], redelivered = []]) => {
          onlyOne(deleted);
          for (const { status } of deleted) assert.ok(status === 200 || status === 404, String(status));
          assert.equal(accepted(changed).length, changed.length);
          for (const { status } of redelivered) assert.ok(status === 200 || status === 409, String(status));
          assert.equal((await redeliver(near)).status, 409);
          const rows = await whenDone();
          for (const { status, error } of rows)
            if (status !== "delivered") assert.deepEqual([status, error], ["failed", "subscription_deleted"]);
          const late = latestAfter(deletedAt, receiver.received);
          assert.ok(late <= APPLIES_WITHIN_MS, `a delivery arrived ${late} ms after the deletion`);
          await receiver.close();
          return pathsOf(receiver.received, changed).length > 0 ? "delivered first" : "deleted first";
        },
      };
    },
  },
];
