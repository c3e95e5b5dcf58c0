import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserSetup, type Payer } from "../support/browser.ts";
import { type CheckoutPage, checkoutPage } from "../support/checkout-page.ts";
import { eventually } from "../support/eventually.ts";

const setup = browserSetup();

/** Does not wait until the page is loaded, which its frame is part of. */
async function openUnfinished({ context }: Payer, token: string): Promise<CheckoutPage> {
  const page = await context.newPage();
  await page.goto(await setup.site.addressOf({ token }), { waitUntil: "commit" });
  return checkoutPage(page);
}

describe("a form that can't be shown says so and can be tried again", () => {
  test("in the container, if the frame can't be reached; the same token then pays", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.route("**/frame", (route) => route.abort("connectionfailed"), { times: 1 });
      const checkout = await payer.open({ token });
      const container = checkout.page.locator("#checkout");
      await container.getByRole("alert").waitFor();
      assert.equal(await container.innerText(), "The payment form couldn't be loaded. Try again");
      assert.equal((await checkout.event("initialise")).result.status, "failed");
      await container.getByRole("button", { name: "Try again" }).click();
      await checkout.waitFor("ready");
      assert.equal(await container.getByRole("alert").count(), 0);
      assert.equal((await checkout.event("initialise", 2)).result.status, "ok");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("destroyed in this state, the container is empty", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.route("**/frame", (route) => route.abort("connectionfailed"));
      const checkout = await payer.open({ token });
      const container = checkout.page.locator("#checkout");
      await container.getByRole("alert").waitFor();
      await checkout.page.evaluate("window.instance.destroy(); window.instance.destroy();");
      assert.equal(await container.innerText(), "");
    });
  });

  for (const [what, path] of [
    ["page", "**/frame"],
    ["script", "**/checkout.js"],
  ] as const)
    test(`while the frame's ${what} has no answer, the container says that the form is loading`, async () => {
      const { token } = await setup.request();
      await setup.visit(async (payer) => {
        const answer = Promise.withResolvers<void>();
        await payer.context.route(path, async (route) => {
          await answer.promise;
          await route.continue();
        });
        const checkout = await openUnfinished(payer, token);
        const container = checkout.page.locator("#checkout");
        const loading = container.getByRole("status");
        await loading.waitFor();
        assert.equal(await container.innerText(), "Loading the payment form…");
        const topOf = (selector: string) =>
          checkout.page.evaluate<number>(
            `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().top`,
          );
        assert.equal(await topOf("#checkout iframe"), await topOf("#checkout"), "it takes no space");
        answer.resolve();
        await checkout.waitFor("ready");
        await loading.waitFor({ state: "detached" });
        assert.equal(await container.innerText(), "");
      });
    });

  test("a form that never answers ends with Try again, and no longer loads", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.route("**/frame", () => {});
      const checkout = await openUnfinished(payer, token);
      const container = checkout.page.locator("#checkout");
      await container.getByRole("status").waitFor();
      await container.getByRole("button", { name: "Try again" }).waitFor();
      assert.equal(await container.innerText(), "The payment form couldn't be loaded. Try again");
      assert.equal(await container.getByRole("status").count(), 0);
      await payer.context.unroute("**/frame");
      await container.getByRole("button", { name: "Try again" }).click();
      await checkout.waitFor("ready");
      assert.equal(await container.innerText(), "");
      await checkout.page.evaluate("window.instance.destroy()");
      assert.equal(await checkout.page.evaluate('document.querySelector("#checkout").childNodes.length'), 0);
    });
  });

  test("a checkout that the page moves elsewhere starts again, with the same token, and pays", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.page.evaluate(`document.body.appendChild(document.querySelector("#checkout"))`);
      assert.equal((await checkout.event("initialise", 2)).result.status, "ok");
      await checkout.waitFor("ready");
      assert.equal(await checkout.number.inputValue(), "", "the frame was loaded again");
      await checkout.fill();
      await checkout.pay();
      assert.equal((await checkout.event("process")).result.status, "approved");
      await checkout.waitFor("approved");
    });
  });

  test("in the frame, if the payer is offline when the form starts", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      await payer.context.route("**/checkout/initialise", (route) => route.abort("internetdisconnected"), {
        times: 1,
      });
      const checkout = await payer.open({ token });
      await checkout.waitFor("error");
      assert.match(await checkout.words(), /couldn't be loaded/);
      await checkout.frame.getByRole("button", { name: "Try again" }).click();
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("in the frame, if the token is refused: the merchant's page starts again, with a new token", async () => {
    const { token } = await setup.request();
    const unknown = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token: unknown });
      await checkout.waitFor("error");
      await checkout.page.evaluate("window.isOld = true");
      await checkout.frame.getByRole("button", { name: "Try again" }).click();
      await eventually(
        "the page was loaded again",
        async () => (await checkout.page.evaluate("window.isOld").catch(() => true)) === undefined,
      );
      await checkout.waitFor("error");
    });
  });
});
