import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setAccountStatus } from "../../src/features/acquirer-accounts/index.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { callApi, ok, payOnce, shopOf } from "../support/checkout.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import { type IsoHost, startIsoHost } from "../support/iso-host/iso-host.ts";
import { inContext } from "../support/operator.ts";

const WITHIN = 60_000;

describe("the link of an ISO 8583 account", () => {
  let database: TestDatabase;
  let host: IsoHost;
  let gateway: TestGateway | undefined;
  before(async () => {
    database = await cloneDatabase();
    host = await startIsoHost();
  });
  after(async () => {
    await gateway?.stop();
    await host.stop();
    await database.drop();
  });

  /** The metric's value: 1 is up, 0 is down, undefined where the process has no link to the account. */
  async function linkOf(account: string, node = gateway): Promise<number | undefined> {
    const { body } = await (node ?? assert.fail()).get("/metrics", { key: null });
    const line = String(body)
      .split("\n")
      .find((one) => one.startsWith("tidegate_acquirer_link_up{") && one.includes(account));
    return line === undefined ? undefined : Number(line.split(" ").at(-1));
  }
  const isUp = (account: string) =>
    eventually("the link is up", async () => (await linkOf(account)) === 1, WITHIN);
  const signOns = async () =>
    (await host.seen()).filter(({ type, fields }) => type === "0800" && fields[70] === "001").length;
  const setStatus = (account: Id<"acquirerAccount">, trigger: "disable" | "enable") =>
    inContext(database, (ctx) => setAccountStatus(ctx, account, trigger));

  test("opens when the account is added, at the start of a node, and when it is enabled, without any payment", async () => {
    gateway = await startTestGateway({ database });
    const { id } = await gateway.newMerchant();
    const account = await addIsoAccount(database, id, host.port);
    await isUp(account);
    assert.equal(await signOns(), 1);
    await gateway.stop();
    gateway = await startTestGateway({ database });
    await isUp(account);
    assert.equal(await signOns(), 2);
    await gateway.stop();
    await setStatus(account, "disable");
    gateway = await startTestGateway({ database });
    const other = await addIsoAccount(database, id, host.port, { terminalId: "TERM0002" });
    await isUp(other);
    assert.equal(await linkOf(account), undefined, "a disabled account is not connected");
    await setStatus(account, "enable");
    await isUp(account);
    assert.deepEqual(
      (await host.seen()).filter(({ type }) => type !== "0800"),
      [],
    );
  });

  test("a host that is away shows as down, delays no other link, and is reached once it is there", async () => {
    const { id, key } = await (gateway ?? assert.fail()).newMerchant();
    const port = await freePort();
    const away = await addIsoAccount(database, id, port, { terminalId: "TERM0003" });
    const near = await addIsoAccount(database, id, host.port, { terminalId: "TERM0004" });
    await isUp(near);
    await eventually("the link is shown as down", async () => (await linkOf(away)) === 0, WITHIN);
    const late = await startIsoHost({ port });
    try {
      await eventually("the link is up", async () => (await linkOf(away)) === 1);
      const { paid } = await payOnce(shopOf(gateway ?? assert.fail(), key), { amount: 4_300 });
      assert.equal(paid.state, "approved");
      assert.equal((await late.entries()).length, 1);
    } finally {
      await gateway?.stop();
      gateway = undefined;
      await late.stop();
    }
  });

  test("a dialect file that is wrong at a start is named in the log; the next account takes payments until it is right", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-dialect-"));
    const file = join(folder, "bank.json");
    const right = JSON.stringify({ name: "bank", base: "iso87-ascii", header: "6000010000" });
    await writeFile(file, right);
    const own = await startIsoHost({ dialect: file });
    let node = await startTestGateway({ database });
    try {
      const { id, key } = await node.newMerchant();
      const account = await addIsoAccount(database, id, own.port, {
        terminalId: "TERM0006",
        dialect: file,
        responseSeconds: 30,
      });
      await addIsoAccount(database, id, host.port, { terminalId: "TERM0007" });
      await eventually("the link is up", async () => (await linkOf(account, node)) === 1, WITHIN);
      const pay = async () => (await payOnce(shopOf(node, key), { amount: 4_300 })).paid.state;
      assert.equal(await pay(), "approved");
      await node.stop();

      await writeFile(file, JSON.stringify({ name: "bank", base: "iso93" }));
      const logged: string[] = [];
      const note = (fields: object, message: string) => {
        logged.push(`${message} ${"error" in fields ? String(fields.error) : ""}`);
      };
      node = await startTestGateway({ database, log: { debug: note, info: note, warn: note, error: note } });
      await eventually("the log says why", async () =>
        logged.some((line) => line.includes(file) && line.includes("base must be one of")),
      );
      assert.equal(await linkOf(account, node), 0);
      assert.equal(await pay(), "approved");
      assert.equal((await own.entries()).length, 1, "the next account took it");

      await writeFile(file, right);
      assert.equal(await pay(), "approved");
      assert.equal((await own.entries()).length, 2, "the file counts from the next payment on");
      assert.equal(await linkOf(account, node), 1);
    } finally {
      await node.stop();
      await own.stop();
      await rm(folder, { recursive: true });
    }
  });

  test("closes on every node within seconds once the account is disabled, and opens again once it is enabled", async () => {
    const own = await startIsoHost();
    const nodes = await Promise.all([startTestGateway({ database }), startTestGateway({ database })]);
    const [first = assert.fail()] = nodes;
    const everyLink = (what: string, value: number | undefined) =>
      eventually(
        `every link is ${what}`,
        async () => {
          const links = await Promise.all(nodes.map((node) => linkOf(account, node)));
          return links.every((link) => link === value);
        },
        WITHIN,
      );
    const network = async (code: string) =>
      (await own.seen()).filter(({ type, fields }) => type === "0800" && fields[70] === code).length;
    const { id, key } = await first.newMerchant();
    const account = await addIsoAccount(database, id, own.port, {
      terminalId: "TERM0005",
      responseSeconds: 5,
    });
    try {
      await everyLink("up", 1);
      const shop = shopOf(first, key);
      const { transactionId } = await payOnce(shop, { amount: 4_300 });

      await own.setFaults({ types: ["0200"], next: ["late"], lateMs: 2_500 });
      const paying = payOnce(shop, { amount: 4_400 });
      await eventually("the payment is at the host", async () => (await own.entries()).length === 2, WITHIN);
      await setStatus(account, "disable");
      await everyLink("closed", undefined);
      assert.equal((await paying).paid.state, "approved", "a payment in flight ends as it would");
      await eventually("every node has signed off", async () => (await network("002")) === 2, WITHIN);

      const payment = { amount: 100 };
      ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, { payment }));
      await eventually("a refund of an earlier payment is at the host", async () =>
        (await own.seen()).some(({ fields }) => fields[3] === "200000"),
      );
      await eventually("the link was opened for it and is closed", async () => {
        return (await network("001")) === 3 && (await network("002")) === 3;
      });
      assert.equal(await linkOf(account, first), undefined);

      await setStatus(account, "enable");
      await everyLink("up", 1);
      assert.equal((await payOnce(shop, { amount: 4_300 })).paid.state, "approved");
    } finally {
      for (const node of nodes) await node.stop();
      await own.stop();
    }
  });
});
