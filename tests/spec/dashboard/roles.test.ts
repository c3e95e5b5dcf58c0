import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { instant } from "../../../src/kernel/time.ts";
import { totpCodeAt } from "../../../src/platform/crypto/totp.ts";
import { formFields, newVisitor, signedIn } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

const PAGES = [
  "",
  "/payment-requests",
  "/transactions",
  "/customers",
  "/payouts",
  "/webhooks",
  "/keys",
  "/settings",
  "/settings/look",
  "/sandbox",
];

describe("dashboard: what a role may do, and whose pages it may see", () => {
  let gateway: TestGateway;
  let own: string;
  let other: string;
  before(async () => {
    gateway = await startTestGateway();
    own = (await gateway.newMerchant()).id;
    other = (await gateway.newMerchant()).id;
  });
  after(() => gateway.stop());

  test("a merchant's user never sees another merchant: its pages are as good as absent (I18)", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    const page = await admin.get(`/dashboard/${own}/keys`);
    assert.equal(page.status, 200, "the twin: their own is there");
    assert.equal((await admin.get(`/dashboard/${other}/keys`)).status, 404);
    const { token = "" } = formFields(page.text, `/dashboard/${own}/keys/create`);
    const made = await admin.post(`/dashboard/${other}/keys/create`, { token, read: "on" });
    assert.equal(made.status, 404);
    assert.equal((await admin.get("/dashboard/merchants")).status, 403);
    const operator = await signedIn(gateway, { role: "operator" });
    assert.equal((await operator.get(`/dashboard/${other}/keys`)).status, 200);
  });

  test("every page of a merchant is there for its viewer, for no other merchant's admin, and for nobody without a session", async () => {
    const viewer = await signedIn(gateway, { role: "viewer", merchantId: own });
    const stranger = await signedIn(gateway, { role: "admin", merchantId: other });
    const nobody = newVisitor(gateway.baseUrl);
    for (const path of PAGES) {
      const at = `/dashboard/${own}${path}`;
      assert.equal((await viewer.get(at)).status, 200, path);
      assert.equal((await stranger.get(at)).status, 404, path);
      assert.equal((await nobody.get(at)).goTo, `/dashboard/signin?next=${encodeURIComponent(at)}`, path);
    }
    const page = await viewer.get(`/dashboard/${own}`);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /script-src 'self';.* frame-ancestors 'none'/,
    );
    assert.doesNotMatch(page.headers.get("content-security-policy") ?? "", /unsafe/);
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.equal((await viewer.get("/dashboard/")).goTo, "/dashboard");
    assert.equal((await viewer.get("/dashboard/signin")).goTo, "/dashboard");
  });

  test("a viewer and staff look at keys but make none; an admin does", async () => {
    for (const role of ["viewer", "staff"] as const) {
      const visitor = await signedIn(gateway, { role, merchantId: own });
      const page = await visitor.get(`/dashboard/${own}/keys`);
      assert.equal(page.status, 200);
      assert.doesNotMatch(page.text, /keys\/create/);
      const { token = "" } = formFields(page.text, "/dashboard/signout");
      const refused = await visitor.post(`/dashboard/${own}/keys/create`, { token, read: "on" });
      assert.equal(refused.status, 403);
    }
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    await admin.get(`/dashboard/${own}/keys`);
    const made = await admin.submit(`/dashboard/${own}/keys/create`, { read: "on" });
    const key = /tg_sandbox_[\w-]{43}/.exec(made.text)?.[0];
    assert.equal((await gateway.get("/management/account", { key: key ?? "" })).body.id, own);
  });

  test("where a second factor is required, nothing opens before it is set up", async (t) => {
    const environment = { TIDEGATE_SECOND_FACTOR: "required" };
    const strict = await startTestGateway({ database: gateway.database, environment });
    t.after(() => strict.stop());
    const visitor = await signedIn(strict, { role: "operator" });
    const turned = await visitor.get(`/dashboard/${own}/keys`);
    assert.equal(turned.goTo, "/dashboard/account/second-factor");
    const setup = await visitor.follow(turned);
    assert.match(setup.text, /asks everybody for a second factor/);
    const secret = (/data-copy="the secret">([A-Z2-7 ]+)</.exec(setup.text)?.[1] ?? "").replaceAll(" ", "");
    await visitor.submit("/dashboard/account/second-factor", {
      code: totpCodeAt(secret, instant(Date.now())),
    });
    assert.equal((await visitor.get(`/dashboard/${own}/keys`)).status, 200);
  });
});
