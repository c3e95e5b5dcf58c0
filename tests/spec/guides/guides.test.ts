import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { shopOf } from "../../support/checkout.ts";
import { debit } from "../../support/debits.ts";
import { disputeOf } from "../../support/disputes.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { followGuide, type GuidePlace } from "../../support/guide.ts";
import { blocksIn, blocksOf } from "../../support/guide-blocks.ts";
import { type OwnPostgres, startOwnPostgres } from "../../support/own-postgres.ts";
import { readPage, valuesOf } from "../../support/page.ts";

const GUIDES = globSync("docs/guides/*.md").sort();

/** What must exist before a guide runs. */
const BEFORE: Readonly<Record<string, (place: GuidePlace) => Promise<unknown>>> = {
  "docs/guides/disputes.md": ({ gateway, merchant }) => disputeOf(shopOf(gateway, merchant.key), {}, 600),
  "docs/guides/payouts.md": ({ gateway, merchant }) => debit(shopOf(gateway, merchant.key), 2500),
};

/** Whether a test passes the guide's path to what reads files, itself or as a constant. A comment or a title is no reading. */
function readsGuide(test: string, path: string): boolean {
  const [, constant = path] = new RegExp(`const (\\w+) = [^;]*"${path}"`).exec(test) ?? [];
  return new RegExp(`(?:\\w+Of|readFile|URL)\\(\\s*(?:"[./]*${path}"|${constant}\\b)`).test(test);
}

describe("the guides at {base_url}/docs", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({ environment: { TIDEGATE_ROLES: "api" } });
  });
  after(() => gateway.stop());

  test("every guide is served without a key, and every link on every page resolves", async () => {
    const visited = new Map<string, { readonly links: readonly string[]; readonly ids: readonly string[] }>();
    const waiting = ["/docs", "/docs/guides"];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (visited.has(path)) continue;
      const answer = await gateway.get(path, { key: null });
      assert.equal(answer.status, 200, path);
      if (!String(answer.headers.get("content-type")).startsWith("text/html")) {
        visited.set(path, { links: [], ids: [] });
        continue;
      }
      assert.match(
        String(answer.headers.get("content-security-policy")),
        /^default-src 'none'; style-src 'self'/,
      );
      assert.match(answer.body, /<main[^>]* data-state="ready"/, path);
      assert.doesNotMatch(answer.body, /<[^>]+ style=|<th[^>]*><\/th>/, path);
      const elements = readPage(answer.body);
      const links = valuesOf(elements, "href").filter(
        (link) => link.startsWith("/docs") || link.startsWith("#"),
      );
      visited.set(path, { links, ids: valuesOf(elements, "id") });
      waiting.push(
        ...links.map((link) => link.split(/[#?]/)[0] ?? "").filter((link) => link.startsWith("/docs")),
      );
    }
    for (const guide of GUIDES)
      assert.ok(visited.has(guide.replace(/^(.*)\.md$/, "/$1")), `${guide} is not linked`);
    assert.ok(visited.has("/docs/grafana/alerts.yml") && visited.has("/docs/generated/scripts"));
    for (const [path, { links }] of visited) {
      for (const link of links) {
        const [to = "", anchor] = link.split("#");
        const ids = visited.get(to.split("?")[0] || path)?.ids ?? [];
        if (anchor !== undefined) assert.ok(ids.includes(anchor), `${path}: ${link} does not resolve`);
      }
    }
  });

  test("every table names all of its columns", async () => {
    for (const path of [...GUIDES, ...globSync("docs/generated/*.md")]) {
      const { body } = await gateway.get(path.replace(/^(.*)\.md$/, "/$1"), { key: null });
      if (typeof body !== "string") continue;
      for (const [, head = ""] of body.matchAll(/<table[^>]*>(.*?)<tbody/gs)) {
        assert.match(head, /<th [^>]*>\S/, path);
        assert.doesNotMatch(head, /<t[hd][^>]*><\/t[hd]>/, path);
      }
    }
  });

  test("examples use this gateway's URL, and no Markdown is left in the text", async () => {
    const page = (await gateway.get("/docs/guides/quick-start", { key: null })).body;
    assert.ok(page.includes(`curl ${gateway.baseUrl}/paymentrequests`));
    for (const path of GUIDES) {
      const { body } = await gateway.get(path.replace(/^(.*)\.md$/, "/$1"), { key: null });
      const prose = body.replaceAll(/<(pre|code)[^>]*>[\s\S]*?<\/\1>/g, "").replaceAll(/<[^>]+>/g, "");
      assert.doesNotMatch(prose, /```|\*\*|\]\(|^#|&lt;!--|`/m, path);
    }
  });
});

