import assert from "node:assert/strict";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { makeCertificate } from "../../support/certificate.ts";
import { callApi, getTransaction, ok, payOnce, type Shop, shopOf } from "../../support/checkout.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { blocksOf } from "../../support/guide-blocks.ts";
import { type IsoHost, startIsoHost } from "../../support/iso-host/iso-host.ts";
import { typeCommand, wordsOf } from "../../support/typed-command.ts";

const GUIDE = "docs/guides/going-live.md";
const { certFile, keyFile } = await makeCertificate();
const MANUAL = { category: { captureType: "manual" } };

/** Follows the steps as a new operator does, with a simulated bank: its test host, and its production host with TLS. */
describe("docs/guides/going-live.md, step by step", () => {
  let gateway: TestGateway;
  let folder: string;
  let testHost: IsoHost;
  let host: IsoHost;
  let writeSettings: () => Promise<void>;
  const known = { merchantId: "", acquirerAccountId: "", apiKey: "", acquirerAccounts: [] };
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" } });
    folder = await mkdtemp(join(tmpdir(), "tidegate-going-live-"));
    testHost = await startIsoHost();
    host = await startIsoHost({ tls: { certFile, keyFile, caFile: certFile } });
    const shown = (await blocksOf("docs/guides/iso8583.md")).find(({ kind }) => kind === "json");
    const { tls: _, ...settings } = JSON.parse(shown?.text ?? "") as { tls: object };
    // The guide's own settings; only the wait for an answer is shorter.
    const here = { ...settings, host: "127.0.0.1", responseSeconds: 1 };
    const write = (name: string, more: object) =>
      writeFile(join(folder, name), JSON.stringify({ ...here, ...more }));
    writeSettings = async () => {
      await write("bank-test.json", { port: testHost.port });
      await write("bank.json", { port: host.port, tls: { caFile: certFile, certFile, keyFile } });
    };
    await writeSettings();
  });
  after(async () => {
    await gateway.stop();
    await testHost.stop();
    await host.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs the commands of a block; ids stand for the newest ones. */
  async function runBlock(place: number): Promise<void> {
    const blocks = (await blocksOf(GUIDE)).filter(({ mark }) => mark?.note.endsWith("going-live.test.ts"));
    for (const line of blocks[place]?.text.trim().split("\n") ?? assert.fail("the block is missing")) {
      const [program, ...words] = wordsOf(
        line.replace("mer_…", known.merchantId).replace("acq_…", known.acquirerAccountId),
      ).map((word) => (word.endsWith(".json") ? join(folder, word) : word));
      if (program === "rm") {
        await Promise.all(words.map((file) => rm(file)));
        continue;
      }
      const { json, failed, lines } = await typeCommand(gateway, ...words.slice(1));
      assert.notEqual(failed, true, lines.join("\n"));
      Object.assign(known, json);
    }
  }

  const create = (shop: Shop) =>
    callApi(shop, "POST", "/paymentrequests", {
      payment: { amount: 100 },
      paymentMethods: ["card"],
      transactionRequest: {},
    });

  async function refund(shop: Shop, id: string): Promise<void> {
    ok(await callApi(shop, "POST", `/transactions/${id}/refunds`, { payment: { amount: 100 } }));
    await eventually(
      "the refund is approved",
      async () => (await getTransaction(shop, id)).payment.refundedAmount === 100,
    );
  }

  test("3: the sandbox merchant certifies at the test host, and both ledgers agree", async () => {
    await runBlock(0);
    const shop = shopOf(gateway, known.apiKey);
    await eventually("the account takes payments", async () => {
      await payOnce(shop, { amount: 4_200 });
      return (await testHost.entries()).length > 0;
    });
    const { transactionId } = await payOnce(shop, { amount: 4_200 });
    assert.equal((await payOnce(shop, { amount: 14_451 })).paid.state, "declined");
    const captured = await payOnce(shop, MANUAL);
    ok(await callApi(shop, "POST", `/transactions/${captured.transactionId}/capture`));
    const voided = await payOnce(shop, MANUAL);
    ok(await callApi(shop, "POST", `/transactions/${voided.transactionId}/cancel`));
    await refund(shop, transactionId);
    await testHost.setFaults({ types: ["0200"], next: ["silence"] });
    const lost = await payOnce(shop, { amount: 4_400 });
    assert.equal(lost.paid.state, "pending");
    await eventually(
      "it is reversed and declined",
      async () => (await getTransaction(shop, lost.transactionId)).result.status === "declined",
    );
    await runBlock(1);
  });

  test("4: the live merchant is connected over TLS, and the files with the settings are deleted", async () => {
    await runBlock(2);
    for (const name of ["bank-test.json", "bank.json"]) await assert.rejects(access(join(folder, name)));
    assert.equal((await create(shopOf(gateway, known.apiKey))).status, 403, "it has no capabilities yet");
  });

  test("5, 7: opened, it takes a payment and refunds it at the production host, and both ledgers agree", async () => {
    await runBlock(3);
    const shop = shopOf(gateway, known.apiKey);
    await eventually("the change is seen", async () => (await create(shop)).status === 200);
    const { transactionId, paid } = await payOnce(shop, { amount: 500 });
    assert.equal(paid.state, "approved");
    assert.equal((await getTransaction(shop, transactionId)).result.mode, "live");
    await refund(shop, transactionId);
    const entries = (await host.entries()).map(({ code, captured }) => [code, captured]);
    assert.deepEqual(entries, [
      ["000000", 500],
      ["200000", 100],
    ]);
    await runBlock(4);
  });

  test("the acquirer: one more account is added, tested and listed", async () => {
    const { acquirerAccountId } = known;
    await writeSettings();
    await runBlock(5);
    assert.notEqual(known.acquirerAccountId, acquirerAccountId);
    assert.equal(known.acquirerAccounts.length, 2);
  });
});
