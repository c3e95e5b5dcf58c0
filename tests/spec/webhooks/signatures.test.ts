import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { assertRefused } from "../../support/answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { findInDatabase } from "../../support/invariants.ts";
import { makeKey } from "../../support/operator.ts";
import type { Received } from "../../support/receiver.ts";
import { shopWithWebhook } from "../../support/webhooks.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const hex = (key: string, body: string) => createHmac("sha256", key).update(body, "utf8").digest("hex");

function verify(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

describe("spec 5, contract 7: the signing key", () => {
  test("is the same on every read, and both its forms are the same bytes", async () => {
    const shop = await shopWithWebhook(gateway);
    const { body: key } = await shop.get("/webhooks/signingkey");
    assert.deepEqual(Object.keys(key), ["signingKey", "standardWebhooksSecret", "createdDateTime", "result"]);
    assert.ok(key.signingKey.length >= 32);
    const bytes = Buffer.from(key.signingKey, "utf8");
    assert.equal(key.standardWebhooksSecret, `whsec_${bytes.toString("base64")}`);
    assert.deepEqual((await shop.get("/webhooks/signingkey")).body, key);
    const { key: other } = await gateway.newMerchant();
    const theirs = (await gateway.get("/webhooks/signingkey", { key: other })).body;
    assert.notEqual(theirs.signingKey, key.signingKey);
  });

  test("needs scope admin, and is stored in clear nowhere", async () => {
    const shop = await shopWithWebhook(gateway);
    const { key } = await makeKey(gateway.database, shop.id, ["read", "write"]);
    assertRefused(await gateway.get("/webhooks/signingkey", { key }), 403, "V11008");
    const { signingKey } = (await shop.get("/webhooks/signingkey")).body;
    assert.deepEqual(await findInDatabase(gateway.database, signingKey), []);
    assert.deepEqual(await findInDatabase(gateway.database, shop.webhookId), ["webhooks"]);
  });

  test("concurrent first reads return the same key", async () => {
    const { key } = await gateway.newMerchant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => gateway.get("/webhooks/signingkey", { key })),
    );
    assert.equal(new Set(answers.map(({ body }) => body.signingKey)).size, 1);
  });
});

describe("spec 5, contract 7: signatures", () => {
  test("X-Signature is the HMAC of the exact bytes, and standardwebhooks verifies it unmodified", async () => {
    const shop = await shopWithWebhook(gateway);
    const { signingKey, standardWebhooksSecret } = (await shop.get("/webhooks/signingkey")).body;
    const answer = await shop.post("/paymentrequests", {
      payment: { amount: 3000, description: "Zwei Brötchen 🥨" },
      paymentMethods: ["card"],
      transactionRequest: {},
    });
    const [one] = await shop.receiver.until(1);
    assert.ok(one);
    assert.match(one.body, /Brötchen 🥨/);
    assert.match(String(one.headers["x-signature"]), /^[0-9a-f]{64}$/);
    assert.equal(one.headers["x-signature"], hex(signingKey, one.body));
    assert.equal(one.headers["x-signature-previous"], undefined);
    assert.equal(one.headers["webhook-id"], JSON.parse(one.body).id);
    assert.ok(Math.abs(Number(one.headers["webhook-timestamp"]) - Date.now() / 1_000) < 30);
    assert.deepEqual(verify(standardWebhooksSecret, one), JSON.parse(one.body));
    assert.equal(JSON.parse(one.body).payload.id, answer.body.id);
    for (const altered of [
      { ...one, body: one.body.replace("3000", "3001") },
      { ...one, headers: { ...one.headers, "webhook-id": "evt_other" } },
    ]) {
      assert.throws(() => verify(standardWebhooksSecret, altered));
    }
  });

  test("webhook-timestamp is real time, whatever the sandbox clock says", async () => {
    const shop = await shopWithWebhook(gateway);
    await shop.advance(86_400 * 30);
    await shop.create();
    const [one] = await shop.receiver.until(1);
    assert.ok(Math.abs(Number(one?.headers["webhook-timestamp"]) - Date.now() / 1_000) < 30);
    assert.ok(Date.parse(JSON.parse(one?.body ?? "").created) > Date.now() + 86_400_000 * 29);
  });

  test("both keys sign for 24 hours after a rotation, then the new one alone", async () => {
    const shop = await shopWithWebhook(gateway);
    const before = (await shop.get("/webhooks/signingkey")).body;
    const rotated = (await shop.post("/webhooks/signingkey/rotate")).body;
    assert.notEqual(rotated.signingKey, before.signingKey);
    assert.deepEqual((await shop.get("/webhooks/signingkey")).body, rotated);
    await shop.create();
    const [one] = await shop.receiver.until(1);
    assert.ok(one);
    assert.equal(one.headers["x-signature"], hex(rotated.signingKey, one.body));
    assert.equal(one.headers["x-signature-previous"], hex(before.signingKey, one.body));
    verify(rotated.standardWebhooksSecret, one);
    verify(before.standardWebhooksSecret, one);
    await shop.advance(86_400 - 60);
    await shop.create();
    const [, two] = await shop.receiver.until(2);
    assert.equal(two?.headers["x-signature-previous"], hex(before.signingKey, two?.body ?? ""));
    await shop.advance(60);
    await shop.create();
    const three = (await shop.receiver.until(3)).at(-1);
    assert.ok(three);
    assert.equal(three.headers["x-signature-previous"], undefined);
    verify(rotated.standardWebhooksSecret, three);
    assert.throws(() => verify(before.standardWebhooksSecret, three));
  });
});

