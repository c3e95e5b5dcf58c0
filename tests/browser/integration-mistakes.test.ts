import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setAccountStatus } from "../../src/features/acquirer-accounts/index.ts";
import { browserSetup } from "../support/browser.ts";
import {
  advanceClock,
  callApi,
  createRequest,
  createToken,
  getRequest,
  ok,
  shopOf,
} from "../support/checkout.ts";
import { checkoutPage } from "../support/checkout-page.ts";
import { checkedCode } from "../support/codes.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { createHosted, hostedPage } from "../support/hosted-page.ts";
import { addIsoAccount } from "../support/iso-host/iso-account.ts";
import type { PageOverrides } from "../support/merchant-page.ts";
import { inContext } from "../support/operator.ts";

const setup = browserSetup();

type Mistake = {
  readonly what: string;
  readonly overrides: PageOverrides;
  readonly code: string;
  readonly field: string;
  readonly message: RegExp;
  /** In the container, if the configuration has one. */
  readonly payerSees: string;
};

const NOTICE = "The payment form couldn't be loaded. Try again";

const MISTAKES: readonly Mistake[] = [
  {
    what: "there is no configuration",
    overrides: { config: null },
    code: "V11600 payui_config_invalid",
    field: "",
    message: /Call `initialise` with .*`token`, `containerId` and `version`/,
    payerSees: "",
  },
  ...[
    { what: "the token is invalid", token: "tok_of_my_own" },
    { what: "the token is empty", token: "" },
    { what: "there is no token", token: undefined },
  ].map(({ what, token }) => ({
    what,
    overrides: { config: { token } },
    code: "V11601 payui_token_invalid",
    field: "/token",
    message: /POST \/tokens/,
    payerSees: NOTICE,
  })),
  {
    what: "the container is missing",
    overrides: { config: { containerId: "nowhere" } },
    code: "V11602 payui_container_id_invalid",
    field: "/containerId",
    message: /id of an element .* as `containerId`/,
    payerSees: "",
  },
  {
    what: "the version is unknown",
    overrides: { config: { version: "9.9.9" } },
    code: "V11603 payui_version_invalid",
    field: "/version",
    message: /`version`: `1\.0\.0`/,
    payerSees: NOTICE,
  },
];

