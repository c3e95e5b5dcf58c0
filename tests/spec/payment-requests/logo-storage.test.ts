import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { waiting } from "../../support/outage.ts";
import { dataUri, svg } from "../../support/sample-logos.ts";
import { visitPage } from "../../support/visit-page.ts";
import { assertAccepted } from "./request-assertions.ts";
import { CHECKOUT, payIdRequest } from "./sample-requests.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

/** A logo that no other test has, and a request with it. */
const logoOf = (name: string) => dataUri("image/svg+xml", svg(`<title>${name}</title>`));
const hosted = (logo: string) => ({ payment: { amount: 3000 }, hostedPaymentPage: { logo } });
const stored = async (logo: string) =>
  gateway.database.rows<{ merchant_id: string }>(
    "select merchant_id from logos where data_uri = $1 and hash = sha256(convert_to($1, 'UTF8'))",
    [logo],
  );
const rowOf = async (id: string) =>
  (
    await gateway.database.rows<{ logo: string | null; hash: string | null }>(
      "select logo, encode(logo_hash, 'hex') as hash from payment_requests where id = $1",
      [id],
    )
  )[0];

/** Everything that answers a logo: GET, the hosted page, and at last the cancellation. */
async function assertAnswered(id: string, url: string, logo: string): Promise<void> {
  assert.equal((await gateway.get(`/paymentrequests/${id}`)).body.hostedPaymentPage.logo, logo);
  const image = await visitPage(gateway, `${url}/logo`);
  assert.equal(image.text, Buffer.from(logo.split(",")[1] ?? "", "base64").toString());
  const cancelled = await gateway.post(`/paymentrequests/${id}/cancel`);
  assert.equal(cancelled.body.hostedPaymentPage.logo, logo);
}

describe("a logo is stored once per merchant, not in every request", () => {
  test("two requests with one logo share its row", async () => {
    const logo = logoOf("shared");
    const one = await assertAccepted(gateway, hosted(logo));
    const two = await assertAccepted(gateway, hosted(logo));
    assert.equal((await stored(logo)).length, 1);
    const rows = [await rowOf(one.body.id), await rowOf(two.body.id)];
    assert.match(rows[0]?.hash ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual(rows[0], rows[1]);
    assert.equal(rows[0]?.logo, null);
    for (const { body } of [one, two]) await assertAnswered(body.id, body.hostedPaymentPage.url, logo);
  });

  test("logos that differ have a row each, and each request answers its own", async () => {
    const logos = [logoOf("left"), logoOf("right")];
    const made = await Promise.all(logos.map((logo) => assertAccepted(gateway, hosted(logo))));
    for (const [index, logo] of logos.entries()) {
      assert.equal((await stored(logo)).length, 1);
      assert.equal(made[index]?.body.hostedPaymentPage.logo, logo);
    }
  });

  test("two merchants with the same logo have a row each", async () => {
    const logo = logoOf("two merchants");
    const other = await gateway.newMerchant();
    await assertAccepted(gateway, hosted(logo));
    await assertAccepted(gateway, hosted(logo), { key: other.key });
    const rows = await stored(logo);
    assert.equal(new Set(rows.map((row) => row.merchant_id)).size, 2);
    assert.equal(rows.length, 2);
  });

  test("a request without a hosted page stores none", async () => {
    const count = async () => (await gateway.database.rows("select from logos")).length;
    const before = await count();
    for (const body of [CHECKOUT, payIdRequest()]) {
      const made = await assertAccepted(gateway, body);
      assert.deepEqual(await rowOf(made.body.id), { logo: null, hash: null });
    }
    assert.equal(await count(), before);
  });

  test("a request whose idempotency key is used stores none", async () => {
    const headers = { "x-idempotency-key": "two-logos" };
    const [first, second] = [logoOf("first of a key"), logoOf("second of a key")];
    assert.equal((await gateway.post("/paymentrequests", hosted(first), { headers })).status, 200);
    assert.equal((await gateway.post("/paymentrequests", hosted(second), { headers })).status, 409);
    assert.deepEqual([(await stored(first)).length, (await stored(second)).length], [1, 0]);
  });
});

describe("requests at the same time with a logo that is new", () => {
  test("on two nodes a hundred share the rows of five logos", async () => {
    const second = await startTestGateway({ database: gateway.database });
    try {
      const logos = ["a", "b", "c", "d", "e"].map((name) => logoOf(`five ${name}`));
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const [node, order] = index % 2 === 0 ? [gateway, logos] : [second, logos.toReversed()];
          return node.post("/paymentrequests", hosted(order[(index >> 1) % 5] ?? ""));
        }),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      for (const logo of logos) assert.equal((await stored(logo)).length, 1);
    } finally {
      await second.stop();
    }
  });

  for (const end of ["commit", "rollback"] as const) {
    test(`one waits until the transaction that stores it ends with a ${end}, then succeeds`, async () => {
      const logo = logoOf(end);
      const earlier = await assertAccepted(gateway, CHECKOUT);
      const client = new pg.Client({ connectionString: gateway.database.url });
      await client.connect();
      try {
        await client.query("begin");
        await client.query(
          `insert into logos (merchant_id, hash, data_uri)
           select merchant_id, sha256(convert_to($2, 'UTF8')), $2 from payment_requests where id = $1`,
          [earlier.body.id, logo],
        );
        const answer = gateway.post("/paymentrequests", hosted(logo));
        await eventually("the request waits", async () => (await waiting(gateway.database)) === 1);
        await client.query(end);
        const { status, body } = await answer;
        assert.equal(status, 200);
        assert.equal((await stored(logo)).length, 1);
        await assertAnswered(body.id, body.hostedPaymentPage.url, logo);
      } finally {
        await client.end();
      }
    });
  }
});

test("a request cannot lose its logo, nor have two", async () => {
  const { body } = await assertAccepted(gateway, hosted(logoOf("kept")));
  for (const change of ["logo_hash = null", "logo = 'x'"])
    await assert.rejects(
      gateway.database.rows(`update payment_requests set ${change} where id = $1`, [body.id]),
      /payment_requests_logo/,
    );
});
