import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findUser } from "../../../src/dashboard/access/users/queries.ts";
import { changeUser } from "../../../src/dashboard/users/change-user.ts";
import { inviteUser } from "../../../src/dashboard/users/invite-user.ts";
import { removeUser } from "../../../src/dashboard/users/remove-user.ts";
import type { Id } from "../../../src/kernel/ids.ts";
import { Refusal } from "../../../src/kernel/refusal.ts";
import { instant } from "../../../src/kernel/time.ts";
import { totpCodeAt } from "../../support/authenticator.ts";
import { formFields, newVisitor, signedIn } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext } from "../../support/operator.ts";
import { tryCommand } from "../../support/typed-command.ts";

const PAGES = [
  "",
  "/payment-requests",
  "/transactions",
  "/customers",
  "/payouts",
  "/webhooks",
  "/keys",
  "/settings",
  "/settings/theme",
  "/sandbox",
];

describe("dashboard: permissions of roles", () => {
  let gateway: TestGateway;
  let own: string;
  let other: string;
  before(async () => {
    gateway = await startTestGateway();
    own = (await gateway.newMerchant()).id;
    other = (await gateway.newMerchant()).id;
  });
  after(() => gateway.stop());
  const idOf = async (email: string): Promise<Id<"user">> => {
    const [row] = await gateway.database.rows<{ id: Id<"user"> }>(
      "select id from dashboard_users where email = $1",
      [email],
    );
    assert.ok(row);
    return row.id;
  };

  test("a merchant's user gets 404 for another merchant's pages (I18)", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    const page = await admin.get(`/dashboard/${own}/keys`);
    assert.equal(page.status, 200, "control: their own page exists");
    assert.equal((await admin.get(`/dashboard/${other}/keys`)).status, 404);
    const { token = "" } = formFields(page.text, `/dashboard/${own}/keys/create`);
    const made = await admin.post(`/dashboard/${other}/keys/create`, { token, read: "on" });
    assert.equal(made.status, 404);
    assert.equal((await admin.get("/dashboard/merchants")).status, 403);
    const operator = await signedIn(gateway, { role: "operator" });
    assert.equal((await operator.get(`/dashboard/${other}/keys`)).status, 200);
  });

  test("every page of a merchant is open to its viewer, 404 to other merchants, and redirects to sign-in without a session", async () => {
    const viewer = await signedIn(gateway, { role: "viewer", merchantId: own });
    const otherAdmin = await signedIn(gateway, { role: "admin", merchantId: other });
    const signedOut = newVisitor(gateway.baseUrl);
    for (const path of PAGES) {
      const at = `/dashboard/${own}${path}`;
      assert.equal((await viewer.get(at)).status, 200, path);
      assert.equal((await otherAdmin.get(at)).status, 404, path);
      assert.equal((await signedOut.get(at)).goTo, `/dashboard/signin?next=${encodeURIComponent(at)}`, path);
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

  test("a text that can't be an id is 404 on every page, and never in the audit log", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    const base = `/dashboard/${own}`;
    for (const path of [
      "/dashboard/users/notanid",
      "/dashboard/not-a-merchant/keys",
      `${base}/transactions/zzz`,
      `${base}/customers/zzz`,
      `${base}/webhooks/zzz`,
    ])
      assert.equal((await admin.get(path)).status, 404, path);
    const { token = "" } = formFields((await admin.get(`${base}/keys`)).text, `${base}/keys/create`);
    const number = "4111111111111111";
    assert.equal((await admin.post(`${base}/keys/${number}/revoke`, { token })).status, 404);
    const [, keyId] = /(key_[0-9a-z]+)/.exec((await admin.get(`${base}/keys`)).text) ?? [];
    assert.ok(keyId);
    assert.equal((await admin.post(`${base}/keys/${keyId}/revoke`, { token })).status, 303);
    const entries = await gateway.database.rows<{ entry: string }>(
      "select a::text as entry from audit_log a order by id",
    );
    assert.ok(!entries.some(({ entry }) => entry.includes(number)));
    assert.ok(entries.some(({ entry }) => entry.includes(keyId)));
  });

  test("viewer and staff read keys but cannot create one; an admin can", async () => {
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

  test("a role change applies at once, even in open sessions; a removed user is signed out", async () => {
    const operator = await signedIn(gateway, { role: "operator", email: "aroha@gateway.example" });
    const hemi = await signedIn(gateway, { role: "viewer", merchantId: own, email: "hemi@shop.example" });
    const at = `/dashboard/users/${await idOf("hemi@shop.example")}`;
    const canOpen = async (path: string) => (await hemi.get(path)).status === 200;
    const assignRole = async (fields: Readonly<Record<string, string>>) => {
      await operator.get(at);
      return operator.submit(`${at}/role`, fields);
    };
    assert.equal(await canOpen("/dashboard/users"), false);
    assert.equal((await assignRole({ role: "admin" })).goTo, at);
    assert.equal(await canOpen("/dashboard/users"), true);
    await assignRole({ role: "operator" });
    assert.equal(await canOpen("/dashboard/merchants"), true);
    assert.equal((await assignRole({ role: "king" })).status, 400);
    const nowhere = await assignRole({ role: "staff", merchant: "mer_nowhere" });
    assert.match(nowhere.text, /id="p-merchant"/);
    assert.match(nowhere.text, /<option value="staff" selected/, "the selection stays");
    assert.equal(await canOpen("/dashboard/merchants"), true);
    await assignRole({ role: "staff", merchant: other });
    assert.deepEqual(
      [
        await canOpen("/dashboard/merchants"),
        await canOpen(`/dashboard/${own}`),
        await canOpen(`/dashboard/${other}`),
      ],
      [false, false, true],
    );
    const formerAdmin = await signedIn(gateway, { role: "admin", merchantId: own });
    assert.equal((await formerAdmin.get(at)).status, 404, "another merchant's user is 404");
    const self = await operator.get(`/dashboard/users/${await idOf("aroha@gateway.example")}`);
    assert.equal(self.status, 403, "users cannot change their own role");
    assert.match((await operator.get(`${at}/remove`)).text, /Their one session ends at once/);
    assert.equal((await operator.submit(`${at}/remove`)).goTo, "/dashboard/users");
    assert.match((await hemi.get("/dashboard/account")).goTo, /signin/);
    assert.doesNotMatch((await operator.get("/dashboard/users")).text, /hemi@shop\.example/);
    assert.equal((await operator.get(at)).status, 404);
  });

  test("an admin assigns roles of their own merchant only", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    await signedIn(gateway, { role: "viewer", merchantId: own, email: "tama@shop.example" });
    const at = `/dashboard/users/${await idOf("tama@shop.example")}`;
    const page = await admin.get(at);
    assert.doesNotMatch(page.text, /value="operator"|name="merchant"/);
    assert.equal((await admin.submit(`${at}/role`, { role: "operator" })).status, 400);
    assert.equal((await admin.submit(`${at}/role`, { role: "staff", merchant: other })).status, 303);
    const [after] = await gateway.database.rows(
      "select role, merchant_id from dashboard_users where email = 'tama@shop.example'",
    );
    assert.deepEqual(after, { role: "staff", merchant_id: own });
  });

  test("an admin changes and removes no user who has moved since the page was read", async () => {
    await inContext(gateway.database, async (ctx) => {
      const merchantId = own as Id<"merchant">;
      const details = { name: "Moana", role: "staff", merchantId } as const;
      const { user: seen } = await inviteUser(ctx, { email: "moana@shop.example", ...details });
      const late = [
        () => changeUser(ctx, seen, { role: "viewer", merchantId }),
        () => changeUser(ctx, seen, { disabled: true }),
        () => removeUser(ctx, seen),
      ];
      await changeUser(ctx, seen, { role: "operator" });
      for (const change of late) await assert.rejects(change(), /dashboard_user_moved/);
      const operator = { ...seen, merchantId: null };
      await changeUser(ctx, operator, { role: "staff", merchantId: other as Id<"merchant"> });
      for (const change of late) await assert.rejects(change(), /dashboard_user_moved/);
      await changeUser(ctx, { ...seen, merchantId: other as Id<"merchant"> }, { role: "staff", merchantId });
      for (const change of late) await change();
    });
  });

  test("the last operator who can sign in cannot be demoted, disabled or removed, even concurrently", async () => {
    const emails = ["one@gateway.example", "two@gateway.example"] as const;
    for (const email of emails) await signedIn(gateway, { role: "operator", email });
    await gateway.database.rows("update dashboard_users set password_hash = 'x' where email = any ($1)", [
      emails,
    ]);
    const [first, second] = await Promise.all(
      emails.map(async (email) => ({ id: await idOf(email), merchantId: null })),
    );
    assert.ok(first && second);
    await inContext(gateway.database, async (ctx) => {
      const attempts = await Promise.allSettled([removeUser(ctx, first), removeUser(ctx, second)]);
      assert.deepEqual(attempts.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      const left = (await findUser(ctx.db, first.id)) ?? (await findUser(ctx.db, second.id));
      assert.ok(left);
      const last = { code: "dashboard_last_operator", field: "/role" };
      const refused = (work: Promise<unknown>) =>
        assert.rejects(work, (error) => {
          assert.ok(error instanceof Refusal);
          assert.deepEqual(error.problems, [last]);
          return true;
        });
      await refused(removeUser(ctx, left));
      await refused(changeUser(ctx, left, { disabled: true }));
      await refused(changeUser(ctx, left, { role: "admin", merchantId: own as Id<"merchant"> }));
      const { user } = await inviteUser(ctx, {
        email: "three@gateway.example",
        name: "Three",
        role: "operator",
        merchantId: null,
      });
      await refused(removeUser(ctx, left));
      await removeUser(ctx, user);
    });
    const removal = await tryCommand(gateway, "user", "remove", "one@gateway.example");
    const other = await tryCommand(gateway, "user", "remove", "two@gateway.example");
    const output = `${removal.stderr} ${other.stderr}`;
    assert.deepEqual([removal.code, other.code], [1, 1]);
    assert.match(output, /last operator who can sign in/);
    assert.match(output, /no user with that e-mail address/);
  });

  test("a required second factor must be set up before any page opens", async (t) => {
    const environment = { TIDEGATE_SECOND_FACTOR: "required" };
    const strict = await startTestGateway({ database: gateway.database, environment });
    t.after(() => strict.stop());
    const visitor = await signedIn(strict, { role: "operator" });
    const redirected = await visitor.get(`/dashboard/${own}/keys`);
    assert.equal(redirected.goTo, "/dashboard/account/second-factor");
    const setup = await visitor.follow(redirected);
    assert.match(setup.text, /requires a second factor/);
    const secret = (/data-copy="the secret">([A-Z2-7 ]+)</.exec(setup.text)?.[1] ?? "").replaceAll(" ", "");
    await visitor.submit("/dashboard/account/second-factor", {
      code: totpCodeAt(secret, instant(Date.now())),
    });
    assert.equal((await visitor.get(`/dashboard/${own}/keys`)).status, 200);
  });

  test("once a live merchant is open, operators and admins must have a second factor, staff need not", async (t) => {
    const other = await startTestGateway();
    t.after(() => other.stop());
    const { id: merchantId } = await other.newMerchant();
    const operator = await signedIn(other, { role: "operator" });
    const admin = await signedIn(other, { role: "admin", merchantId });
    const staff = await signedIn(other, { role: "staff", merchantId });
    const path = `/dashboard/${merchantId}/keys`;
    const live = await other.newMerchant({ mode: "live" });
    for (const visitor of [operator, admin, staff]) assert.equal((await visitor.get(path)).status, 200);
    const settings = `/dashboard/${live.id}/settings`;
    await operator.get(settings);
    const opened = await operator.submit(`${settings}/capabilities`, { payId: "on" });
    assert.match(opened.text, /Saved, but the next start will be refused: .*TIDEGATE_BASE_URL is http/);
    assert.match(opened.text, /name="payId" value="on" checked/);
    assert.equal((await operator.get(path)).goTo, "/dashboard/account/second-factor");
    assert.equal((await admin.get(path)).goTo, "/dashboard/account/second-factor");
    assert.equal((await staff.get(path)).status, 200);
  });

  test("lists of more than 1,000 users say that they are cut", async () => {
    const operator = await signedIn(gateway, { role: "operator" });
    const admin = await signedIn(gateway, { role: "admin", merchantId: own });
    const words = /Only the first 1000 are listed/;
    assert.doesNotMatch((await operator.get("/dashboard/users")).text, words, "control");
    await gateway.database.rows(
      `insert into dashboard_users (id, merchant_id, role, email, name, created_at, updated_at)
       select 'usr_many' || n, $1, 'viewer', 'many' || n || '@shop.example', 'One of many', now(), now()
       from generate_series(1, 1001) n`,
      [other],
    );
    assert.match((await operator.get("/dashboard/users")).text, words);
    assert.doesNotMatch((await admin.get("/dashboard/users")).text, words, "their own are few");
    const { output } = await tryCommand(gateway, "user", "list");
    assert.deepEqual([output.users.length, output.complete], [1000, false]);
  });
});
