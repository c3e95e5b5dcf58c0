import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { assertAccepted, assertRefused, postRequest } from "./request-assertions.ts";
import { freshPayId, payIdRequest, withValue } from "./sample-requests.ts";

const IN_USE = [["V11135", "/payment/instrument/payId/value"]] as const;
const DAY_SECONDS = 24 * 60 * 60;

let gateway: TestGateway;
let other: string;
before(async () => {
  // No worker: an expired request stays `created` in the table until a read or another request expires it.
  const environment = { TIDEGATE_ROLES: "api", TIDEGATE_RATE_LIMIT: "0" };
  gateway = await startTestGateway({ environment });
  other = (await gateway.newMerchant()).key;
});
after(() => gateway.stop());

const statusInTable = async (id: string) => {
  const rows = await gateway.database.rows<{ status: string }>(
    "select status from payment_requests where id = $1",
    [id],
  );
  return rows[0]?.status;
};

describe("contract 8: a PayID is unique among all open requests of all merchants", () => {
  test("in use by another merchant's open request, it is 409 and nothing is written", async () => {
    const value = freshPayId();
    await assertAccepted(gateway, payIdRequest(value), { key: other });
    await assertRefused(gateway, payIdRequest(value), IN_USE, { status: 409 });
  });

  test("capitals are stored in lower case, so they make no other PayID", async () => {
    const value = freshPayId();
    const { body } = await assertAccepted(gateway, payIdRequest(value.toUpperCase()));
    assert.equal(body.payment.instrument.payId.email, `${value}@payid.tidegate.test`);
    await assertRefused(gateway, payIdRequest(value), IN_USE, { status: 409 });
    await assertRefused(gateway, payIdRequest(`I${value.slice(1)}`), IN_USE, { status: 409 });
  });

  test("is paid in AUD, also by default of a merchant in New Zealand", async () => {
    const { key } = await gateway.newMerchant({ country: "NZ" });
    const { body } = await assertAccepted(gateway, payIdRequest(), { key });
    assert.equal(body.payment.currencyCode, "AUD");
    for (const sender of [key, other]) {
      const inCurrency = (code: string) => withValue(payIdRequest(), "/payment/currencyCode", code);
      await assertAccepted(gateway, inCurrency("AUD"), { key: sender });
      await assertRefused(gateway, inCurrency("NZD"), [["V11102", "/payment/currencyCode"]], { key: sender });
    }
  });

  test("in use by the merchant's own open request, it is 409 too", async () => {
    const value = freshPayId();
    await assertAccepted(gateway, payIdRequest(value));
    await assertRefused(gateway, payIdRequest(value), IN_USE, { status: 409 });
  });

  test("the refusal does not use up the idempotency key", async () => {
    const value = freshPayId();
    await assertAccepted(gateway, payIdRequest(value), { key: other });
    const headers = { "x-idempotency-key": `key of ${value}`.replaceAll(" ", "-") };
    assert.equal((await postRequest(gateway, payIdRequest(value), { headers })).status, 409);
    assert.equal((await postRequest(gateway, payIdRequest(freshPayId()), { headers })).status, 200);
  });

  test("is free again after a cancellation", async () => {
    const value = freshPayId();
    const { body } = await assertAccepted(gateway, payIdRequest(value), { key: other });
    await gateway.post(`/paymentrequests/${body.id}/cancel`, undefined, { key: other });
    await assertAccepted(gateway, payIdRequest(value));
  });

  test("of 20 concurrent requests for one value, one succeeds", async () => {
    const value = freshPayId();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        postRequest(gateway, payIdRequest(value), index % 2 === 0 ? { key: other } : {}),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).sort((one, two) => one - two),
      [200, ...Array.from({ length: 19 }, () => 409)],
    );
  });
});

describe("contract 3, 8: a PayID is free as soon as its request expires", () => {
  test("even before a worker runs, and the old request expires with its event", async () => {
    const { key } = await gateway.newMerchant();
    const value = freshPayId();
    const { body: old } = await assertAccepted(gateway, payIdRequest(value), { key });
    await gateway.post("/sandbox/clock/advance", { seconds: DAY_SECONDS - 60 }, { key });
    await assertRefused(gateway, payIdRequest(value), IN_USE, { status: 409 });

    await gateway.post("/sandbox/clock/advance", { seconds: 60 }, { key });
    assert.equal(await statusInTable(old.id), "created");
    await assertAccepted(gateway, payIdRequest(value));
    assert.equal(await statusInTable(old.id), "expired");
    const { body } = await gateway.get(`/events?resourceid=${old.id}`, { key });
    assert.deepEqual(
      body.events.map((event: typeof old) => event.payload.paymentRequestStatus),
      ["expired", "created"],
    );
  });

  test("by the clock of the merchant that holds it", async () => {
    const { key } = await gateway.newMerchant();
    const value = freshPayId();
    await assertAccepted(gateway, payIdRequest(value), { key: other });
    await gateway.post("/sandbox/clock/advance", { seconds: 2 * DAY_SECONDS }, { key });
    await assertRefused(gateway, payIdRequest(value), IN_USE, { status: 409, key });
  });

  test("of 10 concurrent requests for an expired value, one succeeds", async () => {
    const { key } = await gateway.newMerchant();
    const value = freshPayId();
    const { body: old } = await assertAccepted(gateway, payIdRequest(value), { key });
    await gateway.post("/sandbox/clock/advance", { seconds: DAY_SECONDS }, { key });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => postRequest(gateway, payIdRequest(value))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 9);
    const events = await gateway.get(`/events?resourceid=${old.id}`, { key });
    assert.equal(events.body.count, 2);
  });

  test("after a read has shown it as expired too", async () => {
    const { key } = await gateway.newMerchant();
    const value = freshPayId();
    const { body: old } = await assertAccepted(gateway, payIdRequest(value), { key });
    await gateway.post("/sandbox/clock/advance", { seconds: DAY_SECONDS }, { key });
    const read = await gateway.get(`/paymentrequests/${old.id}`, { key });
    assert.equal(read.body.paymentRequestStatus, "expired");
    await assertAccepted(gateway, payIdRequest(value));
  });
});
