import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { OpenShop } from "../../examples/shop/open-shop.ts";
import { createTidegate, type Tidegate } from "../../packages/client/src/index.ts";
import { shopOf } from "../support/checkout.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { freePort } from "../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { CLIENT_SOURCES, resolvePackages } from "../support/package-names.ts";
import { storedCard } from "../support/stored-cards.ts";

resolvePackages({ "@tidegate/client": CLIENT_SOURCES });

const PAYER = "0123456789abcdef".repeat(2);

describe("a form of the example shop that is submitted twice charges once", () => {
  let gateway: TestGateway;
  let proxy: FaultProxy;
  let tidegate: Tidegate;
  let shop: OpenShop;
  let folder: string;
  before(async () => {
    gateway = await startTestGateway();
    proxy = await startFaultProxy(gateway.baseUrl);
    const { key: apiKey } = await gateway.newMerchant();
    tidegate = createTidegate({ apiKey, baseUrl: gateway.baseUrl.replace("localhost", "127.0.0.1") });
    const { id: customerId, paymentInstrumentId } = await storedCard(shopOf(gateway, apiKey));
    folder = await mkdtemp(join(tmpdir(), "tidegate-shop-"));
    const stateFile = join(folder, "state.json");
    const card = { customerId, paymentInstrumentId, label: "Visa ending in 1111" };
    const payers = { [PAYER]: { basket: {}, card } };
    await writeFile(stateFile, JSON.stringify({ orders: {}, payers }));
    const [port, closedPort] = [await freePort(), await freePort()];
    const { openShop } = await import("../../examples/shop/open-shop.ts");
    shop = await openShop({
      apiKey,
      gatewayUrl: proxy.url,
      hostedUrl: gateway.hostedUrl,
      port,
      url: `http://localhost:${port}`,
      // No webhook arrives, so every call that the proxy sees belongs to a form.
      webhookUrl: `http://127.0.0.1:${closedPort}/webhooks`,
      stateFile,
    });
  });
  after(async () => {
    await shop?.close();
    await proxy.close();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const visit = (path: string, form?: Readonly<Record<string, string>>) =>
    fetch(shop.url.replace("localhost", "127.0.0.1") + path, {
      headers: { cookie: `payer=${PAYER}` },
      redirect: "manual",
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
  /** The hidden fields of the form with this action, as a page has them now. */
  const formOn = async (path: string, action: string) => {
    const text = await (await visit(path)).text();
    const [, inside = ""] = new RegExp(`action="${action}">([^]*?)</form>`).exec(text) ?? assert.fail(text);
    const fields = inside.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g);
    return Object.fromEntries([...fields].map(({ 1: name = "", 2: value = "" }) => [name, value]));
  };
  const fillBasket = () => visit("/basket", { product: "lighthouse", quantity: "1" });
  const isBasketEmpty = async () => /It is empty/.test(await (await visit("/basket")).text());
  const twice = async (path: string, ...forms: readonly Readonly<Record<string, string>>[]) => {
    const answers = await Promise.all(forms.map((form) => visit(path, form)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    );
    return answers.map(({ headers }) => headers.get("location") ?? "");
  };
  const charged = async (work: () => Promise<void>): Promise<number> => {
    const count = async () => (await Array.fromAsync(tidegate.transactions.listAll())).length;
    const earlier = await count();
    await work();
    return (await count()) - earlier;
  };

  test("the basket, from one page: both submissions lead to the order", async () => {
    await fillBasket();
    const form = { ...(await formOn("/basket", "/orders")), method: "saved" };
    const charges = await charged(async () => {
      const [one, other] = await twice("/orders", form, form);
      assert.match(one ?? "", /^\/orders\/order-/);
      assert.equal(other, one);
      const page = await (await visit(one ?? "")).text();
      assert.ok(/<main data-state="paid">/.test(page));
    });
    assert.equal(charges, 1);
    assert.ok(await isBasketEmpty());
  });

  test("the basket, from two pages: the second one finds it empty", async () => {
    await fillBasket();
    const forms = [
      { ...(await formOn("/basket", "/orders")), method: "saved" },
      { ...(await formOn("/basket", "/orders")), method: "saved" },
    ];
    const charges = await charged(async () => {
      const locations = await twice("/orders", ...forms);
      assert.deepEqual(locations.map((path) => path.replace(/order-\w+/, "…")).sort(), [
        "/basket",
        "/orders/…",
      ]);
    });
    assert.equal(charges, 1);
  });

  test("the next month of the subscription; the form of a new page charges again", async () => {
    const form = await formOn("/account", "/account/again");
    const charges = await charged(async () => {
      const [one, other] = await twice("/account/again", form, form);
      assert.equal(other, one);
    });
    assert.equal(charges, 1);
    const next = await formOn("/account", "/account/again");
    assert.equal(await charged(async () => void (await visit("/account/again", next))), 1);
    assert.equal(await charged(async () => void (await visit("/account/again", next))), 0, "later");
  });

  test("the basket, again after an error: it pays the same order", async () => {
    await fillBasket();
    const form = { ...(await formOn("/basket", "/orders")), method: "saved" };
    const charges = await charged(async () => {
      proxy.plan(...Array.from({ length: 5 }, () => "cut after" as const));
      assert.equal((await visit("/orders", form)).status, 503);
      proxy.plan();
      assert.equal((await visit("/orders", form)).status, 303);
    });
    assert.equal(charges, 1);
  });

  test("an order whose open payment is left for a saved card", async () => {
    await fillBasket();
    const payId = { ...(await formOn("/basket", "/orders")), method: "payid" };
    const order = (await visit("/orders", payId)).headers.get("location") ?? "";
    const charges = await charged(async () => {
      // The cancellation by the second submission takes so long that the first one may have charged meanwhile.
      proxy.plan("pass", "cut after");
      const locations = await twice(`${order}/pay`, { method: "saved" }, { method: "saved" });
      assert.deepEqual(locations, [order, order]);
    });
    assert.equal(charges, 1);
  });

  test("a form whose fields are refused keeps its order, which is then paid", async () => {
    await fillBasket();
    const form = {
      ...(await formOn("/basket", "/orders")),
      method: "debit",
      name: "Ann",
      email: "ann@example.com",
    };
    const charges = await charged(async () => {
      const refused = await visit("/orders", { ...form, accountName: "Ann", bsb: "12", number: "12345678" });
      assert.equal(refused.status, 400);
      const [, action = ""] = /action="(\/orders\/order-\w+\/pay)"/.exec(await refused.text()) ?? [];
      const right = { ...form, accountName: "Ann", bsb: "062000", number: "12345678" };
      const locations = await twice(action, right, right);
      assert.deepEqual(new Set(locations), new Set([action.replace("/pay", "")]));
    });
    assert.equal(charges, 1);
    assert.ok(await isBasketEmpty());
  });
});
