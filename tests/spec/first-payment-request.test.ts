import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

describe("spec 4: a first payment request", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway();
  });
  after(() => gateway.stop());

  test("can be read after creation and has one event", async () => {
    const created = await gateway.post("/paymentrequests", {
      payment: { amount: 3000 },
      paymentMethods: ["card"],
      transactionRequest: {},
    });
    assert.equal(created.status, 200);
    assert.equal(created.body.paymentRequestStatus, "created");
    assert.deepEqual((await gateway.get(`/paymentrequests/${created.body.id}`)).body, created.body);
    const events = await gateway.get(`/events?resourceid=${created.body.id}`);
    assert.equal(events.body.count, 1);
    assert.deepEqual(events.body.events[0].payload, created.body);
  });
});
