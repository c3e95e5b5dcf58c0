import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { formFields, signedIn, type Visitor } from "../../support/dashboard.ts";
import { createFakeHosts } from "../../support/fake-host.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { settingsFor } from "../../support/iso-host/test-link.ts";
import { tryCommand } from "../../support/typed-command.ts";

describe("dashboard: acquirer accounts", () => {
  const { wrapContext } = createFakeHosts();
  let gateway: TestGateway;
  let merchant: { id: string; key: string };
  let operator: Visitor;
  let base: string;
  before(async () => {
    gateway = await startTestGateway({ wrapContext });
    merchant = await gateway.newMerchant();
    base = `/dashboard/${merchant.id}/acquirers`;
    operator = await signedIn(gateway, { role: "operator" });
  });
  after(() => gateway.stop());

  const accounts = async () => {
    const words = ["acquirer", "list", "--merchant", merchant.id];
    const { output } = await tryCommand({ ...gateway, wrapContext }, ...words);
    return output.acquirerAccounts as readonly { acquirerAccountId: string; status: string }[];
  };

  test("an operator adds, tests, orders, disables and enables accounts", async () => {
    assert.match((await operator.get(base)).text, /The simulator answers card payments/);
    for (const name of ["one", "two"]) {
      await operator.get(base);
      const added = await operator.submit(`${base}/add`, {
        connector: "fake",
        settings: `{"name":"${name}"}`,
        "currency-AUD": "on",
      });
      assert.match((await operator.follow(added)).text, /The account takes payments from now on/);
    }
    const [first, second] = (await accounts()).map(({ acquirerAccountId }) => acquirerAccountId);
    const page = await operator.get(base);
    assert.match(page.text, /AUD/);
    assert.ok(!page.text.includes('{"name"'), "settings are never shown");
    const tested = await operator.follow(await operator.submit(`${base}/${second}/test`));
    assert.match(tested.text, /Connected after 1 ms\. The fake host answers\./);
    await operator.submit(`${base}/${second}/first`);
    assert.deepEqual(
      (await accounts()).map(({ acquirerAccountId }) => acquirerAccountId),
      [second, first],
    );
    assert.match((await operator.get(`${base}/${first}/disable`)).text, /other active accounts/);
    await operator.submit(`${base}/${first}/disable`);
    assert.match((await operator.get(`${base}/${second}/disable`)).text, /only active account/);
    assert.deepEqual(
      (await accounts()).map(({ status }) => status),
      ["active", "disabled"],
    );
    await operator.get(base);
    await operator.submit(`${base}/${first}/enable`);
    assert.deepEqual(
      (await accounts()).map(({ status }) => status),
      ["active", "active"],
    );
  });

  test("a refused account says why, keeps the input and adds nothing", async () => {
    const before = await accounts();
    for (const [settings, words] of [
      ["{", /The settings are not JSON that is accepted/],
      [`{"name":${"[".repeat(40)}${"]".repeat(40)}}`, /The settings are not JSON that is accepted/],
      ["{}", /name is missing/],
    ] as const) {
      await operator.get(base);
      const ticked = { "currency-AUD": "on", "card-visa": "on" };
      const refused = await operator.submit(`${base}/add`, { connector: "fake", settings, ...ticked });
      assert.equal(refused.status, 400);
      assert.match(refused.text, words);
      assert.ok(refused.text.includes(`>${settings.replaceAll('"', "&quot;")}</textarea>`));
      assert.match(refused.text, /name="settings"[^>]* aria-invalid="true"/);
      const {
        "currency-AUD": currency,
        "card-visa": card,
        ...kept
      } = formFields(refused.text, `${base}/add`);
      assert.deepEqual([currency, card], ["on", "on"]);
      assert.deepEqual(Object.keys(kept).sort(), ["connector", "once", "settings", "token"], "no other box");
    }
    assert.deepEqual(await accounts(), before);
  });

  test("an account that can't be opened fails its test with the reason, here and on the command line", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-dialect-"));
    t.after(() => rm(folder, { recursive: true }));
    const [dialect, settings] = [join(folder, "dialect.json"), join(folder, "settings.json")];
    await writeFile(dialect, JSON.stringify({ name: "own", base: "iso87-ascii" }));
    await writeFile(settings, JSON.stringify(settingsFor(await freePort(), { dialect })));
    const add = [
      "acquirer",
      "add",
      "--merchant",
      merchant.id,
      "--connector",
      "iso8583",
      "--settings",
      settings,
    ];
    const { acquirerAccountId: id } = (await tryCommand(gateway, ...add)).output;
    const tested = async () => {
      const { code, output } = await tryCommand(gateway, "acquirer", "test", id);
      assert.equal(code, 1);
      assert.deepEqual([output.ok, typeof output.milliseconds], [false, "number"]);
      return output.detail as string;
    };
    assert.match(await tested(), /cannot connect: ECONNREFUSED/);
    await writeFile(dialect, "{");
    assert.match(await tested(), /dialect\.json/);
    await rm(dialect);
    assert.match(await tested(), /dialect file .* cannot be read \(ENOENT\)/);
    await operator.get(base);
    const shown = await operator.follow(await operator.submit(`${base}/${id}/test`));
    assert.match(shown.text, /Not connected after \d+ ms\. dialect file .* cannot be read/);

    const [fake] = await accounts();
    const unknown = await tryCommand(gateway, "acquirer", "test", fake?.acquirerAccountId ?? "");
    assert.equal(unknown.code, 1);
    assert.match(unknown.output.detail, /no acquirer connector named fake/);
  });

  test("only operators see the section", async () => {
    const admin = await signedIn(gateway, { role: "admin", merchantId: merchant.id });
    assert.equal((await admin.get(base)).status, 403);
    assert.ok(!(await admin.get(`/dashboard/${merchant.id}`)).text.includes("/acquirers"));
    assert.ok((await operator.get(`/dashboard/${merchant.id}`)).text.includes("/acquirers"));
  });
});
