import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pageReportChores } from "../../../src/features/page-reports/index.ts";
import { reportsIn } from "../../../src/features/page-reports/page-report.ts";
import { DAY, instant } from "../../../src/kernel/time.ts";
import { shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { signedIn } from "../../support/dashboard.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";
import { inContext } from "../../support/operator.ts";

describe("browsers report what a payment page blocked", () => {
  let gateway: TestGateway;
  let pageUrl: string;
  let time = Date.now();
  before(async () => {
    gateway = await startTestGateway({ now: () => instant(time) });
    pageUrl = (await createHosted(shopOf(gateway))).hostedPaymentPage.url;
  });
  after(() => gateway.stop());

  const post = (body: unknown, type = "application/csp-report") =>
    fetch(`${gateway.hostedUrl}/page-reports`, {
      method: "POST",
      headers: { "content-type": type },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  const rows = () =>
    gateway.database.rows<{
      page: string;
      directive: string;
      blocked: string;
      source: string;
      reports: number;
    }>("select page, directive, blocked, source, reports::int from page_reports order by blocked, directive");

  const old = (changes: object = {}) => ({
    "csp-report": {
      "document-uri": `${pageUrl}?secret=1`,
      "violated-directive": "script-src-elem 'self'",
      "blocked-uri": "https://evil.example/steal.js?card=4111111111111111",
      "source-file": `${gateway.hostedUrl}/static/x.js`,
      "script-sample": "the text of a script",
      ...changes,
    },
  });
  const fresh = (changes: object = {}) => ({
    type: "csp-violation",
    url: pageUrl,
    body: {
      documentURL: `${gateway.hostedUrl}/checkout/v1/hint/frame`,
      effectiveDirective: "connect-src",
      blockedURL: "https://evil.example/collect/4111111111111111",
      sourceFile: "chrome-extension://abcdef/inject.js",
      sample: "the text of a script",
      ...changes,
    },
  });

  test("the hosted page, its errors and the frame name the place in their policy, by report-uri alone", async () => {
    for (const url of [pageUrl, `${gateway.hostedUrl}/pay/nothing`]) {
      const { headers } = await fetch(url);
      // Beside `report-to` Chromium ignores it.
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /; report-uri \/page-reports(;|$)/);
      assert.doesNotMatch(policy, /report-to/);
    }
  });

  test("both forms are counted by kind, without paths, queries, samples or page keys", async () => {
    assert.equal((await post(old())).status, 204);
    assert.equal((await post(old({ "blocked-uri": "https://evil.example/other.js" }))).status, 204);
    assert.equal((await post([fresh(), fresh()], "application/reports+json")).status, 204);
    assert.deepEqual(await rows(), [
      {
        page: "checkout_frame",
        directive: "connect-src",
        blocked: "https://evil.example",
        source: "chrome-extension:",
        reports: 2,
      },
      {
        page: "hosted_page",
        directive: "script-src-elem",
        blocked: "https://evil.example",
        source: "self",
        reports: 2,
      },
    ]);
    const all = JSON.stringify(await gateway.database.rows("select * from page_reports"));
    const key = new URL(pageUrl).pathname.split("/").at(-1) ?? "";
    for (const secret of [key, "secret", "4111", "steal", "collect", "text of a script", "hint"])
      assert.ok(!all.includes(secret), secret);
  });

  test("digits in the name of a host are masked: a name can carry a stolen number", () => {
    const origin = "https://checkout.example";
    const blockedOf = (blocked: string) =>
      reportsIn(JSON.stringify(old({ "document-uri": `${origin}/pay/x`, "blocked-uri": blocked })), origin)[0]
        ?.blocked;
    assert.equal(blockedOf("https://4111111111111111.evil.example/x"), "https://#.evil.example");
    assert.equal(blockedOf("https://4111-1111-1111-1111.evil.example/x"), "https://#.evil.example");
    assert.equal(blockedOf("https://cdn2.example:8443/x"), "https://cdn2.example:8443");
    assert.equal(blockedOf("inline"), "inline");
    assert.equal(blockedOf("data"), "data:");
    assert.equal(blockedOf("moz-extension://0c/x"), "moz-extension:");
    assert.equal(blockedOf(`${origin}/own.js`), "self");
    assert.equal(blockedOf(`https://${"a".repeat(60)}.${"b".repeat(60)}.example`)?.length, 100);
  });

  test("what is no report about a page of ours is answered and not stored", async () => {
    const before = await rows();
    for (const body of [
      "{",
      "[]",
      "null",
      '"x"',
      {},
      { "csp-report": 1 },
      old({ "document-uri": "https://shop.example/pay/x" }),
      old({ "violated-directive": "drop table" }),
      [{ type: "deprecation", body: {} }],
      `${"[".repeat(40)}${"]".repeat(40)}`,
    ])
      assert.equal((await post(body)).status, 204, JSON.stringify(body));
    assert.deepEqual(await rows(), before);
    assert.equal((await post(old(), "text/plain")).status, 415);
    assert.equal((await post(" ".repeat(16 * 1024))).status, 204);
    assert.equal((await post(" ".repeat(16 * 1024 + 1))).status, 413);
    const many = Array.from({ length: 30 }, () => fresh({ blockedURL: "https://many.example/" }));
    assert.equal((await post(many, "application/reports+json")).status, 204);
    const counted = (await rows()).find(({ blocked }) => blocked === "https://many.example");
    assert.equal(counted?.reports, 20, "of one body");
  });

  test("one network is limited, and its reports count again later", async () => {
    time += 60_000;
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) statuses.push((await post({})).status);
    assert.deepEqual([statuses[29], statuses[30]], [204, 429]);
    time += 1_000;
    assert.equal((await post({})).status, 204);
  });

  test("new kinds are dropped beyond 500, and known ones still count", async () => {
    await gateway.database.rows(
      `insert into page_reports select 'other', 'img-src', 'https://' || n || '.example', 'self', 1, now(), now()
       from generate_series(1, 497) as n`,
    );
    const count = async () => (await rows()).length;
    assert.equal(await count(), 500);
    time += 60_000;
    await post(old({ "blocked-uri": "https://new.example" }));
    assert.equal(await count(), 500);
    await post(old());
    assert.equal((await rows()).find(({ directive }) => directive === "script-src-elem")?.reports, 3);
    await gateway.database.rows("delete from page_reports where blocked = 'https://1.example'");
    await post(old({ "blocked-uri": "https://new.example" }));
    assert.ok((await rows()).some(({ blocked }) => blocked === "https://new.example"));
    const metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    assert.match(metrics, /tidegate_page_reports_total\{outcome="dropped"\} 2/);
  });

  test("operators see them in the dashboard and by command, others do not", async () => {
    const operator = await signedIn(gateway, { role: "operator" });
    const page = await operator.get("/dashboard/page-reports");
    assert.equal(page.status, 200);
    assert.match(page.text, /https:\/\/evil\.example/);
    assert.match(page.text, /<a href="\/dashboard\/page-reports"[^>]*>Page reports<\/a>/);
    const merchantId: string = (await gateway.get("/management/account")).body.id;
    const admin = await signedIn(gateway, { role: "admin", merchantId });
    const refused = await admin.get("/dashboard/page-reports");
    assert.equal(refused.status, 403);
    assert.doesNotMatch(refused.text, /evil\.example/);
    const listed = await runCommand(gateway.database, ["pages", "reports", "--json"]);
    const { reports } = JSON.parse(listed.stdout);
    assert.ok(reports.some(({ blocked }: { blocked: string }) => blocked === "https://evil.example"));
    assert.equal(
      (await fetch(`${gateway.baseUrl}/dashboard/page-reports`, { redirect: "manual" })).status,
      303,
    );
  });

  test("a kind is deleted 30 days after its last report", async () => {
    const [chore] = pageReportChores;
    const runAt = (moment: number) =>
      inContext(gateway.database, async (ctx) => chore?.run(ctx), {
        now: () => instant(moment),
      });
    await gateway.database.rows("delete from page_reports where blocked <> 'https://new.example'");
    const last = time;
    await runAt(last + 30 * DAY);
    assert.equal((await rows()).length, 1);
    await runAt(last + 30 * DAY + 1);
    assert.equal((await rows()).length, 0);
  });
});