describe("every code block in the guides runs", () => {
  let own: OwnPostgres;
  let gateway: TestGateway;
  before(async () => {
    // Unlike the server of the tests, this one has written to the disk what it confirmed, as doctor demands.
    own = await startOwnPostgres();
    const environment = { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "600" };
    gateway = await startTestGateway({ environment, database: own.database });
  });
  after(async () => {
    await gateway.stop();
    await own.stop();
  });

  for (const path of GUIDES) {
    test(`${path}: every block does what the guide states`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "tidegate-guide-"));
      try {
        const place = { gateway, merchant: await gateway.newMerchant(), folder };
        await BEFORE[path]?.(place);
        const marked = (await blocksOf(path)).filter(({ mark }) => mark !== undefined).length;
        const count = await followGuide(path, place);
        assert.ok(count + marked > 0 || !(await readFile(path, "utf8")).includes("```"), path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test("a block run by another test is read by that test, and a block that is not run has a reason", async () => {
    for (const path of GUIDES) {
      for (const { line, mark } of await blocksOf(path)) {
        if (mark?.status === "not run")
          assert.ok(mark.note.split(" ").length > 3, `${path}:${line}: gives no reason`);
        if (mark?.status !== "run by") continue;
        const text = await readFile(mark.note, "utf8");
        assert.ok(readsGuide(text, path), `${path}:${line}: ${mark.note} does not read this guide`);
      }
    }
    const planted =
      'const GUIDE = "docs/guides/a.md";\n/** docs/guides/b.md */\ntest("docs/guides/c.md", () => {});\n';
    assert.ok(readsGuide(`${planted}await blocksOf(GUIDE);`, "docs/guides/a.md"));
    assert.ok(readsGuide(`await readFile("docs/guides/a.md", "utf8");`, "docs/guides/a.md"));
    for (const name of ["a", "b", "c"])
      assert.ok(!readsGuide(`${planted}await readFile("x");`, `docs/guides/${name}.md`));
  });

  test("blocks can be pasted: real addresses, commands that a checkout has, one name for the API key", async () => {
    for (const path of [...GUIDES, "README.md", "packages/client/README.md"]) {
      for (const { line, kind, text } of await blocksOf(path)) {
        const where = `${path}:${line}`;
        assert.doesNotMatch(text, /\{(base|hosted)_url\}/, where);
        assert.doesNotMatch(text, /\bTIDEGATE_KEY\b/, where);
        if (kind === "sh") assert.doesNotMatch(text, /^\s*(\w+="[^"]*" )?tidegate [a-z-]/m, where);
      }
    }
  });

  test("a guide with an unknown block kind, a failing command or a wrong response fails", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-guide-"));
    try {
      const place = { gateway, merchant: await gateway.newMerchant(), folder };
      const planted = (name: string) => followGuide(`tests/spec/guides/planted/${name}.md`, place);
      await assert.rejects(planted("unknown-kind"), /unknown-kind\.md:3: a block of `ini` cannot be run/);
      await assert.rejects(planted("failing-command"), /failing-command\.md:3: /);
      await assert.rejects(planted("wrong-answer"), /wrong-answer\.md:7 amount/);
      assert.equal(await planted("sound"), 3);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("a mark applies to the block that follows it", () => {
    const text = "<!-- not run: it is only an idea -->\n```ini\na = b\n```\n\n  ```sh\n  true\n  ```\n";
    assert.deepEqual(
      blocksIn(text).map(({ kind, text: inside, mark }) => [kind, inside, mark?.note]),
      [
        ["ini", "a = b\n", "it is only an idea"],
        ["sh", "true\n", undefined],
      ],
    );
  });
});
