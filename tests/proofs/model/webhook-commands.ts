import assert from "node:assert/strict";
import fc from "fast-check";
import { callApi, ok } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { at, command, commandOn, crashAfter } from "./command.ts";
import { readRows } from "./list-commands.ts";
import { count, type Model, where } from "./model.ts";
import { make, type Real, write } from "./real.ts";

const EVENTS = fc.constantFrom("*", "transactions", "payment_requests", "payouts");
const page = fc.constantFrom("a", "b");
const urlOf = (real: Real, of: string) => `${real.receiver.url}/${of}`;

/** One subscription per event value. */
export const createWebhook = fc.record({ event: EVENTS, page, crashAfter }).map((input) =>
  command(`create webhook ${JSON.stringify(input)}`, async (model, real) => {
    const { event, crashAfter } = input;
    const body = { event, url: urlOf(real, input.page) };
    const refused = where(model.webhooks, (one) => one.event === event).size > 0 ? 409 : undefined;
    const path = "/webhooks";
    const made = await write(model, real, { method: "POST", path, body, crashAfter, refused });
    if (made === undefined) return;
    const { createdDateTime: created } = ok(await callApi(real.shop(), "GET", `/webhooks/${made.id}`));
    model.webhooks.set(made.id, { ...body, status: "active", created });
    await assertWebhook(model, real, made.id);
  }),
);

export const changeWebhook = fc
  .record({ at, page, status: fc.constantFrom("active", "disabled"), crashAfter })
  .map((input) =>
    commandOn(
      `change webhook ${JSON.stringify(input)}`,
      ({ webhooks }) => webhooks,
      input.at,
      async (model, real, id, webhook) => {
        const { status, crashAfter } = input;
        const body = { url: urlOf(real, input.page), status };
        await make(model, real, { method: "PUT", path: `/webhooks/${id}`, body, crashAfter });
        model.webhooks.set(id, { ...webhook, ...body });
        await assertWebhook(model, real, id);
      },
    ),
  );

export const deleteWebhook = fc.record({ at, crashAfter }).map((input) =>
  commandOn(
    `delete webhook ${JSON.stringify(input)}`,
    ({ webhooks }) => webhooks,
    input.at,
    async (model, real, id) => {
      const path = `/webhooks/${id}`;
      await make(model, real, { method: "DELETE", path, crashAfter: input.crashAfter });
      model.webhooks.delete(id);
      assert.equal((await callApi(real.shop(), "GET", path)).status, 404);
    },
  ),
);

async function assertWebhook(model: Model, real: Real, id: string): Promise<void> {
  const {
    event,
    url,
    status,
    createdDateTime: created,
  } = ok(await callApi(real.shop(), "GET", `/webhooks/${id}`));
  assert.deepEqual({ event, url, status, created }, model.webhooks.get(id));
}

export const testWebhook = at.map((place) =>
  commandOn(
    `test webhook ${place}`,
    ({ webhooks }) => webhooks,
    place,
    async (model, real, id) => {
      count(model, "calls");
      const { status, id: pingId } = ok(await callApi(real.shop(), "POST", `/webhooks/${id}/test`));
      assert.deepEqual([status, arrivals(real, pingId)], ["delivered", 1]);
    },
  ),
);

const arrivals = (real: Real, eventId: string) =>
  real.receiver.received.filter(({ headers }) => headers["webhook-id"] === eventId).length;

const activeFor = ({ webhooks }: Model, value: string) =>
  where(webhooks, ({ event, status }) => status === "active" && (event === "*" || event === value));

/** The newest event goes out again to every subscription that is active for it. */
export const redeliver = fc
  .record({ event: fc.constantFrom("transactions", "customers", "payment_requests"), crashAfter })
  .map((input) =>
    command(`redeliver ${JSON.stringify(input)}`, async (model, real) => {
      const { events } = ok(await callApi(real.shop(), "GET", `/events?limit=1&event=${input.event}`));
      if (events.length === 0) return;
      const { id } = events[0];
      const active = activeFor(model, input.event);
      const refused = active.size > 0 ? undefined : 409;
      const before = arrivals(real, id);
      const path = `/events/${id}`;
      const { crashAfter } = input;
      const again = { method: "POST", path: `${path}/redeliver`, crashAfter, refused } as const;
      if ((await write(model, real, again)) === undefined) return;
      await eventually(`${id} arrives again`, async () => arrivals(real, id) > before);
      await eventually(`${id} is delivered to all`, async () => {
        const { deliveries } = ok(await callApi(real.shop(), "GET", `${path}/deliveries?limit=100`));
        const newest = [...active.keys()].map((webhookId) => deliveries.find(isOf(webhookId)));
        return newest.every((one) => one?.status === "delivered");
      });
    }),
  );

const isOf = (id: string) => (delivery: { readonly webhookId: string }) => delivery.webhookId === id;

/** Events between two of the newest go out again, each as often as it has active subscriptions. */
export const redeliverPeriod = at.map((place) =>
  command(`redeliver a period ${place}`, async (model, real) => {
    const { events } = ok(await callApi(real.shop(), "GET", "/events?limit=20"));
    const [createdFrom, createdTo] = [events[place % events.length]?.created, events[0]?.created];
    if (createdFrom === createdTo) return;
    const query = { createdFrom, createdTo };
    const list = { path: "/events", name: "events", limit: 100, query };
    const within = await readRows<{ readonly event: string }>(model, real, list);
    const expected = within.reduce((sum, { event }) => sum + activeFor(model, event).size, 0);
    count(model, "calls");
    const done = ok(await callApi(real.shop(), "POST", "/events/redeliver", query));
    assert.equal(done.count, expected, JSON.stringify(query));
  }),
);

/** The key is replaced once, whatever happens. */
export const rotateKey = crashAfter.map((crashAfter) =>
  command(`rotate the signing key ${crashAfter ?? ""}`, async (model, real) => {
    const path = "/webhooks/signingkey";
    const read = async () => ok(await callApi(real.shop(), "GET", path));
    const before = await read();
    assert.equal(before.signingKey, model.signingKey ?? before.signingKey);
    await make(model, real, { method: "POST", path: `${path}/rotate`, crashAfter });
    const { signingKey, standardWebhooksSecret } = await read();
    assert.notEqual(signingKey, before.signingKey);
    assert.equal(standardWebhooksSecret, `whsec_${Buffer.from(signingKey).toString("base64")}`);
    model.signingKey = signingKey;
  }),
);

/** A user name and a password come and go together. */
export const changeSettings = fc
  .record({
    username: fc.constantFrom("tide", null, undefined),
    password: fc.constantFrom("a long password", null, undefined),
    header: fc.constantFrom("Authorization", "X-Authorization"),
    crashAfter,
  })
  .map(({ crashAfter, ...change }) =>
    command(`change webhook settings ${JSON.stringify({ ...change, crashAfter })}`, async (model, real) => {
      const path = "/webhooks/settings";
      const { username, hasPassword } = model.settings;
      const after = {
        username: change.username === undefined ? username : change.username,
        hasPassword: change.password === undefined ? hasPassword : change.password !== null,
        header: change.header,
      };
      const refused = (after.username !== null) === after.hasPassword ? undefined : 400;
      const sent = { method: "PUT", path, body: change, crashAfter, refused } as const;
      if ((await write(model, real, sent)) !== undefined) model.settings = after;
      const { result: _, ...read } = ok(await callApi(real.shop(), "GET", path));
      const { hasPassword: __, ...shown } = model.settings;
      assert.deepEqual(read, shown);
    }),
  );
