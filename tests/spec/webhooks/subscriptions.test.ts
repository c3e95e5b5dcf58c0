import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Mode } from "../../../src/kernel/mode.ts";
import { assertRefused } from "../../support/answers.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { makeKey } from "../../support/operator.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const URL = "http://127.0.0.1:65001/hook";

/** A separate merchant with its calls. */
async function merchant(mode: Mode = "sandbox") {
  const { key } = await gateway.newMerchant({ mode });
  return {
    key,
    get: (path: string) => gateway.get(path, { key }),
    post: (body: unknown) => gateway.post("/webhooks", body, { key }),
    put: (id: string, body: unknown) => gateway.put(`/webhooks/${id}`, body, { key }),
    remove: (id: string) => gateway.call(`/webhooks/${id}`, { method: "DELETE", key }),
  };
}

describe("contract 7: POST /webhooks", () => {
  test("returns the subscription, and GET returns the same", async () => {
    const mine = await merchant();
    const made = await mine.post({ event: "transactions", url: URL });
    assert.equal(made.status, 200);
    const { id, createdDateTime, ...rest } = made.body;
    assert.match(id, /^whk_/);
    assert.deepEqual(rest, {
      event: "transactions",
      url: URL,
      status: "active",
      updatedDateTime: createdDateTime,
      result: { mode: "sandbox", status: "ok" },
    });
    assert.deepEqual((await mine.get(`/webhooks/${id}`)).body, made.body);
    const { webhooks, count, nextCursor } = (await mine.get("/webhooks")).body;
    assert.deepEqual([webhooks, count, nextCursor], [[made.body], 1, null]);
  });

  test("allows one subscription per event value and merchant; a second is 409, even a concurrent one", async () => {
    const [mine, other] = [await merchant(), await merchant()];
    const values = ["*", "transactions", "payouts", "customers", "payment_instruments", "payment_requests"];
    for (const event of values) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => mine.post({ event, url: URL })));
      assert.deepEqual(
        answers.map(({ status }) => status).sort((one, other) => one - other),
        [200, 409, 409, 409],
      );
    }
    assertRefused(await mine.post({ event: "payouts", url: "https://else.example/" }), 409, [
      "V11910",
      "/event",
    ]);
    assert.equal((await other.post({ event: "payouts", url: URL })).status, 200);
    const { webhooks } = (await mine.get("/webhooks")).body;
    assert.deepEqual(webhooks.map((one: { event: string }) => one.event).sort(), values.sort());
  });

  const refused: readonly (readonly [unknown, string, string])[] = [
    [{ url: URL }, "V11900", "/event"],
    [{ event: "ping", url: URL }, "V11900", "/event"],
    [{ event: "Payouts", url: URL }, "V11900", "/event"],
    [{ event: "**", url: URL }, "V11900", "/event"],
    [{ event: "payment_*", url: URL }, "V11900", "/event"],
    [{ event: "payouts" }, "V11901", "/url"],
    [{ event: "payouts", url: "" }, "V11901", "/url"],
    [{ event: "payouts", url: "shop.example" }, "V11901", "/url"],
    [{ event: "payouts", url: "ftp://shop.example/" }, "V11901", "/url"],
    [{ event: "payouts", url: "https://me:word@shop.example/" }, "V11901", "/url"],
    [{ event: "payouts", url: `https://shop.example/${"x".repeat(2_028)}` }, "V11901", "/url"],
    [{ event: "payouts", url: "http://10.1.2.3/" }, "V11903", "/url"],
    [{ event: "payouts", url: "http://169.254.169.254/latest" }, "V11903", "/url"],
    [{ event: "payouts", url: "http://[::ffff:127.0.0.1]/" }, "V11903", "/url"],
    [{ event: "payouts", url: "http://0.0.0.0:8080/" }, "V11903", "/url"],
    [{ event: "payouts", url: "http://127.0.0.1:22/" }, "V11904", "/url"],
    [{ event: "payouts", url: URL, secret: "x" }, "V11003", "/secret"],
  ];
  for (const [body, code, field] of refused) {
    test(`refuses ${JSON.stringify(body).slice(0, 80)}`, async () =>
      assertRefused(await (await merchant()).post(body), 400, [code, field]));
  }

  test("accepts a URL of 2,048 characters", async () => {
    const url = `https://shop.example/${"x".repeat(2_027)}`;
    assert.equal(url.length, 2_048);
    assert.equal((await (await merchant()).post({ event: "payouts", url })).status, 200);
  });

  const live: readonly (readonly [string, string | undefined])[] = [
    ["https://shop.example/hook", undefined],
    ["https://shop.example:8443/hook", undefined],
    ["https://8.8.8.8/hook", undefined],
    ["http://shop.example/hook", "V11902"],
    ["https://shop.example:8080/hook", "V11904"],
    ["https://127.0.0.1/hook", "V11903"],
    ["https://localhost/hook", "V11903"],
    ["https://[::1]/hook", "V11903"],
    ["https://192.168.1.1/hook", "V11903"],
    ["https://2130706433/hook", "V11903"],
  ];
  for (const [url, code] of live) {
    test(`live: ${url} is ${code === undefined ? "accepted" : "refused"}`, async () => {
      const answer = await (await merchant("live")).post({ event: "payouts", url });
      if (code === undefined) assert.equal(answer.status, 200, JSON.stringify(answer.body));
      else assertRefused(answer, 400, [code, "/url"]);
    });
  }

  test("refuses a name that resolves to a private address, and accepts one that does not resolve", async () => {
    const inside = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        egress: { ...ctx.egress, pointsInside: async (url) => url.includes("inside") },
      }),
    });
    try {
      const subscribe = (url: string) => inside.post("/webhooks", { event: "payouts", url });
      assertRefused(await subscribe("https://inside.example/"), 400, ["V11903", "/url"]);
      const wrong = await inside.post("/webhooks", { event: "all", url: "https://inside.example/" });
      assertRefused(wrong, 400, ["V11900", "/event"], ["V11903", "/url"]);
      const { id } = (await subscribe("https://outside.example/")).body;
      assertRefused(await inside.put(`/webhooks/${id}`, { url: "https://inside.example/" }), 400, [
        "V11903",
        "/url",
      ]);
    } finally {
      await inside.stop();
    }
  });
});

