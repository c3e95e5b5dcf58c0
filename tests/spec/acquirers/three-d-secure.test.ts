import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkThreeDSecure } from "../../../src/cli/doctor/check-work.ts";
import type { Mode } from "../../../src/kernel/mode.ts";
import { attack } from "../../support/card-tester.ts";
import { callApi, getTransaction, openFrame, problemsOf, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { addIsoAccount } from "../../support/iso-host/iso-account.ts";
import { startIsoHost } from "../../support/iso-host/iso-host.ts";
import { inContext } from "../../support/operator.ts";
import { tryCommand, typeCommand } from "../../support/typed-command.ts";

describe("contract 12: accounts without 3D Secure", () => {
  let gateway: TestGateway;
  let folder: string;
  before(async () => {
    gateway = await startTestGateway();
    folder = await mkdtemp(join(tmpdir(), "tidegate-3ds-"));
  });
  after(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true });
  });

  async function newShop(mode: Mode): Promise<{ shop: Shop; id: string; account: string }> {
    const { id, key } = await gateway.newMerchant({ mode });
    const capabilities = { cardNotPresent: true, threeDSecure: true, applePay: true, googlePay: true };
    await gateway.database.rows(
      "update merchants set capabilities = (capabilities::jsonb || $2::jsonb)::json where id = $1",
      [id, JSON.stringify(capabilities)],
    );
    const account = await addIsoAccount(gateway.database, id, await freePort(), { responseSeconds: 1 });
    const shop = shopOf(gateway, key);
    await eventually("the account is seen", async () => (await create(shop, {})).status === 200);
    return { shop, id, account };
  }
  const create = (shop: Shop, category: object, paymentMethods: readonly string[] = ["card"]) =>
    callApi(shop, "POST", "/paymentrequests", {
      payment: { amount: 3000 },
      paymentMethods,
      transactionRequest: { category },
    });
  const SECURE = { authenticationType: "3d_secure" };
  const doctorSays = async () =>
    (await inContext(gateway.database, checkThreeDSecure)).map(({ says }) => says);

  test("a live merchant's request with 3d_secure is refused with 403 and its code, before a payer sees a form", async () => {
    const { shop } = await newShop("live");
    const refused = await create(shop, SECURE);
    assert.deepEqual(
      [refused.status, ...problemsOf(refused)],
      [403, "V11186 /transactionRequest/category/authenticationType"],
    );
    assert.equal((await create(shop, SECURE, ["card", "apple_pay"])).status, 403);
    assert.equal((await create(shop, SECURE, ["apple_pay"])).status, 200, "Apple Pay brings its own proof");
    assert.equal((await create(shop, SECURE, ["google_pay"])).status, 403, "Google Pay may bring a number");
    assert.equal((await create(shop, {}, ["google_pay"])).status, 200);
    assert.equal((await create(shop, {})).status, 200);
  });

  test("not where the merchant goes on without it, nor in the sandbox", async () => {
    const { shop, id } = await newShop("live");
    await gateway.database.rows("update merchants set three_d_secure_unavailable = 'proceed' where id = $1", [
      id,
    ]);
    await eventually("the change is seen", async () => (await create(shop, SECURE)).status === 200);
    const sandbox = await newShop("sandbox");
    assert.equal((await create(sandbox.shop, SECURE)).status, 200);
  });

  test("a live payer's browser data comes with every payment, as card testing may require 3D Secure of it", async () => {
    const { shop, id } = await newShop("live");
    const asksBrowser = async (of: Shop) => (await openFrame(of)).shown.threeDSecure;
    assert.equal(await asksBrowser(shop), true);
    await gateway.database.rows(
      `update merchants set capabilities = (capabilities::jsonb || '{"threeDSecure": false}')::json where id = $1`,
      [id],
    );
    await eventually("the change is seen", async () => !(await asksBrowser(shop)));
    const sandbox = await newShop("sandbox");
    assert.equal(await asksBrowser(sandbox.shop), false, "amounts of the sandbox choose");
  });

  test("an account that offers it is enough; until then list, test and doctor say so", async () => {
    const { shop, id, account } = await newShop("live");
    const warned = async (...words: readonly string[]) => {
      const { warnings = [] } = await typeCommand(gateway, "acquirer", ...words);
      return warnings.some((one) => /offers 3D Secure.*V11186/.test(one));
    };
    assert.equal(await warned("list", "--merchant", id), true);
    assert.equal(await warned("test", account), true);
    assert.ok((await doctorSays()).some((says) => says.includes(id)));
    const file = join(folder, "adyen.json");
    const settings = {
      apiKey: "AQE_key",
      merchantAccount: "Shop_ECOM",
      endpoint: `http://127.0.0.1:${await freePort()}/v71`,
      webhookHmacKey: "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056",
    };
    await writeFile(file, JSON.stringify(settings));
    const words = ["add", "--merchant", id, "--connector", "adyen", "--settings", file];
    const added = await tryCommand(gateway, "acquirer", ...words);
    assert.equal(added.code, 0, added.stderr);
    await eventually("the account is seen", async () => (await create(shop, SECURE)).status === 200);
    assert.equal(await warned("list", "--merchant", id), false);
    assert.ok(!(await doctorSays()).some((says) => says.includes(id)));
  });

  test("a suspected card tester is slowed down and then refused with 429: no answer looks like an outage", async () => {
    const host = await startIsoHost();
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows(
      `update merchants set capabilities = (capabilities::jsonb || '{"cardNotPresent": true, "threeDSecure": true}')::json,
         card_testing = '{"address": 10}' where id = $1`,
      [id],
    );
    await addIsoAccount(gateway.database, id, host.port);
    const shop = shopOf(gateway, key);
    try {
      await eventually("the account is seen", async () => (await create(shop, {})).status === 200);
      const answers = await attack(
        shop,
        Array.from({ length: 12 }, () => ({})),
        1,
      );
      const codes = answers.map(({ body }) => body.result.codes[0].id);
      const expected = [...Array(6).fill("D04405"), ...Array(4).fill("D10000"), ...Array(2).fill("V11619")];
      assert.deepEqual(codes, expected, codes.join());
      assert.equal((await host.entries()).length, 10, "the acquirer answered all that were not refused");
      const tenth = await getTransaction(shop, answers[9]?.body.transactionId);
      assert.deepEqual([tenth.result.codes[0].id, tenth.authentication], ["D04405", undefined]);
      const entries = await gateway.database.rows<{ detail: string }>(
        "select detail from audit_log where act = 'card_testing' and merchant_id = $1 order by id",
        [id],
      );
      const ofAddress = entries.map(({ detail }) => detail).filter((one) => one.startsWith("address"));
      assert.deepEqual(ofAddress, ["address slow_down", "address refuse"]);
    } finally {
      await host.stop();
    }
  });
});