describe("contract 11: an integration mistake fails the initialise event, and does not use the token", () => {
  for (const { what, overrides, code, field, message, payerSees } of MISTAKES) {
    test(`if ${what}, event and console say what to fix, and the token still works`, async () => {
      const { token } = await setup.request();
      await setup.visit(async (payer) => {
        const wrong = await payer.open({ token, ...overrides });
        const { result } = await wrong.event("initialise");
        assert.equal(result.status, "failed");
        assert.deepEqual(
          result.codes?.map((one) => [`${one.id} ${one.message}`, one.field]),
          [[code, field]],
        );
        const [one] = result.codes ?? [];
        assert.deepEqual(one && checkedCode({ docs: "", ...one }), {
          id: one?.id,
          message: one?.message,
          field,
        });
        assert.ok(one?.docs?.startsWith(`${setup.gateway.hostedUrl}/docs/codes#`));
        await payer.consoleShows(message);
        assert.ok(!payer.console.some((line) => line.includes(token)), "the console does not show the token");
        assert.equal(await wrong.page.locator("iframe").count(), 0);
        assert.equal(await wrong.page.locator("#checkout").innerText(), payerSees);
        assert.equal(payer.requestCount("/checkout/initialise"), 0);

        const right = await payer.open({ token });
        assert.equal((await right.event("initialise")).result.status, "ok");
      });
    });
  }

  test("Try again loads the page again, which may then have a token that pays", async () => {
    const { token } = await setup.request();
    const broken = await (await fetch(await setup.site.addressOf({ token: "" }))).text();
    const page = broken.replace('"token":""', '"token":window.name');
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ page });
      const container = checkout.page.locator("#checkout");
      await container.getByRole("alert").waitFor();
      // What outlasts the page stands in for the merchant's server, which now has a token.
      await checkout.page.evaluate(`window.name = "${token}"`);
      await container.getByRole("button", { name: "Try again" }).click();
      await checkout.waitFor("ready");
      assert.equal(await container.innerText(), "");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });

  test("the notice stays until destroy or the next initialise, and replaces an earlier form", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ config: { token: "" } });
      const container = checkout.page.locator("#checkout");
      const initialise = (withToken: string) => {
        const config = JSON.stringify({ token: withToken, containerId: "checkout", version: "1.0.0" });
        return checkout.page.evaluate(`void (window.instance = SVC.PayUI.initialise(${config}))`);
      };
      await container.getByRole("alert").waitFor();
      await initialise("");
      assert.equal(await container.innerText(), NOTICE, "one notice, not two");
      await initialise(token);
      await checkout.waitFor("ready");
      assert.equal(await container.innerText(), "");
      await initialise("");
      assert.equal(await container.innerText(), NOTICE);
      assert.equal(await container.locator("iframe").count(), 0);
      await checkout.page.evaluate("window.instance.destroy(); window.instance.destroy();");
      assert.equal(await checkout.page.evaluate('document.querySelector("#checkout").childNodes.length'), 0);
    });
  });

  test("reports every mistake at once", async () => {
    await setup.visit(async (payer) => {
      const checkout = await payer.open({
        config: { token: 7, containerId: "", version: "2", ui: { theme: 1, variables: { x: "y" } } },
      });
      const { result, ignored } = await checkout.event("initialise");
      const codes = result.codes?.map(({ id }) => id);
      assert.deepEqual(codes, ["V11601", "V11602", "V11603"]);
      assert.deepEqual(ignored, ["theme", "x"]);
    });
  });

  test("contract 4: a token survives a reload of the page and a second tab; the newer one pays", async () => {
    const { id, token } = await setup.request();
    await setup.visit(async (payer) => {
      const first = await payer.open({ token });
      await first.waitFor("ready");
      await first.page.reload();
      await first.waitFor("ready");
      const second = await payer.open({ token });
      await second.waitFor("ready");
      await first.fill();
      await first.pay();
      await first.waitFor("error");
      assert.match(await first.words(), /opened again[\s\S]*not been charged here/);
      const refused = await first.event("process");
      assert.deepEqual([refused.result.status, refused.result.codes?.[0]?.id], ["failed", "V11615"]);
      assert.equal((await getRequest(setup.shop, id)).paymentRequestStatus, "created");
      await second.fill();
      await second.pay();
      await second.waitFor("approved");
    });
  });

  test("initialising a token again after it has paid fails, and the payer sees that it is paid", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const first = await payer.open({ token });
      await first.fill();
      await first.pay();
      await first.waitFor("approved");
      const second = await payer.open({ token });
      const { result } = await second.event("initialise");
      assert.equal(result.status, "failed");
      assert.equal(result.codes?.[0]?.id, "V11610");
      await second.waitFor("approved");
      assert.match(await second.words(), /already made/);
      assert.equal(await second.frame.getByRole("button").count(), 0, "nothing to try again");
    });
  });

  test("initialising again after a refusal replaces the old checkout", async () => {
    const [used, fresh] = [await setup.request(), await setup.request()];
    await setup.visit(async (payer) => {
      const first = await payer.open({ token: used.token });
      await first.fill();
      await first.pay();
      await first.waitFor("approved");
      const checkout = await payer.open({ token: used.token });
      await checkout.waitFor("approved");
      const config = { token: fresh.token, containerId: "checkout", version: "1.0.0" };
      await checkout.page.evaluate(
        `window.old = window.instance; window.instance = SVC.PayUI.initialise(${JSON.stringify(config)});
         window.instance.on("process", (payload) => window.events.push({ name: "process", ...payload }));`,
      );
      assert.equal(await checkout.page.locator("#checkout iframe").count(), 1);
      await checkout.waitFor("ready");
      await checkout.page.evaluate("window.old.destroy()");
      await checkout.fill();
      await checkout.pay();
      assert.equal((await checkout.event("process")).result.status, "approved");
    });
  });

  test("with payui.js loaded twice, initialising again replaces the old checkout", async () => {
    const [first, second] = [await setup.request(), await setup.request()];
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token: first.token });
      await checkout.waitFor("ready");
      await checkout.page.addScriptTag({ url: `${setup.shop.hostedUrl}/static/pay/js/payui.js` });
      const config = JSON.stringify({ token: second.token, containerId: "checkout", version: "1.0.0" });
      await checkout.page.evaluate(`void SVC.PayUI.initialise(${config})`);
      assert.equal(await checkout.page.locator("#checkout iframe").count(), 1);
      await checkout.waitFor("ready");
    });
  });

  test("initialise fails with an expired token", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const { token } = await setup.request({}, shop);
    await advanceClock(shop, 3601);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      const { result } = await checkout.event("initialise");
      assert.equal(result.status, "failed");
      assert.equal(result.codes?.[0]?.id, "V11610");
      await checkout.waitFor("error");
    });
  });

  test("contract 8: once the account doesn't take cards, frame and hosted page say so and offer no form", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const { id, token } = await setup.request({ paymentMethods: ["card", "google_pay"] }, shop);
    const { hostedPaymentPage } = await createHosted(shop);
    const takeCards = async (cardNotPresent: boolean) =>
      ok(await callApi(shop, "PUT", "/management/account", { capabilities: { cardNotPresent } }));
    const sentence = /can't be made here[\s\S]*doesn't take cards[\s\S]*not been charged/;
    await setup.visit(async (payer) => {
      const frame = await payer.open({ token });
      await frame.waitFor("ready");
      await frame.fill();
      const hosted = hostedPage(await payer.context.newPage());
      await hosted.page.goto(hostedPaymentPage.url);
      await hosted.fill();
      await takeCards(false);
      for (const one of [frame, hosted]) {
        await one.pay();
        await one.waitFor("error");
        assert.match(await one.words(), sentence);
        assert.equal(await one.payButton.isVisible(), false);
      }
      const { result } = await frame.event("process");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11645"]);

      await frame.page.reload();
      await frame.waitFor("error");
      const again = await frame.event("initialise");
      assert.deepEqual([again.result.status, again.result.codes?.[0]?.id], ["failed", "V11645"]);
      await hosted.page.reload();
      await hosted.waitFor("error");
      for (const one of [frame, hosted]) {
        assert.match(await one.words(), sentence);
        assert.equal(await one.number.count(), 0);
      }
      assert.equal((await getRequest(shop, id)).paymentRequestStatus, "created");

      await takeCards(true);
      await frame.page.reload();
      await frame.waitFor("ready");
      await hosted.page.getByRole("link", { name: "Check again" }).click();
      for (const one of [frame, hosted]) {
        await one.waitFor("ready");
        await one.fill();
        await one.pay();
        await one.waitFor("approved");
      }
    });
  });

  test("once no acquirer account is active, a frame that is opened says so and asks for no card", async () => {
    const { id, key } = await setup.gateway.newMerchant();
    const shop = shopOf(setup.gateway, key);
    const { token } = await setup.request({}, shop);
    const { database } = setup.gateway;
    const account = await addIsoAccount(database, id, await freePort());
    await inContext(database, (ctx) => setAccountStatus(ctx, account, "disable"));
    const body = { payment: { amount: 3000 }, paymentMethods: ["card"], transactionRequest: {} };
    await eventually(
      "the gateway knows it",
      async () => (await callApi(shop, "POST", "/paymentrequests", body)).status === 403,
    );
    await setup.visit(async (payer) => {
      const frame = await payer.open({ token });
      const { result } = await frame.event("initialise");
      assert.deepEqual([result.status, result.codes?.[0]?.id], ["failed", "V11618"]);
      await frame.waitFor("error");
      assert.match(await frame.words(), /can't be made here[\s\S]*not been charged/);
      assert.equal(await frame.number.count(), 0);
    });
  });

  test("without allowed origins, a page without an origin, as in an app, can embed the checkout", async () => {
    const overrides = { amount: 14418, category: { authenticationType: "3d_secure" } };
    const { token } = await setup.request(overrides);
    const address = await setup.site.addressOf({ token });
    await setup.visit(async (payer) => {
      const page = await payer.context.newPage();
      await page.setContent(await (await fetch(address)).text());
      const checkout = checkoutPage(page);
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.bank.getByRole("button", { name: "Approve" }).click();
      assert.equal((await checkout.event("process")).result.status, "approved");
    });
  });

  test("the browser shows the frame only on the account's allowed origins", async () => {
    const shop = shopOf(setup.gateway, (await setup.gateway.newMerchant()).key);
    const allow = async (origin: string) =>
      ok(await callApi(shop, "PUT", "/management/account", { allowedOrigins: [origin] }));
    const { id } = await createRequest(shop);
    await allow("https://shop.example");
    const token = await createToken(shop, id);
    await setup.visit(
      async (payer) => {
        await payer.context.clock.install();
        const checkout = await payer.open({ token });
        const pageTime = () => checkout.page.evaluate(() => Date.now());
        const startedAt = await pageTime();
        await checkout.page.clock.fastForward(3_000);
        const { result } = await checkout.event("initialise");
        assert.ok((await pageTime()) - startedAt < 15_000, "sooner than for a frame that never loads");
        assert.equal(result.status, "failed");
        assert.equal(result.codes?.[0]?.id, "V11606");
        assert.equal(payer.requestCount("/checkout/initialise"), 0);
        assert.equal(await checkout.page.locator("iframe").count(), 0);
      },
      { stopped: /frame-ancestors/ },
    );
    await allow(setup.site.origin);
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.fill();
      await checkout.pay();
      await checkout.waitFor("approved");
    });
  });
});