describe("contract 7: PUT and DELETE /webhooks/{id}", () => {
  test("accepts url, status or both; updatedDateTime grows only with a change", async () => {
    const mine = await merchant();
    const { body: first } = await mine.post({ event: "payouts", url: URL });
    assert.deepEqual((await mine.put(first.id, {})).body, first);
    assert.deepEqual((await mine.put(first.id, { url: URL, status: "active" })).body, first);
    const off = (await mine.put(first.id, { status: "disabled" })).body;
    assert.equal(off.status, "disabled");
    assert.ok(off.updatedDateTime > first.updatedDateTime);
    const both = (await mine.put(first.id, { url: "https://new.example/", status: "active" })).body;
    assert.deepEqual([both.url, both.status, both.event], ["https://new.example/", "active", "payouts"]);
    assert.deepEqual((await mine.get(`/webhooks/${first.id}`)).body, both);
    assertRefused(await mine.put(first.id, { status: "paused" }), 400, ["V11905", "/status"]);
    assertRefused(await mine.put(first.id, { event: "customers" }), 400, ["V11003", "/event"]);
    assertRefused(await mine.put(first.id, { url: "http://10.0.0.1/" }), 400, ["V11903", "/url"]);
  });

  test("a deleted subscription is 404, and its event value is free again", async () => {
    const mine = await merchant();
    const { id } = (await mine.post({ event: "payouts", url: URL })).body;
    const deleted = await mine.remove(id);
    assert.deepEqual(deleted.body, { id, result: { mode: "sandbox", status: "ok" } });
    for (const again of [await mine.remove(id), await mine.get(`/webhooks/${id}`), await mine.put(id, {})]) {
      assertRefused(again, 404, "V11010");
    }
    assert.equal((await mine.post({ event: "payouts", url: URL })).status, 200);
  });

  test("another merchant's subscription is 404, like an unknown one", async () => {
    const [mine, other] = [await merchant(), await merchant()];
    const { id } = (await mine.post({ event: "payouts", url: URL })).body;
    const test = () => gateway.post(`/webhooks/${id}/test`, undefined, { key: other.key });
    for (const answer of [
      await other.get(`/webhooks/${id}`),
      await other.put(id, { status: "disabled" }),
      await other.remove(id),
      await test(),
    ]) {
      assertRefused(answer, 404, "V11010");
    }
    assert.equal((await mine.get(`/webhooks/${id}`)).body.status, "active");
    assert.equal((await other.get("/webhooks")).body.count, 0);
  });
});

describe("contract 7: the password of the deliveries is never answered, nor sent anywhere without `admin`", () => {
  const ELSEWHERE = "https://else.example/hook";
  const assertNotAllowed = ({ status, body }: Answer) => {
    const [{ id, field, reason }] = body.result.codes;
    assert.deepEqual([status, id, field], [403, "V11008", "/url"]);
    assert.match(reason, /the scope admin/);
  };

  test("a new origin needs the scope admin while there are credentials", async () => {
    const { id, key } = await gateway.newMerchant();
    const writer = (await makeKey(gateway.database, id, ["read", "write"])).key;
    const subscribe = (event: string, url: string, as = writer) =>
      gateway.post("/webhooks", { event, url }, { key: as });
    const before = await subscribe("payouts", URL);
    assert.equal(before.status, 200, "without credentials");

    const credentials = { username: "shop", password: "a secret" };
    assert.equal((await gateway.put("/webhooks/settings", credentials, { key })).status, 200);
    const refused = await subscribe("customers", ELSEWHERE);
    assertNotAllowed(refused);
    const path = `/webhooks/${before.body.id}`;
    const moved = await gateway.put(path, { url: "http://127.0.0.1:65002/hook" }, { key: writer });
    assertNotAllowed(moved);

    assert.equal((await gateway.put(path, { url: `${URL}/2` }, { key: writer })).status, 200, "same origin");
    assert.equal((await gateway.put(path, { status: "active" }, { key: writer })).status, 200);
    assert.equal((await subscribe("transactions", `${URL}/3`)).status, 200);
    assert.equal((await subscribe("customers", ELSEWHERE, key)).status, 200, "with admin");
    assert.equal((await subscribe("disputes", `${ELSEWHERE}/2`)).status, 200, "known from then on");

    const none = { username: null, password: null };
    assert.equal((await gateway.put("/webhooks/settings", none, { key })).status, 200);
    assert.equal((await subscribe("payment_requests", "https://third.example/")).status, 200);
  });
});

describe("contract 7: PUT /webhooks/settings", () => {
  test("two first changes at the same moment both count", async () => {
    for (let time = 0; time < 10; time += 1) {
      const { key } = await gateway.newMerchant();
      const change = (body: object) => gateway.put("/webhooks/settings", body, { key });
      await Promise.all([
        change({ username: "shop", password: "a secret" }),
        change({ header: "X-Authorization" }),
      ]);
      const { body } = await gateway.get("/webhooks/settings", { key });
      assert.deepEqual([body.username, body.header], ["shop", "X-Authorization"]);
    }
  });
});
