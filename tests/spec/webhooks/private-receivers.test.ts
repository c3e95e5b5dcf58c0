import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changeAccountAsOperator, farthestReach } from "../../../src/features/merchants/index.ts";
import { parseId } from "../../../src/kernel/ids.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { readSettings } from "../../../src/platform/config/settings.ts";
import { assertRefused } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { startReceiver } from "../../support/receiver.ts";

const LOOPBACK = "http://127.0.0.1:9999/hook";
const PRIVATE = "http://192.168.7.7:9999/hook";

async function subscribe(gateway: TestGateway, url: string) {
  const { key } = await gateway.newMerchant();
  return gateway.post("/webhooks", { event: "customers", url }, { key });
}

async function setOpen(gateway: TestGateway, merchantId: string, payId: boolean): Promise<void> {
  await inContext(gateway.database, async (ctx) => {
    const id = parseId("merchant", merchantId);
    assert.ok(id);
    await changeAccountAsOperator(ctx, id, { capabilities: { payId } });
  });
}

describe("contract 7: which private addresses webhooks of the sandbox reach", () => {
  test("by default this machine, until a live merchant opens; judged at each subscription and each delivery", async () => {
    const gateway = await startTestGateway();
    try {
      const receiver = await startReceiver();
      const { key } = await gateway.newMerchant();
      const { id } = (await gateway.post("/webhooks", { event: "customers", url: receiver.url }, { key }))
        .body;
      assertRefused(await subscribe(gateway, PRIVATE), 400, ["V11903", "/url"]);
      const live = await gateway.newMerchant({ mode: "live" });
      const ping = () => gateway.post(`/webhooks/${id}/test`, undefined, { key });
      assert.equal((await ping()).body.status, "delivered");

      await setOpen(gateway, live.id, true);
      await eventually("the ping is refused", async () => (await ping()).body.error === "address_refused");
      assertRefused(await subscribe(gateway, LOOPBACK), 400, ["V11903", "/url"]);
      assertRefused(await subscribe(gateway, "http://localhost:9999/"), 400, ["V11903", "/url"]);
      receiver.clear();
      await gateway.post("/customers", { name: "Ada", email: "ada@shop.example" }, { key });
      const failed = () =>
        gateway.database.rows("select 1 from deliveries where merchant_id <> '' and failures > 0");
      await eventually("the delivery fails", async () => (await failed()).length === 1);
      assert.equal(receiver.received.length, 0);

      await setOpen(gateway, live.id, false);
      await eventually("the ping arrives", async () => (await ping()).body.status === "delivered");
    } finally {
      await gateway.stop();
    }
  });

  test("none with `off`, whatever the gateway listens on", async () => {
    const gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_PRIVATE_WEBHOOKS: "off" } });
    try {
      assertRefused(await subscribe(gateway, LOOPBACK), 400, ["V11903", "/url"]);
      assertRefused(await subscribe(gateway, PRIVATE), 400, ["V11903", "/url"]);
      assert.equal((await subscribe(gateway, "http://shop.example:3000/hook")).status, 200);
    } finally {
      await gateway.stop();
    }
  });

  test("private networks and this machine with `private`, link-local never", async () => {
    const environment = { TIDEGATE_SANDBOX_PRIVATE_WEBHOOKS: "private" };
    const gateway = await startTestGateway({ environment });
    try {
      await setOpen(gateway, (await gateway.newMerchant({ mode: "live" })).id, true);
      assert.equal((await subscribe(gateway, LOOPBACK)).status, 200);
      assert.equal((await subscribe(gateway, PRIVATE)).status, 200);
      assertRefused(await subscribe(gateway, "http://169.254.169.254/latest"), 400, ["V11903", "/url"]);
    } finally {
      await gateway.stop();
    }
  });

  test("by default none on a gateway that listens elsewhere, and a live merchant's never", () => {
    const reach = (host: string, mode: Mode = "sandbox") =>
      farthestReach(mode, readSettings({ TIDEGATE_HOST: host }));
    for (const host of ["127.0.0.1", "127.9.9.9", "::1", "localhost"]) {
      assert.equal(reach(host), "public-and-loopback", host);
    }
    for (const host of ["0.0.0.0", "::", "10.0.0.5", "gateway.internal", "127.example.com"]) {
      assert.equal(reach(host), "public-in-sandbox", host);
    }
    assert.equal(reach("127.0.0.1", "live"), "public");
  });
});