describe("contract 11: handlers", () => {
  test("if a handler throws, the others still receive the event, and the error reaches the console", async () => {
    const { token } = await setup.request();
    await setup.visit(
      async (payer) => {
        const first = `instance.on("initialise", () => { throw new Error("planted by the shop"); });`;
        const checkout = await payer.open({ token, first });
        const thrown = checkout.page.waitForEvent("pageerror");
        assert.equal((await checkout.event("initialise")).result.status, "ok");
        assert.match(String(await thrown), /planted by the shop/);
        await checkout.fill();
        await checkout.pay();
        await checkout.waitFor("approved");
      },
      { thrown: /planted by the shop/ },
    );
  });

  test("a removed handler receives no more events; the others do", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const first = `window.early = []; const early = (payload) => window.early.push(payload);
        instance.on("process", early); instance.on("initialise", early); instance.off("process", early);`;
      const checkout = await payer.open({ token, first });
      await checkout.fill();
      await checkout.pay();
      await checkout.event("process");
      const early = (await checkout.page.evaluate("window.early")) as { result: { status: string } }[];
      assert.deepEqual(
        early.map(({ result }) => result.status),
        ["ok"],
      );
    });
  });

  test("for an unknown event name, the console lists the known ones", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token, first: `instance.on("paid", () => {});` });
      await checkout.waitFor("ready");
      await payer.consoleShows(/no event "paid".*initialise, surchargeUpdate, process/);
    });
  });

  test("a destroyed checkout removes its frame and sends no more events", async () => {
    const { token } = await setup.request();
    await setup.visit(async (payer) => {
      const checkout = await payer.open({ token });
      await checkout.waitFor("ready");
      await checkout.page.evaluate("window.instance.destroy(); window.instance.destroy();");
      assert.equal(await checkout.page.locator("iframe").count(), 0);
      assert.deepEqual(
        (await checkout.events()).map(({ name }) => name),
        ["initialise"],
      );
    });
  });
});