describe("spec 5, contract 7: basic credentials", () => {
  test("are sent in the chosen header until they are cleared", async () => {
    const shop = await shopWithWebhook(gateway);
    const settings = (body: unknown) => shop.put("/webhooks/settings", body);
    assert.deepEqual((await shop.get("/webhooks/settings")).body, {
      username: null,
      header: "Authorization",
      result: { mode: "sandbox", status: "ok" },
    });
    const basic = `Basic ${Buffer.from("käse:a:word-kept-secret", "utf8").toString("base64")}`;
    const set = await settings({ username: "käse", password: "a:word-kept-secret" });
    assert.deepEqual(set.body, { username: "käse", header: "Authorization", result: set.body.result });
    await shop.create();
    await shop.receiver.until(1);
    await settings({ header: "X-Authorization" });
    await shop.create();
    await shop.receiver.until(2);
    const cleared = await settings({ username: null, password: null });
    assert.deepEqual([cleared.body.username, cleared.body.header], [null, "X-Authorization"]);
    const blank = await settings({ username: null, password: null, header: null });
    assert.deepEqual([blank.body.username, blank.body.header], [null, "Authorization"]);
    await shop.create();
    const [one, two, three] = await shop.receiver.until(3);
    const sent = ({ headers }: Received) => [headers.authorization, headers["x-authorization"]];
    assert.ok(one && two && three);
    assert.deepEqual(
      [sent(one), sent(two), sent(three)],
      [
        [basic, undefined],
        [undefined, basic],
        [undefined, undefined],
      ],
    );
  });

  test("the password is never returned, and is stored in clear nowhere", async () => {
    const shop = await shopWithWebhook(gateway);
    const password = "word-of-secrets-9f8e7d";
    const answers = [
      await shop.put("/webhooks/settings", { username: "me", password }),
      await shop.get("/webhooks/settings"),
      await shop.get("/webhooks"),
    ];
    assert.ok(!JSON.stringify(answers.map(({ body }) => body)).includes(password));
    assert.deepEqual(await findInDatabase(gateway.database, password), []);
  });

  test("incomplete credentials and values that Basic authentication cannot carry are refused", async () => {
    const shop = await shopWithWebhook(gateway);
    const refused = async (body: unknown, code: string, field: string) =>
      assertRefused(await shop.put("/webhooks/settings", body), 400, [code, field]);
    await refused({ username: "me" }, "V11921", "/password");
    await refused({ password: "word" }, "V11920", "/username");
    await refused({ username: "a:b", password: "word" }, "V11920", "/username");
    await refused({ username: "", password: "word" }, "V11920", "/username");
    await refused({ username: "me", password: "x".repeat(256) }, "V11921", "/password");
    await refused({ header: "Cookie" }, "V11922", "/header");
    const together = async (body: unknown, ...problems: [string, string][]) =>
      assertRefused(await shop.put("/webhooks/settings", body), 400, ...problems);
    await together({ username: "me", foo: 1 }, ["V11003", "/foo"], ["V11921", "/password"]);
    await together({ password: "word", header: "Cookie" }, ["V11922", "/header"], ["V11920", "/username"]);
    await together({ username: "" }, ["V11920", "/username"], ["V11921", "/password"]);
    await together({ username: "me", password: "" }, ["V11921", "/password"]);
    assert.equal(
      (await shop.put("/webhooks/settings", { username: "x".repeat(255), password: "y".repeat(255) })).status,
      200,
    );
    assert.equal((await shop.put("/webhooks/settings", { password: "another" })).status, 200);
    await refused({ username: null }, "V11920", "/username");
  });
});
