import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inviteUser } from "../../../src/dashboard/users/invite-user.ts";
import { formFields, newVisitor, signedIn } from "../../support/dashboard.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";

describe("the dashboard on an origin of its own", () => {
  let gateway: TestGateway;
  let dashboardUrl: string;
  before(async () => {
    const port = await freePort();
    gateway = await startTestGateway({ environment: { TIDEGATE_DASHBOARD_PORT: String(port) } });
    dashboardUrl = `http://localhost:${port}`;
  });
  after(() => gateway.stop());

  test("its server has the dashboard and no API; the API's server has no dashboard", async () => {
    const status = async (url: string) => (await fetch(url, { redirect: "manual" })).status;
    assert.equal(await status(`${dashboardUrl}/dashboard/signin`), 200);
    assert.equal(await status(`${dashboardUrl}/healthz`), 200);
    for (const path of ["/paymentrequests", "/management/account", "/openapi.json", "/metrics"]) {
      assert.equal(await status(dashboardUrl + path), 404, path);
    }
    assert.equal(await status(`${gateway.baseUrl}/dashboard/signin`), 404);
    assert.equal(await status(`${gateway.baseUrl}/dashboard`), 404);
    assert.equal((await gateway.get("/paymentrequests")).status, 200);
  });

  test("a user signs in and acts there; a form from the API's origin is refused", async () => {
    const { id: merchantId } = await gateway.newMerchant();
    const there = { ...gateway, baseUrl: dashboardUrl };
    const admin = await signedIn(there, { role: "admin", merchantId });
    const keys = `/dashboard/${merchantId}/keys`;
    assert.equal((await admin.get(keys)).status, 200);
    assert.match((await admin.submit(`${keys}/create`)).text, /tg_sandbox_/);
    const page = await admin.get(keys);
    const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    const foreign = await admin.post(
      `${keys}/create`,
      { token, read: "on" },
      { origin: gateway.baseUrl, "sec-fetch-site": "same-site" },
    );
    assert.equal(foreign.status, 403);
  });

  test("the theme is previewed there if the account allows that origin, and otherwise the page says why not", async () => {
    const { id: merchantId, key } = await gateway.newMerchant();
    const admin = await signedIn({ ...gateway, baseUrl: dashboardUrl }, { role: "admin", merchantId });
    const theme = `/dashboard/${merchantId}/settings/theme`;
    const allow = (...allowedOrigins: string[]) =>
      gateway.put("/management/account", { allowedOrigins }, { key });
    const preview = async () => {
      const { text } = await admin.get(theme);
      const answer = await admin.post(`${theme}/preview`, {
        token: formFields(text, `${theme}/save`)["token"] ?? "",
      });
      return { isOffered: text.includes("Show it"), said: text, answer };
    };

    await allow(dashboardUrl);
    const shown = await preview();
    assert.deepEqual([shown.isOffered, shown.answer.status], [true, 200]);
    assert.match(shown.answer.text, /id="preview" data-token="tok_/);

    await allow(gateway.baseUrl);
    const why = `Add ${dashboardUrl} to them to see it here.`;
    const refused = await preview();
    assert.deepEqual([refused.isOffered, refused.answer.status], [false, 409]);
    assert.ok(refused.said.includes(why));
    assert.match(refused.answer.text, new RegExp(`class="notice[^>]*>[^<]*${why}`));
    assert.doesNotMatch(refused.answer.text, /data-token/);
  });

  test("invitations lead there", async () => {
    const { link } = await inContext(
      gateway.database,
      (ctx) => inviteUser(ctx, { email: "a@shop.example", name: "A", role: "operator", merchantId: null }),
      { settings: gateway.settings },
    );
    assert.ok(link.startsWith(`${dashboardUrl}/dashboard/welcome#`), link);
    assert.equal((await newVisitor(dashboardUrl).get("/dashboard/welcome")).status, 200);
  });
});
