import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { callApi, getTransaction, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { createHosted } from "../support/hosted-page.ts";

const visit = visitDashboard("admin");
/** The merchant's server, with the key that is valid now. */
let server: Shop | undefined;

/** A newcomer: begins on the overview and follows only what the page shows. */
function newcomer(page: Page, base: string) {
  let actions = 0;
  const act = async (step: Promise<unknown>) => {
    actions += 1;
    await step;
  };
  return {
    start: () => page.goto(base),
    click: (target: Locator) => act(target.click()),
    link: (name: string | RegExp) => act(page.getByRole("link", { name, exact: true }).first().click()),
    button: (name: string) => act(page.getByRole("button", { name, exact: true }).first().click()),
    fill: (label: string, value: string) => act(page.getByLabel(label, { exact: true }).fill(value)),
    choose: (label: string, value: string) =>
      act(page.getByLabel(label, { exact: true }).selectOption(value)),
    actions: () => actions,
  };
}

describe("five tasks without the manual", () => {
  for (const width of [1280, 768, 390]) {
    const order = (name: string) => `${name}-${width}`;

    test(`find an unpaid order at ${width} px`, async () => {
      const { page, base, shop: first } = visit();
      const shop = server ?? first;
      await payOnce(shop, { amount: 9_100, reference: order("paid") });
      await createHosted(shop, { amount: 8_800, more: { reference: order("unpaid") } });
      await page.setViewportSize({ width, height: 800 });
      const user = newcomer(page, base);
      await user.start();
      await user.link("Payment requests");
      await user.choose("Status", "unpaid");
      await user.button("Filter");
      await page
        .getByText(/payment requests?$/)
        .first()
        .waitFor();
      assert.equal(await page.getByRole("link", { name: order("paid"), exact: true }).count(), 0);
      await user.link(order("unpaid"));
      await page.getByRole("heading", { name: `Payment request ${order("unpaid")}` }).waitFor();
      await page.getByText("unpaid", { exact: true }).first().waitFor();
      assert.ok(user.actions() <= 4, `${user.actions()} actions`);
    });

    test(`refund half at ${width} px`, async () => {
      const { page, base, shop: first } = visit();
      const shop = server ?? first;
      const { transactionId } = await payOnce(shop, { amount: 9_000, reference: order("half") });
      await page.setViewportSize({ width, height: 800 });
      const user = newcomer(page, base);
      await user.start();
      await user.link("Transactions");
      await user.fill("Search", order("half"));
      await user.button("Filter");
      await user.link(order("half"));
      await user.link("Refund");
      await user.fill("Amount in dollars", "45");
      await user.button("Continue");
      await user.button("Refund $45.00");
      await page
        .getByText(/partly refunded/)
        .first()
        .waitFor();
      const { body } = await callApi(shop, "GET", `/transactions/${transactionId}`);
      assert.equal(body.payment.refundedAmount, 4_500);
      assert.ok(user.actions() <= 8, `${user.actions()} actions`);
    });

    test(`export a month at ${width} px`, async () => {
      const { page, base, shop } = visit();
      const { transactionId } = await payOnce(server ?? shop, { amount: 5_000, reference: order("month") });
      const { createdDateTime } = await getTransaction(server ?? shop, transactionId);
      // The payment's month up to its day, in the merchant's zone.
      const lastDay = new Date(createdDateTime).toLocaleDateString("sv-SE", { timeZone: "Australia/Sydney" });
      const firstDay = `${lastDay.slice(0, 8)}01`;
      const nextDay = new Date(Date.parse(lastDay) + 86_400_000).toISOString().slice(0, 10);
      await page.setViewportSize({ width, height: 800 });
      const user = newcomer(page, base);
      await user.start();
      await user.link("Transactions");
      await user.fill("From", firstDay);
      await user.fill("To", lastDay);
      // A newcomer need not press Filter first: the file has the days that the page shows.
      const file = page.waitForEvent("download");
      await user.button("Export as CSV");
      const download = await file;
      assert.equal(download.suggestedFilename(), `transactions-${firstDay}-${lastDay}.csv`);
      const rows = await readFile(await download.path(), "utf8");
      assert.match(rows, new RegExp(order("month")));
      await user.fill("From", nextDay);
      await user.fill("To", nextDay);
      const other = page.waitForEvent("download");
      await user.button("Export as CSV");
      const empty = await readFile(await (await other).path(), "utf8");
      assert.doesNotMatch(empty, new RegExp(order("month")), "control: the days of the form decide");
      assert.ok(user.actions() <= 7, `${user.actions()} actions`);
    });

    test(`explain a decline at ${width} px`, async () => {
      const { page, base, shop: first } = visit();
      const shop = server ?? first;
      await payOnce(shop, { amount: 14_451, reference: order("declined") });
      await page.setViewportSize({ width, height: 800 });
      const user = newcomer(page, base);
      await user.start();
      await user.link("Transactions");
      await user.choose("Status", "declined");
      await user.button("Filter");
      await user.link(order("declined"));
      await page.getByText(/insufficient funds\. Ask the payer for another card/).waitFor();
      assert.ok(user.actions() <= 4, `${user.actions()} actions`);
    });

    test(`rotate a key at ${width} px`, async () => {
      const { page, gateway, base } = visit();
      await page.setViewportSize({ width, height: 800 });
      const user = newcomer(page, base);
      await user.start();
      await user.link("API keys");
      // The newest active key is the first one; it has all scopes.
      const old = page.getByRole("link", { name: /^Rotate/ }).first();
      const hint = /ends with (\S+)/.exec((await old.textContent()) ?? "")?.[1] ?? "";
      await user.click(old);
      await page.getByRole("heading", { name: `New key in place of …${hint}` }).waitFor();
      for (const scope of ["read", "write", "admin"])
        assert.ok(await page.getByLabel(scope, { exact: true }).isChecked(), `${scope}, as the old one has`);
      await user.button("Create key");
      const secret = (await page.locator("code").filter({ hasText: /^tg_/ }).textContent()) ?? "";
      server = shopOf(gateway, secret);
      const answer = await callApi(server, "GET", "/management/account");
      assert.equal(answer.status, 200, "the new key works");
      await user.link("I have copied it");
      await user.link(`Revoke the key that ends with ${hint}`);
      await user.button("Revoke the key");
      await page.getByText("The key is revoked").waitFor();
      assert.equal(await page.getByRole("link", { name: new RegExp(`Revoke.*${hint}`) }).count(), 0);
      assert.ok(user.actions() <= 6, `${user.actions()} actions`);
    });
  }
});
