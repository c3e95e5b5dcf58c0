import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createKey, revokeKey } from "../../src/features/merchants/index.ts";
import type { Id } from "../../src/kernel/ids.ts";
import { instant } from "../../src/kernel/time.ts";
import { visitDashboard } from "../support/dashboard-page.ts";
import { inContext } from "../support/operator.ts";

const visit = visitDashboard("admin");

describe("the list of API keys", () => {
  test("fits every window, with keys that end, are revoked and work from long addresses", async () => {
    const { gateway, page, base } = visit();
    const merchant = { id: base.split("/").at(-1) as Id<"merchant">, mode: "sandbox" } as const;
    await inContext(gateway.database, async (ctx) => {
      const addresses = ["2001:db8:85a3:1234:5678:8a2e:370:7334/128", "203.0.113.0/24"];
      const expiresAt = instant(Date.now() + 90 * 86_400_000);
      const ended = await ctx.db.transaction((tx) =>
        createKey(ctx, tx, merchant, { scopes: ["read", "write", "admin"], addresses, expiresAt }),
      );
      await ctx.db.transaction((tx) =>
        createKey(ctx, tx, merchant, { scopes: ["read", "write", "admin"], addresses, expiresAt }),
      );
      await revokeKey(ctx, ended.key.id);
    });
    for (const width of [320, 390, 640, 759, 760, 768, 999, 1000, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${base}/keys`);
      assert.equal(await page.getByRole("row").count(), 4, "control: three keys");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
      const hidden = await page.evaluate(
        `[...document.querySelectorAll(".scroll")].map((list) => list.scrollWidth - list.clientWidth)`,
      );
      assert.deepEqual(hidden, [0], `px that must be scrolled for at ${width}`);
    }
  });
});

describe("the theme page", () => {
  test("a wrong colour is named below its field; the picker stays beside the field and shows the default", async () => {
    const { page, base, accessible, errors } = visit();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${base}/settings/theme`);
      const field = page.getByLabel("Main colour", { exact: true });
      const picker = page.getByLabel("Pick: Main colour");
      const first = await picker.inputValue();
      await field.fill("#12");
      await page.getByRole("button", { name: "Save as default" }).click();
      await page.getByText('"#12" is not a colour: write # and six hex digits, such as #0b5fff').waitFor();
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.equal(await field.inputValue(), "#12");
      const [one, other] = [await field.boundingBox(), await picker.boundingBox()];
      assert.deepEqual([other?.y, other?.height], [one?.y, one?.height], `the picker's place at ${width}`);
      assert.equal(await picker.inputValue(), first, "what a checkout would show");
      await accessible(`a refused theme at ${width}`);
    }
    assert.deepEqual(errors, []);
  });

  test("the preview is a real checkout; one that can't be shown says why", async () => {
    const { page, base, accessible } = visit();
    const frame = page.frameLocator("#preview iframe");
    await page.goto(`${base}/settings/theme`);
    await page.getByRole("button", { name: "Show it" }).click();
    await frame.locator('main[data-state="ready"]').waitFor();
    await page.route("**/frame", (route) => route.abort("connectionfailed"));
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("The checkout could not be shown. Check that the gateway is running").waitFor();
    await accessible("a preview that can't be shown");
  });
});
