import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stretched } from "../support/browser.ts";
import { callApi, ok, payOnce } from "../support/checkout.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { disputeOf } from "../support/disputes.ts";

const visit = visitDashboard("staff");

describe("lists and charts in a browser", () => {
  test("an unpaid order is found, saved as a filter and copied by its id, by keyboard", async () => {
    const { page, shop, base, accessible } = visit();
    await payOnce(shop, { amount: 12_850, reference: "order-1" });
    const { requestId } = await payOnce(shop, { amount: 14_451, reference: "order-2" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(stretched(2_000, 30_000));
    await page.goto(`${base}/payment-requests`);
    await page.getByLabel("Status").selectOption("unpaid");
    await page.getByRole("button", { name: "Filter", exact: true }).press("Enter");
    await page.getByText("1 payment request", { exact: true }).waitFor();
    assert.equal(await page.getByRole("link", { name: "order-1", exact: true }).count(), 0);
    await page.getByRole("button", { name: "Copy id of order-2" }).press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), requestId);
    await page.getByText("Save this filter").press("Enter");
    await page.getByLabel("Name of the filter").fill("To chase");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByRole("link", { name: "To chase" }).waitFor();
    await accessible("a saved filter");
    await page.getByRole("link", { name: "Amount" }).press("Enter");
    await page.waitForURL(/sort=-amount/);
    await accessible("a sorted list");
  });

  test("the text of charts has 11 px or more at every width", async () => {
    const { page, base } = visit();
    await page.goto(`${base}?period=30d`);
    for (const width of [
      390, 480, 499, 500, 560, 639, 640, 759, 760, 768, 999, 1000, 1209, 1210, 1280, 1920,
    ]) {
      await page.setViewportSize({ width, height: 800 });
      const sizes = (await page.evaluate(
        `[...document.querySelectorAll("svg.plot")].filter((plot) => plot.getBoundingClientRect().width > 0).map((plot) =>
           parseFloat(getComputedStyle(plot.querySelector("text")).fontSize)
             * plot.getBoundingClientRect().width / plot.viewBox.baseVal.width)`,
      )) as readonly number[];
      assert.equal(sizes.length, 2, `one drawing of each chart at ${width}`);
      for (const size of sizes) assert.ok(size >= 11 && size <= 20, `${size} px at ${width}`);
      const outside = await page.evaluate(
        `[...document.querySelectorAll("svg.plot")].filter((plot) => plot.getBoundingClientRect().width > 0).flatMap((plot) => {
           const { left, right } = plot.getBoundingClientRect();
           const boxes = [...plot.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
           return boxes.filter(([, box]) => box.left < left || box.right > right).map(([words]) => words);
         })`,
      );
      assert.deepEqual(outside, [], `labels outside the drawing at ${width}`);
    }
  });

  test("the arrow keys and the pointer show the value of each point", async () => {
    const { page, base, accessible } = visit();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(base);
    const chart = page.getByRole("group", { name: /^Volume by day/ });
    const value = chart.locator(".plot-value");
    await chart.focus();
    await page.keyboard.press("End");
    assert.match((await value.textContent()) ?? "", /\$128\.50 captured/);
    await page.keyboard.press("ArrowLeft");
    assert.match((await value.textContent()) ?? "", /\$0\.00 captured/);
    await page.keyboard.press("ArrowRight");
    assert.match((await value.textContent()) ?? "", /\$128\.50 captured/);
    await accessible("a chart with a value");
    await page.keyboard.press("Tab");
    assert.equal((await value.textContent())?.trim(), "");
    await chart.locator("svg.plot-medium .plot-bar").last().hover();
    assert.match((await value.textContent()) ?? "", /\$128\.50 captured/);
    await page.mouse.move(0, 0);
    assert.equal((await value.textContent())?.trim(), "");
    const touch = { pointerType: "touch", bubbles: true };
    await chart.locator("svg.plot-medium .plot-bar").last().dispatchEvent("pointerdown", touch);
    await chart.dispatchEvent("pointerleave", touch);
    assert.match((await value.textContent()) ?? "", /\$128\.50 captured/, "stays when the finger is lifted");
    await page.getByText("Compared with the 7 days before, up to the same time.").waitFor();
  });

  test("nothing wraps at 768 px, and the navigation is on top below 1000 px", async () => {
    const { page, base, shop } = visit();
    const long = "INV 2026 / 000123456789 / Harbour Books Westside";
    await payOnce(shop, {
      amount: 123_456_700,
      reference: long,
      category: { captureType: "manual" },
    });
    const card = { number: "378282246310005", securityCode: "1234" };
    await payOnce(shop, { amount: 14_457, reference: long.replaceAll(" ", "-") }, { card });
    const { transactionId } = await payOnce(shop, { amount: 123_456_700, reference: long });
    const refund = { reference: long, payment: { amount: 14_457 } };
    ok(await callApi(shop, "POST", `/transactions/${transactionId}/refunds`, refund));
    ok(
      await callApi(shop, "POST", "/customers", {
        name: long,
        reference: long,
        email: `mere@${"bookshop-".repeat(6)}example.com`,
      }),
    );
    await disputeOf(shop, { reference: long });
    ok(await callApi(shop, "POST", "/sandbox/settlements/run"));
    for (const width of [768, 999, 1000, 1199, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const list of [
        "payment-requests",
        "transactions",
        "transactions?status=declined",
        "payouts",
        "refunds",
        "disputes",
        "customers",
        "events",
      ]) {
        await page.goto(`${base}/${list}`);
        const wrapped = await page.evaluate(
          `[...document.querySelectorAll(".scroll td, .scroll th")].filter((cell) => {
             const range = document.createRange();
             range.selectNodeContents(cell);
             const tops = [...range.getClientRects()].filter(({ width }) => width > 2).map(({ top, bottom }) => [top, bottom]);
             return tops.some(([top]) => tops.some(([, bottom]) => top >= bottom));
           }).map((cell) => cell.textContent)`,
        );
        assert.deepEqual(wrapped, [], `${list} at ${width}`);
        assert.ok((await page.locator(".scroll tbody tr").count()) > 0, `control: rows of ${list}`);
        const hidden = await page.evaluate(
          `[...document.querySelectorAll(".scroll")].map((list) => list.scrollWidth - list.clientWidth)`,
        );
        assert.deepEqual(hidden, [0], `px of ${list} that must be scrolled for at ${width}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width, list);
        const top = `document.querySelector(".sections").getBoundingClientRect().bottom
          <= document.querySelector("main").getBoundingClientRect().top + 1`;
        if (width < 1000) assert.ok(await page.evaluate(top), `the navigation of ${list} at ${width}`);
      }
      await page.goto(`${base}/transactions`);
      const cut = await page.evaluate(
        `[...document.querySelectorAll(".name > a")].filter((name) => name.scrollWidth > name.clientWidth).length`,
      );
      assert.equal(cut, 4, `long references at ${width}`);
    }
    await page.setViewportSize({ width: 1000, height: 800 });
    const beside = `document.querySelector(".sections").getBoundingClientRect().right
      <= document.querySelector("main").getBoundingClientRect().left + 1`;
    assert.ok(await page.evaluate(beside), "control: at 1000 px it is beside the page");
  });

  test("a day has the focus outline at each of its parts, the calendar's button too", async () => {
    const { page, base } = visit();
    await page.goto(`${base}/transactions`);
    await page.getByLabel("Method").focus();
    let parts = 0;
    for (;;) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(
        `document.activeElement.type === "date" ? getComputedStyle(document.activeElement).outlineStyle : ""`,
      );
      if (outline === "") break;
      parts += 1;
      assert.equal(outline, "solid", `part ${parts}`);
    }
    assert.equal(parts, 8, "day, month, year and calendar of From and To");
  });

  test("no page violates its policy, and no script fails", () => {
    assert.deepEqual(visit().errors, []);
  });
});
