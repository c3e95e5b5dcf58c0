import assert from "node:assert/strict";
import { userInfo } from "node:os";
import { after, before, describe, test } from "node:test";
import { callApi, ok, payOnce, shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { newVisitor, signedIn } from "../../support/dashboard.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { makeKey } from "../../support/operator.ts";
import { typeCommand } from "../../support/typed-command.ts";
import { CARD_FORM, visitPage } from "../../support/visit-page.ts";

type Entry = {
  readonly act: string;
  readonly actor: string | null;
  readonly address: string | null;
  readonly merchant_id: string | null;
  readonly subject_id: string | null;
  readonly detail: string;
};

type LogFields = { readonly address?: string; readonly keyId?: string; readonly merchantId?: string };

describe("the audit log has who, from where, what, on which record", () => {
  let gateway: TestGateway;
  let merchantId: string;
  let keyId: string;
  const logged: (LogFields & { readonly message: string })[] = [];
  before(async () => {
    const note = (fields: LogFields, message: string) => logged.push({ ...fields, message });
    gateway = await startTestGateway({
      environment: { TIDEGATE_TRUSTED_PROXIES: "127.0.0.1" },
      log: { debug: note, info: note, warn: note, error: note },
    });
    merchantId = (await gateway.get("/management/account")).body.id;
    const keys = await gateway.database.rows<{ id: string }>(
      "select id from api_keys where merchant_id = $1",
      [merchantId],
    );
    keyId = keys[0]?.id ?? "";
  });
  after(() => gateway.stop());

  async function newest(act: string): Promise<Entry> {
    const rows = await gateway.database.rows<Entry>(
      "select act, actor, address, merchant_id, subject_id, detail from audit_log where act = $1 order by id desc limit 1",
      [act],
    );
    return rows[0] ?? assert.fail(`no ${act}`);
  }

  const from = (address: string) => ({ "X-Forwarded-For": address });
  const whoAndWhere = ({ actor, address, merchant_id, subject_id }: Entry) => [
    actor,
    address,
    merchant_id,
    subject_id,
  ];

  test("reading and replacing the signing key name the API key and its address", async () => {
    await gateway.get("/webhooks/signingkey", { headers: from("203.0.113.7") });
    assert.deepEqual(whoAndWhere(await newest("signing_key_read")), [
      keyId,
      "203.0.113.7",
      merchantId,
      merchantId,
    ]);
    await gateway.post("/webhooks/signingkey/rotate", {}, { headers: from("203.0.113.8") });
    assert.deepEqual(whoAndWhere(await newest("signing_key_replaced")).slice(0, 2), [keyId, "203.0.113.8"]);
  });

  test("webhook credentials and the account: the API key that changed them", async () => {
    const shop = shopOf(gateway);
    ok(await callApi(shop, "PUT", "/webhooks/settings", { username: "a", password: "a long password" }));
    assert.equal((await newest("webhook_credentials_changed")).actor, keyId);
    ok(await callApi(shop, "PUT", "/management/account", { name: "Harbour Books" }));
    const changed = await newest("merchant_changed");
    assert.deepEqual([changed.actor, changed.detail], [keyId, "name"]);
  });

  test("fees: changing them is recorded, and reading them is not", async () => {
    const changes = () =>
      gateway.database.rows("select from audit_log where act = 'merchant_changed' and detail = 'fees'");
    await typeCommand(gateway, "merchant", "fees", merchantId);
    assert.equal((await changes()).length, 0);
    await typeCommand(gateway, "merchant", "fees", merchantId, "--percent", "1.4");
    const { merchant_id, subject_id, detail } = await newest("merchant_changed");
    assert.deepEqual([merchant_id, subject_id, detail], [merchantId, merchantId, "fees"]);
  });

  test("storing a number: the payer, without the number", async () => {
    const customerRequest = { name: "Kai", email: "kai@shop.example", paymentInstrument: "create" };
    await payOnce(shopOf(gateway), { customerRequest }, { consent: true });
    const stored = await newest("number_stored");
    assert.deepEqual([stored.actor, stored.merchant_id], ["payer", merchantId]);
    assert.match(stored.subject_id ?? "", /^pi_/);
    assert.match(stored.detail, /^card_number under vk_/);
  });

  test("storing a number after a challenge in the full window: the payer and the address", async () => {
    const shop = shopOf(gateway);
    const category = { authenticationType: "3d_secure" };
    const more = { customerRequest: { name: "Kai", email: "kai@shop.example", paymentInstrument: "create" } };
    const { url } = (await createHosted(shop, { amount: 14_418, category, more })).hostedPaymentPage;
    const sent = await visitPage(shop, url, { ...CARD_FORM, consent: "yes" });
    const answered = await visitPage(shop, sent.location ?? "", { answer: "approve" });
    const cookie = (sent.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    await visitPage(shop, answered.location ?? "", undefined, { cookie, ...from("203.0.113.20") });
    const stored = await newest("number_stored");
    assert.deepEqual([stored.actor, stored.address], ["payer", "203.0.113.20"]);
  });

  test("a failed sign-in: its address; a role change: the user who made it, and the new role", async () => {
    const visitor = newVisitor(gateway.baseUrl);
    await visitor.get("/dashboard/signin");
    await visitor.submit("/dashboard/signin", {
      email: "operator@shop.example",
      password: "not the password",
    });
    const failed = await newest("user_sign_in_failed");
    assert.deepEqual([failed.actor, failed.address, failed.detail], [null, "127.0.0.1", "password"]);

    const operator = await signedIn(gateway, { role: "operator", email: "boss@shop.example" });
    await signedIn(gateway, { role: "staff", merchantId, email: "kim@shop.example" });
    const idOf = async (email: string) =>
      (
        await gateway.database.rows<{ id: string }>("select id from dashboard_users where email = $1", [
          email,
        ])
      )[0]?.id;
    const [boss, kim] = [await idOf("boss@shop.example"), await idOf("kim@shop.example")];
    await operator.get(`/dashboard/users/${kim}`);
    await operator.submit(`/dashboard/users/${kim}/role`, { role: "admin" });
    const changed = await newest("user_changed");
    assert.deepEqual(whoAndWhere(changed), [boss, "127.0.0.1", merchantId, kim]);
    assert.equal(changed.detail, `role admin of ${merchantId}`);
  });

  test("commands: the account on the machine, before sudo, its address, and the record; reading ones other than `audit list` are not recorded", async () => {
    const words = ["key", "create", "--merchant", merchantId, "--scopes", "read", "--json"];
    const made = await runCommand(gateway.database, words);
    const { keyId: newKey } = JSON.parse(made.stdout);
    const me = `cli:${userInfo().username}`;
    const run = await newest("command_run");
    assert.deepEqual(whoAndWhere(run), [me, "local", merchantId, null]);
    assert.equal(run.detail, "key create");
    assert.deepEqual(whoAndWhere(await newest("api_key_made")), [me, "local", merchantId, newKey]);
    const environment = { SUDO_USER: "alex", SSH_CONNECTION: "203.0.113.9 50000 10.0.0.1 22" };
    await runCommand(gateway.database, ["key", "revoke", newKey], environment);
    const alex = `cli:alex as ${userInfo().username}`;
    assert.deepEqual(whoAndWhere(await newest("command_run")), [alex, "203.0.113.9", null, newKey]);
    assert.equal((await newest("api_key_revoked")).actor, alex);
    await runCommand(gateway.database, ["key", "list", "--merchant", merchantId]);
    assert.equal((await newest("command_run")).detail, "key revoke");
  });

  test("`audit list` shows all of it, newest first, and pages back", async () => {
    const listed = await runCommand(gateway.database, ["audit", "list", "--limit", "2", "--json"]);
    const { entries } = JSON.parse(listed.stdout);
    assert.equal(entries.length, 2);
    assert.ok(entries[0].entry > entries[1].entry);
    const older = await runCommand(gateway.database, [
      ...["audit", "list", "--limit", "1", "--json"],
      ...["--before", String(entries[1].entry)],
    ]);
    assert.ok(JSON.parse(older.stdout).entries[0].entry < entries[1].entry);
    const text = (await runCommand(gateway.database, ["audit", "list", "--limit", "1000"])).stdout;
    assert.match(text, new RegExp(`${keyId}  203\\.0\\.113\\.7  signing_key_read  ${merchantId}`));
    assert.doesNotMatch(text, new RegExp(TEST_KEY));
    assert.match(text, / {2}unknown {2}127\.0\.0\.1 {2}user_sign_in_failed {2}/);
    assert.doesNotMatch(text, / {2}gateway {2}\d/, "only what has no address is the gateway's own");
    const read = await newest("command_run");
    assert.deepEqual([read.detail, read.actor], ["audit list", `cli:${userInfo().username}`]);
  });

  test("the request log names the key that was refused for its address", async () => {
    const addresses = ["203.0.113.0/24"];
    const { id, key } = await makeKey(gateway.database, merchantId, ["read"], { expiresAt: null, addresses });
    for (const [path, elsewhere] of [
      ["/events", "198.51.100.8"],
      ["/nowhere", "198.51.100.9"],
    ] as const) {
      await gateway.get(path, { key, headers: from(elsewhere) });
      const line = logged.find(({ message, address }) => message === "answered" && address === elsewhere);
      assert.deepEqual([line?.keyId, line?.merchantId], [id, merchantId], path);
    }
  });

  test("the request log has the client's address", async () => {
    await gateway.get("/events", { headers: from("203.0.113.77") });
    assert.ok(logged.some(({ message, address }) => message === "answered" && address === "203.0.113.77"));
  });
});
