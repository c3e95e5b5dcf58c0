import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { associationSites, type Site } from "../../support/association-sites.ts";
import { callApi, ok, shopOf } from "../../support/checkout.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { visitPage } from "../../support/visit-page.ts";

const PATH = "/management/applepaydomains";
const WELL_KNOWN = "/.well-known/apple-developer-merchantid-domain-association";
const ALLOW_APPLE_PAY = `update merchants set capabilities = (capabilities::jsonb || '{"applePay": true}')::json where id = $1`;
const APPLES = "7B2270737049642231\n";

describe("contract 8: Apple Pay domains of live merchants", () => {
  let gateway: TestGateway;
  let network: Awaited<ReturnType<typeof associationSites>>;
  let folder: string;
  const sites = new Map<string, Site>();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "tidegate-association-"));
    const applePayAssociationFile = join(folder, "association");
    await writeFile(applePayAssociationFile, APPLES);
    network = await associationSites(["shop.example"], sites);
    // The sites are on this machine.
    const send: typeof network.egress.send = (outgoing) =>
      network.egress.send({ ...outgoing, reach: "public-and-loopback" });
    gateway = await startTestGateway({
      wrapContext: (ctx) => ({
        ...ctx,
        egress: { ...network.egress, send },
        settings: { ...ctx.settings, applePayAssociationFile },
      }),
    });
  });
  after(async () => {
    await gateway.stop();
    await network.close();
    await rm(folder, { recursive: true });
  });

  test("have the file that Apple gave the operator; the sandbox has its own", async () => {
    const { id, key } = await gateway.newMerchant({ mode: "live" });
    await gateway.database.rows(ALLOW_APPLE_PAY, [id]);
    assert.equal((await gateway.call(`${PATH}/association`, { key })).body, APPLES);
    const sandbox = (await gateway.call(`${PATH}/association`, {})).body as string;
    assert.notEqual(sandbox, APPLES);

    const register = () => callApi(shopOf(gateway, key), "POST", PATH, { domains: ["shop.example"] });
    sites.set("shop.example", { body: sandbox });
    assert.match((await register()).body.result.codes[0].reason, /the file's text differs/);
    sites.set("shop.example", { body: APPLES.trim() });
    assert.deepEqual(ok(await register()).domains, ["shop.example"]);
  });

  test("the hosted page's own domain serves it, and nothing where Apple Pay is not set up", async () => {
    const served = await visitPage(gateway, WELL_KNOWN);
    assert.deepEqual([served.status, served.text], [200, APPLES]);
    assert.match(served.headers.get("content-type") ?? "", /^text\/plain/);
    const without = await startTestGateway();
    try {
      assert.equal((await visitPage(without, WELL_KNOWN)).status, 404);
      const { id, key } = await without.newMerchant({ mode: "live" });
      await without.database.rows(ALLOW_APPLE_PAY, [id]);
      const text = await without.call(`${PATH}/association`, { key });
      const registered = await callApi(shopOf(without, key), "POST", PATH, { domains: ["shop.example"] });
      for (const { status, body } of [text, registered])
        assert.deepEqual([status, body.result.codes[0].id], [403, "V11627"]);
    } finally {
      await without.stop();
    }
  });
});
