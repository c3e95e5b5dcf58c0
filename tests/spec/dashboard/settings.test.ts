import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CODES_BY_ID } from "../../../src/kernel/codes/catalogue.ts";
import { callApi, ok, problemsOf, shopOf } from "../../support/checkout.ts";
import { formFields, newVisitor, signedIn, type Visitor } from "../../support/dashboard.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { startReceiver, withStatus } from "../../support/receiver.ts";
import { tryCommand } from "../../support/typed-command.ts";

describe("dashboard: account, keys, webhooks and users", () => {
  let gateway: TestGateway;
  let merchant: { id: string; key: string };
  let admin: Visitor;
  let base: string;
  const account = async () => (await gateway.get("/management/account", { key: merchant.key })).body;
  before(async () => {
    gateway = await startTestGateway();
    merchant = await gateway.newMerchant();
    base = `/dashboard/${merchant.id}`;
    admin = await signedIn(gateway, { role: "admin", merchantId: merchant.id });
  });
  after(() => gateway.stop());

  test("each section of the settings saves what the API accepts", async () => {
    await admin.get(`${base}/settings`);
    const saved = await admin.submit(`${base}/settings/account`, { name: "Harbour Books" });
    assert.match((await admin.follow(saved)).text, /role="status">Saved\./);
    await admin.submit(`${base}/settings/capabilities`, {});
    await admin.submit(`${base}/settings/origins`, {
      allowedOrigins: "https://shop.example\r\nhttps://www.shop.example",
    });
    await admin.get(`${base}/settings`);
    await admin.submit(`${base}/settings/surcharging`, {
      enabled: "on",
      "visa.percent": "1.25",
      "visa.fixed": "10",
      "visa.from": "2026-10-01",
      "amex.percent": "2",
    });
    const after = await account();
    assert.equal(after.name, "Harbour Books");
    assert.deepEqual(after.allowedOrigins, ["https://shop.example", "https://www.shop.example"]);
    assert.equal(after.capabilities.payId, true);
    const visa = { percent: 1.25, fixed: 10, from: "2026-10-01" };
    assert.deepEqual(after.surcharging, { enabled: true, rates: { visa, amex: { percent: 2, fixed: 0 } } });
    await admin.get(`${base}/settings`);
    await admin.submit(`${base}/settings/surcharging`, { "amex.percent": "", "amex.fixed": "" });
    assert.deepEqual((await account()).surcharging.rates, { visa });
    const { payId: _gone, ...others } = { payId: "", cardNotPresent: "on", threeDSecure: "on" };
    await admin.get(`${base}/settings`);
    const page = await admin.get(`${base}/settings`);
    const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    await admin.post(`${base}/settings/capabilities`, { token, ...others });
    assert.equal((await account()).capabilities.payId, false);
    const choices = async () => {
      const { threeDSecureAttempted, threeDSecureUnavailable } = await account();
      return [threeDSecureAttempted, threeDSecureUnavailable];
    };
    assert.deepEqual(await choices(), ["proceed", "decline"]);
    await admin.post(`${base}/settings/capabilities`, { token, ...others, declinesAttempted: "on" });
    assert.deepEqual(await choices(), ["decline", "decline"]);
    await admin.post(`${base}/settings/capabilities`, { token, ...others, proceedsUnauthenticated: "on" });
    assert.deepEqual(await choices(), ["proceed", "proceed"]);
  });

  test("an invalid value is shown beside its field with the input kept, and nothing is saved", async () => {
    const before = await account();
    await admin.get(`${base}/settings`);
    const origins = await admin.submit(`${base}/settings/origins`, {
      allowedOrigins: "https://shop.example\nhttps://shop.example/path",
    });
    assert.equal(origins.status, 400);
    assert.match(origins.text, /<title>Problem: Settings · Tidegate</);
    assert.match(origins.text, /id="p-allowedOrigins">Entry 2: Use an origin such as/);
    assert.match(origins.text, /https:\/\/shop\.example\/path<\/textarea>/);
    const rates = await admin.submit(`${base}/settings/surcharging`, {
      "visa.percent": "much",
      "jcb.percent": "1",
      "jcb.from": "2026-10-02",
      "jcb.until": "2026-10-01",
    });
    assert.equal(rates.status, 400);
    assert.match(rates.text, /id="p-visa-percent">Use a number from 0 to 100/);
    assert.match(rates.text, /id="p-jcb-until">Use a day/);
    assert.deepEqual(await account(), before);
    for (const [posted, above] of [
      [`${base}/settings/origins`, `${base}/settings`],
      [`${base}/webhooks/create`, `${base}/webhooks`],
      ["/dashboard/users/invite", "/dashboard/users"],
      ["/dashboard/account/sessions/end", "/dashboard/account"],
    ] as const)
      assert.equal((await admin.get(posted)).goTo, above, "GET on a form's action redirects to its page");
  });

  test("the preview of a theme never creates a payment request of a live merchant", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    const admin = await signedIn(gateway, { role: "admin", merchantId: live.id });
    const page = await admin.get(`/dashboard/${live.id}/settings`);
    const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    const answer = await admin.post(`/dashboard/${live.id}/settings/theme/preview`, { token });
    assert.equal(answer.status, 409);
    assert.match(answer.text, /only a sandbox merchant has one/);
    const made = await gateway.database.rows(
      `select 1 from payment_requests where merchant_id = '${live.id}'`,
    );
    assert.equal(made.length, 0);
  });

  test("only the operator changes a live account", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    const path = `/dashboard/${live.id}/settings`;
    const own = await signedIn(gateway, { role: "admin", merchantId: live.id });
    const page = await own.get(path);
    assert.match(page.text, /changed by the gateway&#39;s operator/);
    const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    const change = { token, name: "Mine", country: "AU", currencyCode: "AUD" };
    assert.equal((await own.post(`${path}/account`, change)).status, 403);
    const operator = await signedIn(gateway, { role: "operator" });
    await operator.get(path);
    assert.equal((await operator.submit(`${path}/account`, { name: "Theirs" })).status, 303);
    assert.equal((await gateway.get("/management/account", { key: live.key })).body.name, "Theirs");
    assert.match((await operator.get(`/dashboard/${live.id}/keys`)).text, /badge-live">live</);
    assert.doesNotMatch((await operator.get(`/dashboard/${live.id}/keys`)).text, /\/sandbox"/);
  });

  test("a form that is sent twice takes effect once", async () => {
    await admin.get(`${base}/keys`);
    const form = /name="once" value="(\w+)"/.exec((await admin.get(`${base}/keys`)).text)?.[1] ?? "";
    const [one, two] = [await admin.submit(`${base}/keys/create`, { once: form }), form];
    assert.match(one.text, /tg_sandbox_[\w-]{43}/);
    await admin.get(`${base}/keys`);
    const again = await admin.submit(`${base}/keys/create`, { once: two });
    assert.equal(again.goTo, `${base}/keys`);
    assert.match((await admin.follow(again)).text, /sent twice\. It was done once/);
    const keys = await gateway.database.rows("select from api_keys where merchant_id = $1", [merchant.id]);
    assert.equal(keys.length, 2);
  });

  test("a key's expiry, addresses and last use are shown; wrong ones are named beside their field", async () => {
    const other = await gateway.newMerchant();
    const owner = await signedIn(gateway, { role: "admin", merchantId: other.id });
    const keys = `/dashboard/${other.id}/keys`;
    assert.match((await owner.get(keys)).text, /any address/);
    const typed = { expires: "2020-01-01T00:00:00Z", addresses: "shop.example", write: "", admin: "on" };
    const refused = await owner.submit(`${keys}/create`, typed);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /id="p-expires">It must be a future ISO 8601 time/);
    assert.match(refused.text, /id="p-addresses">It must be 1 to 50 IP addresses/);
    assert.match(refused.text, /value="shop\.example"/);
    const { read, write, admin: manages } = formFields(refused.text, `${keys}/create`);
    assert.deepEqual([read, write, manages], ["on", undefined, "on"], "the scopes stay as chosen");
    const recorded = async () =>
      (
        await gateway.database.rows<{ act: string }>(
          "select act from audit_log where merchant_id = $1 and detail = 'API key created' order by id",
          [other.id],
        )
      ).map(({ act }) => act);
    assert.deepEqual(await recorded(), ["user_acted", "user_act_refused"]);
    await owner.submit(`${keys}/create`, { expires: "2999-01-01T00:00:00Z", addresses: "127.0.0.1, ::1" });
    assert.deepEqual((await recorded()).slice(2), ["user_acted"]);
    const page = (await owner.get(keys)).text;
    assert.match(page, /127\.0\.0\.1\/32, ::1\/128/);
    assert.match(page, /active<\/span> until <time[^>]*>1 Jan 2999/);
    await gateway.get("/events", { key: other.key });
    const neverUsed = async () => (await owner.get(keys)).text.split("never").length - 1;
    await eventually("one of the two keys was used", async () => (await neverUsed()) === 1);
  });

  test("an admin revokes a key, but not another merchant's", async () => {
    const page = await admin.get(`${base}/keys`);
    const made = [...page.text.matchAll(/keys\/(key_\w+)\/revoke/g)].map(([, id = ""]) => id);
    const last = made.at(-1) ?? "";
    const question = await admin.get(`${base}/keys/${last}/revoke`);
    assert.match(question.text, /1 other key goes on working/);
    assert.equal((await admin.submit(`${base}/keys/${last}/revoke`)).goTo, `${base}/keys`);
    assert.doesNotMatch((await admin.get(`${base}/keys`)).text, new RegExp(`${last}/revoke`));
    const [foreign] = await gateway.database.rows<{ id: string }>(
      "select id from api_keys where merchant_id <> $1 limit 1",
      [merchant.id],
    );
    const token = /name="token" value="(\w+)"/.exec(page.text)?.[1] ?? "";
    assert.equal((await admin.post(`${base}/keys/${foreign?.id}/revoke`, { token })).status, 404);
    assert.equal((await admin.get(`${base}/keys/${foreign?.id}/revoke`)).status, 404);
    const [only] = made.filter((id) => id !== last);
    assert.match((await admin.get(`${base}/keys/${only}/revoke`)).text, /It is the only key/);
  });

  test("webhooks: subscribe, ping, change URL, disable, set credentials, rotate the signing key, delete", async () => {
    const receiver = await startReceiver();
    await admin.get(`${base}/webhooks`);
    const refused = await admin.submit(`${base}/webhooks/create`, {
      event: "payouts",
      url: "http://10.0.0.1/x",
    });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /id="p-url"/);
    assert.match(refused.text, /value="http:\/\/10\.0\.0\.1\/x"/, "the input stays");
    const made = await admin.submit(`${base}/webhooks/create`, { event: "payouts", url: receiver.url });
    const page = await admin.follow(made);
    const id = /webhooks\/(whk_\w+)\/test/.exec(page.text)?.[1] ?? "";
    const pinged = await admin.follow(await admin.submit(`${base}/webhooks/${id}/test`));
    assert.match(pinged.text, /The ping was acknowledged: HTTP 200, \d+ ms/);
    const at = `${base}/webhooks/${id}`;
    const webhook = async () => (await gateway.get(`/webhooks/${id}`, { key: merchant.key })).body;
    const privateAddress = await admin.submit(`${at}/address`, { url: "http://10.0.0.1/y" });
    assert.equal(privateAddress.status, 400);
    assert.match(privateAddress.text, /value="http:\/\/10\.0\.0\.1\/y"[^>]*aria-invalid="true"/);
    const shop = shopOf(gateway, merchant.key);
    const byApi = await callApi(shop, "PUT", `/webhooks/${id}`, { url: "http://10.0.0.1/y" });
    assert.deepEqual(problemsOf(byApi), ["V11903 /url"]);
    assert.ok(privateAddress.text.includes(CODES_BY_ID.V11903.meaning), "the message is the API's");
    assert.equal((await webhook()).url, receiver.url);
    await admin.get(at);
    const moved = await admin.follow(await admin.submit(`${at}/address`, { url: `${receiver.url}/new` }));
    assert.match(moved.text, /posted to the new address/);
    assert.equal((await webhook()).url, `${receiver.url}/new`);
    assert.match((await admin.get(`${at}/disable`)).text, /Nothing waits to be delivered there/);
    const off = await admin.follow(await admin.submit(`${at}/disable`));
    assert.match(off.text, /badge-bad">disabled/);
    assert.equal((await webhook()).status, "disabled");
    await admin.submit(`${at}/enable`);
    assert.equal((await webhook()).status, "active");
    await admin.get(`${base}/webhooks`);
    const twice = await admin.submit(`${base}/webhooks/create`, { event: "payouts", url: receiver.url });
    assert.equal(twice.status, 409);
    assert.match(twice.text, /<option value="payouts" selected>[\s\S]*id="p-event"/);
    const everything = await admin.submit(`${base}/webhooks/create`, { event: "*", url: receiver.url });
    const withBoth = await admin.follow(everything);
    assert.match(withBoth.text, /Subscribed to all events\./);
    const ofAll = /href="([^"]*)">all events<\/a>/.exec(withBoth.text)?.[1];
    assert.doesNotMatch(withBoth.text, /<option value="\*"/, "it is subscribed to already");
    const question = await admin.get(`${ofAll}/disable`);
    assert.match(question.text, /The subscription to all events posts nothing to/);
    await admin.get(`${base}/webhooks`);
    const nameless = await admin.submit(`${base}/webhooks/settings`, { username: "", password: "gate" });
    assert.match(
      nameless.text,
      /id="p-username"/,
      "a password without a username does not clear the credentials",
    );
    const half = await admin.submit(`${base}/webhooks/settings`, { username: "tide", password: "" });
    assert.match(half.text, /id="p-password"/);
    assert.equal(
      (await admin.submit(`${base}/webhooks/settings`, { username: "tide", password: "gate" })).status,
      303,
    );
    await admin.get(`${base}/webhooks`);
    const key = (text: string) => /data-copy="the signing key">([\w-]{43})</.exec(text)?.[1];
    const shown = key((await admin.submit(`${base}/webhooks/signing-key`)).text);
    assert.equal(shown, (await gateway.get("/webhooks/signingkey", { key: merchant.key })).body.signingKey);
    await admin.get(`${base}/webhooks/signing-key/rotate`);
    const rotated = key((await admin.submit(`${base}/webhooks/signing-key/rotate`)).text);
    assert.ok(rotated !== undefined && rotated !== shown);
    await admin.get(`${base}/webhooks/${id}/delete`);
    assert.equal((await admin.submit(`${base}/webhooks/${id}/delete`)).status, 303);
    assert.doesNotMatch((await admin.get(`${base}/webhooks`)).text, new RegExp(id));
    const viewer = await signedIn(gateway, { role: "viewer", merchantId: merchant.id });
    assert.equal((await viewer.get(at)).status, 404, "the webhook is deleted");
    const seen = await viewer.get(`${base}/webhooks`);
    const token = /name="token" value="(\w+)"/.exec(seen.text)?.[1] ?? "";
    assert.equal((await viewer.post(`${base}/webhooks/signing-key`, { token })).status, 403);
  });

  test("a subscription's page shows its deliveries, and disabling or deleting it shows how many are pending", async () => {
    const receiver = await startReceiver(withStatus(503));
    const shop = shopOf(gateway, merchant.key);
    const made = ok(await callApi(shop, "POST", "/webhooks", { event: "customers", url: receiver.url }));
    const at = `${base}/webhooks/${made.id}`;
    assert.match((await admin.get(at)).text, /Nothing was delivered here lately/);
    ok(await callApi(shop, "POST", "/customers", { name: "Mere Tui", email: "mere@shop.example" }));
    await receiver.until(1);
    const viewer = await signedIn(gateway, { role: "viewer", merchantId: merchant.id });
    const failing = await eventually("the failure is recorded", async () => {
      const { text } = await viewer.get(at);
      return text.includes("failing") && text.includes("HTTP 503") && text;
    });
    assert.match(failing, /1 delivery</);
    await admin.get(at);
    const pinged = await admin.follow(await admin.submit(`${at}/test`));
    assert.match(pinged.text, /role="alert">The ping was not acknowledged: HTTP 503, \d+ ms\./);
    assert.doesNotMatch(failing, /<form[^>]*webhooks/, "a viewer sees no forms");
    assert.equal((await viewer.get(`${at}/delete`)).status, 403);
    for (const end of ["disable", "delete"])
      assert.match((await admin.get(`${at}/${end}`)).text, /1 delivery waits for it now and is closed/, end);
  });

  test("input that no form sends is refused or ignored, and never a 500", async () => {
    for (const query of ["q=a%00b", "last4=%00", "from=0001-01-01", "to=0001-01-01", "status=%00approved"])
      assert.equal((await admin.get(`${base}/transactions?${query}`)).status, 200, query);
    const page = await admin.get(`${base}/sandbox`);
    const { token = "" } = formFields(page.text, "/dashboard/signout");
    const post = async (path: string, fields: Readonly<Record<string, string>>) =>
      (await admin.post(path, { token, ...fields })).status;
    for (const part of ["__proto__", "constructor", "hasOwnProperty"])
      assert.equal(await post(`${base}/settings/${part}`, {}), 404, part);
    assert.equal(await post(`${base}/sandbox/clock`, { count: "1", unit: "constructor" }), 400);
    assert.equal(await post(`${base}/sandbox/clock`, { count: "1", unit: "seconds" }), 303, "control");
    const guest = { name: "Kiri", role: "staff" };
    assert.equal(await post("/dashboard/users/invite", { ...guest, email: "kiri\u0001@shop.example" }), 400);
    assert.equal(await post("/dashboard/users/invite", { ...guest, email: "kiri\0@shop.example" }), 200);
    const large = await admin.post("/dashboard/users/invite", { token, name: "a".repeat(2_000_000) });
    assert.deepEqual([large.status, /The form is too large/.test(large.text)], [413, true]);
    const type = { "content-type": "text/plain" };
    const plain = await admin.post("/dashboard/users/invite", { token }, type);
    assert.deepEqual([plain.status, /The request can&#39;t be read/.test(plain.text)], [415, true]);
  });

  test("an admin invites to their own merchant only, and a disabled user is signed out at once", async () => {
    await admin.get("/dashboard/users");
    const guest = { name: "Mere", email: "mere@shop.example", role: "staff" };
    assert.equal((await admin.submit("/dashboard/users/invite", { ...guest, role: "operator" })).status, 400);
    const invited = await admin.submit("/dashboard/users/invite", guest);
    const link = /data-copy="the link">([^<]+)</.exec(invited.text)?.[1] ?? "";
    assert.ok(link.startsWith(`${gateway.baseUrl}/dashboard/welcome#`));
    await admin.get("/dashboard/users");
    assert.equal((await admin.submit("/dashboard/users/invite", guest)).status, 409);
    const mere = newVisitor(gateway.baseUrl);
    await mere.get("/dashboard/welcome");
    const page = await mere.submit("/dashboard/welcome", { link });
    assert.match(page.text, /value="mere@shop\.example"[^>]* readonly/);
    await mere.submit("/dashboard/welcome/finish", { password: "kelp and driftwood" });
    assert.equal((await mere.get(`${base}/keys`)).status, 200);
    assert.equal((await mere.get("/dashboard/users")).status, 403);
    const list = await admin.get("/dashboard/users");
    const id = /users\/(usr_\w+)">Mere</.exec(list.text)?.[1] ?? "";
    assert.match((await admin.get(`/dashboard/users/${id}/disable`)).text, /Their one session ends at once/);
    await admin.submit(`/dashboard/users/${id}/disable`);
    assert.match((await mere.get(`${base}/keys`)).goTo, /signin/);
  });

  test("the operator's commands create users and links, and disable and remove users", async () => {
    const ops = ["--email", "ops@gateway.example"];
    const made = await tryCommand(gateway, "user", "create", ...ops, "--name", "Ops", "--operator");
    const { userId, link } = made.output;
    assert.ok(link.startsWith(`${gateway.baseUrl}/dashboard/welcome#`));
    const again = (await tryCommand(gateway, "user", "link", ...ops)).output.link;
    assert.notEqual(again, link);
    assert.equal(
      (await tryCommand(gateway, "user", "disable", "OPS@gateway.example")).output.status,
      "disabled",
    );
    const { users } = (await tryCommand(gateway, "user", "list")).output;
    const listed = users.find((user: { userId: string }) => user.userId === userId);
    assert.equal(listed?.status, "disabled");
    assert.equal(
      (await tryCommand(gateway, "user", "enable", "ops@gateway.example")).output.status,
      "enabled",
    );
    const twice = await tryCommand(gateway, "user", "create", ...ops, "--operator");
    assert.deepEqual([twice.code, /a user has this one already/.test(twice.stderr)], [1, true]);
    assert.equal((await tryCommand(gateway, "user", "create", "--email", "x@gateway.example")).code, 2);
    const bound = await tryCommand(gateway, "user", "role", "ops@gateway.example", "--role", "staff");
    assert.deepEqual(
      [bound.code, /merchant: Choose one of/.test(bound.stderr)],
      [1, true],
      "staff needs a merchant",
    );
    const role = ["user", "role", "ops@gateway.example"] as const;
    const { output } = await tryCommand(gateway, ...role, "--role", "staff", "--merchant", merchant.id);
    assert.deepEqual(output, { userId, role: "staff", merchantId: merchant.id });
    const newLink = async () => (await tryCommand(gateway, "user", "link", ...ops)).output.link;
    const welcome = async (opened: string) => {
      const visitor = newVisitor(gateway.baseUrl);
      await visitor.get("/dashboard/welcome");
      return (await visitor.submit("/dashboard/welcome", { link: opened })).text.includes(
        "ops@gateway.example",
      );
    };
    const elsewhere = (await gateway.newMerchant()).id;
    for (const [move, merchantId] of [
      [["--role", "staff", "--merchant", elsewhere], elsewhere],
      [["--operator"], null],
    ] as const) {
      const before = await newLink();
      assert.equal(await welcome(before), true, "control");
      assert.equal((await tryCommand(gateway, ...role, ...move)).output.merchantId, merchantId);
      assert.equal(await welcome(before), false, "a merchant's admin could have made the link");
    }
    assert.equal((await tryCommand(gateway, ...role)).code, 2);
    const gone = await tryCommand(gateway, "user", "remove", "ops@gateway.example");
    assert.deepEqual(gone.output, { userId, status: "removed" });
    assert.equal((await tryCommand(gateway, "user", "remove", "ops@gateway.example")).code, 1);
    const last = await gateway.database.rows<{ detail: string }>(
      "select detail from audit_log where act = 'user_removed' and subject_id = $1",
      [userId],
    );
    assert.deepEqual(last, [{ detail: "operator, ops@gateway.example" }]);
  });
});
