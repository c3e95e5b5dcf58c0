import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import {
  verifyWebhook,
  WebhookRejected,
  type WebhookRequest,
} from "../../../packages/client/src/webhooks.ts";

const KEY = "a-signing-key-of-many-characters-1234567890";
const SECRET = `whsec_${Buffer.from(KEY).toString("base64")}`;
const NOW = Date.UTC(2026, 5, 1, 12);
const EVENT = {
  id: "evt_1",
  reference: "order",
  created: "2026-06-01T12:00:00.000Z",
  version: "1.0.0",
  event: "payment_requests",
  payload: { id: "pr_1", note: "Zwei Brötchen 🥨" },
};
const BODY = JSON.stringify(EVENT);

const hex = (key: string, body = BODY) => createHmac("sha256", key).update(body).digest("hex");
const standardHeaders = (key = SECRET, at = NOW, body = BODY) => ({
  "webhook-id": "evt_1",
  "webhook-timestamp": String(Math.floor(at / 1_000)),
  "webhook-signature": new Webhook(key).sign("evt_1", new Date(at), body),
});

const request = (more: Partial<WebhookRequest>): WebhookRequest => ({
  body: BODY,
  headers: standardHeaders(),
  key: KEY,
  now: NOW,
  ...more,
});

function assertRejected(more: Partial<WebhookRequest>, reason: string): void {
  assert.throws(
    () => verifyWebhook(request(more)),
    (error) => error instanceof WebhookRejected && error.reason === reason,
  );
}

describe("verifyWebhook", () => {
  test("accepts both schemes, both forms of the key, and headers of every kind", () => {
    const simple = { "X-Signature": hex(KEY) };
    for (const headers of [
      standardHeaders(),
      simple,
      { "x-signature": [hex(KEY)] },
      new Headers(simple),
      new Headers(standardHeaders()),
    ]) {
      for (const key of [KEY, SECRET, ["another", KEY]]) {
        assert.deepEqual(verifyWebhook(request({ headers, key })), EVENT);
      }
    }
    assert.deepEqual(verifyWebhook(request({ body: Buffer.from(BODY) })), EVENT);
  });

  test("reads the event name from event or eventType", () => {
    const { event, ...rest } = EVENT;
    const body = JSON.stringify({ ...rest, eventType: event });
    assert.deepEqual(verifyWebhook(request({ body, headers: { "x-signature": hex(KEY, body) } })), EVENT);
  });

  test("accepts either key during a rotation", () => {
    const [older, newer] = ["the-old-key", "the-new-key"];
    const both = { "x-signature": hex(newer), "x-signature-previous": hex(older) };
    for (const key of [older, newer]) assert.ok(verifyWebhook(request({ headers: both, key })));
    const signed = standardHeaders(`whsec_${Buffer.from(newer).toString("base64")}`);
    const before = standardHeaders(`whsec_${Buffer.from(older).toString("base64")}`);
    const headers = {
      ...signed,
      "webhook-signature": `${signed["webhook-signature"]} ${before["webhook-signature"]}`,
    };
    for (const key of [older, newer]) assert.ok(verifyWebhook(request({ headers, key })));
  });

  test("rejects an altered, foreign-signed or unsigned request", () => {
    assertRejected({ body: BODY.replace("pr_1", "pr_2") }, "signature_wrong");
    assertRejected({ body: `${BODY} ` }, "signature_wrong");
    assertRejected({ key: "another" }, "signature_wrong");
    assertRejected({ headers: { ...standardHeaders(), "webhook-id": "evt_2" } }, "signature_wrong");
    assertRejected({ headers: { "x-signature": hex("another") } }, "signature_wrong");
    assertRejected({ headers: { "x-signature": hex(KEY).slice(0, -2) } }, "signature_wrong");
    assertRejected({ headers: { "x-signature": "" } }, "signature_wrong");
    assertRejected({ headers: {} }, "signature_missing");
    assertRejected({ key: [] }, "signature_wrong");
  });

  test("throws a TypeError for a key without bytes, also among others, even if the request is signed with it", () => {
    const [id, timestamp] = ["evt_1", String(NOW / 1_000)];
    const unkeyed = createHmac("sha256", "").update(`${id}.${timestamp}.${BODY}`).digest("base64");
    const standard = {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${unkeyed}`,
    };
    const unset = undefined as unknown as string;
    for (const headers of [standard, { "x-signature": hex("") }, standardHeaders(), {}]) {
      for (const key of ["", "whsec_", "whsec_!!!", unset, [KEY, ""], ["whsec_", KEY], [KEY, unset]]) {
        assert.throws(
          () => verifyWebhook(request({ headers, key })),
          (error) => error instanceof TypeError && /^key is missing or empty/.test(error.message),
          String(key),
        );
      }
    }
    assertRejected({ headers: { "x-signature": hex("") } }, "signature_wrong");
  });

  test("a valid signature of one scheme does not make up for an invalid one of the other", () => {
    const headers = { ...standardHeaders(), "webhook-signature": "v1,AAAA", "x-signature": hex(KEY) };
    assertRejected({ headers }, "signature_wrong");
  });

  test("rejects a timestamp that is too old or in the future, at both sides of the limit", () => {
    const limit = 300_000;
    for (const at of [NOW - limit, NOW + limit]) {
      assert.ok(verifyWebhook(request({ headers: standardHeaders(SECRET, at) })));
    }
    for (const at of [NOW - limit - 1_000, NOW + limit + 1_000]) {
      assertRejected({ headers: standardHeaders(SECRET, at) }, "too_old");
    }
    assert.ok(
      verifyWebhook(request({ headers: standardHeaders(SECRET, NOW - 400_000), maxAgeSeconds: 400 })),
    );
    assertRejected({ headers: { "x-signature": hex(KEY) }, standardOnly: true }, "signature_missing");
    assert.ok(verifyWebhook(request({ standardOnly: true })));
  });

  test("rejects a signed body that is not an event", () => {
    const odd = ["null", "[]", '"text"', "1"].map(
      (payload) => `{"id":"x","event":"ping","payload":${payload}}`,
    );
    for (const body of ["", "nonsense", "[]", "null", "{}", '{"id":"x","payload":{}}', ...odd]) {
      assertRejected({ body, headers: { "x-signature": hex(KEY, body) } }, "not_an_event");
    }
  });
});
