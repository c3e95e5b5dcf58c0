import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { after, before, describe, test } from "node:test";
import { shopOf } from "../../support/checkout.ts";
import { runCommand } from "../../support/command-line.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { createHosted } from "../../support/hosted-page.ts";

describe("payment pages against tampering", () => {
  let gateway: TestGateway;
  let pageUrl: string;
  before(async () => {
    gateway = await startTestGateway({
      environment: { TIDEGATE_SECURITY_CONTACT: "mailto:security@pay.example" },
    });
    pageUrl = (await createHosted(shopOf(gateway))).hostedPaymentPage.url;
  });
  after(() => gateway.stop());

  const verify = async (url: string) => {
    const { code, stdout } = await runCommand(gateway.database, ["pages", "verify", url, "--json"]);
    return { code, ...(JSON.parse(stdout) as { ok: boolean; problems: string[]; scripts: object[] }) };
  };

  test("every script tag of the hosted page and the dashboard carries the script's integrity", async () => {
    for (const url of [pageUrl, `${gateway.baseUrl}/dashboard/signin`]) {
      const page = await (await fetch(url)).text();
      const tags = page.match(/<script\b[^>]*>/g) ?? [];
      assert.ok(tags.length > 0, url);
      for (const tag of tags) assert.match(tag, /integrity="sha384-[\w+/]{64}"/);
    }
  });

  test("`pages verify` finds the page and its scripts as released", async () => {
    const { code, problems, scripts } = await verify(pageUrl);
    assert.deepEqual([code, problems], [0, []]);
    assert.ok(scripts.length > 0);
  });

  for (const [what, change, problem] of [
    [
      "a script of another party",
      (text: string) => text.replace("</head>", '<script src="https://evil.example/x.js"></script></head>'),
      /evil\.example\/x\.js is no script of this release/,
    ],
    [
      "a script in the page",
      (text: string) => text.replace("</head>", "<script>steal()</script></head>"),
      /has a script in itself/,
    ],
    [
      "a tag without integrity",
      (text: string) => text.replace(/ integrity="[^"]*"/, ""),
      /does not carry the integrity/,
    ],
    [
      "a second address and hash before those of the release",
      (text: string) =>
        text.replace('<script src="', '<script src=https://evil.example/x.js integrity=sha384-a src="'),
      /a script tag of another form/,
    ],
    [
      "a script in a drawing, which needs no end tag",
      (text: string) =>
        text.replace("</body>", '<svg><script href="https://evil.example/x.js"/></svg></body>'),
      /a script tag of another form/,
    ],
    [
      "an element that changes where links lead",
      (text: string) => text.replace("<head>", '<head><base href="https://evil.example/">'),
      /an element <base>/,
    ],
    [
      "a frame",
      (text: string) => text.replace("</main>", '<iframe src="https://evil.example/"></iframe></main>'),
      /an element <iframe>/,
    ],
    [
      "a form that leads elsewhere",
      (text: string) => text.replace(/ action="[^"]*"/, ' action="https://evil.example/"'),
      /leads to "?https:\/\/evil\.example/,
    ],
    [
      "a form whose target is written in references",
      (text: string) => text.replace(/ action="[^"]*"/, ' action="https&#58;//evil.example/"'),
      /leads to/,
    ],
    ["a changed script", (text: string) => `${text}\nsteal()`, /is not the script of this release/],
  ] as const) {
    test(`finds ${what} that a proxy in between adds, and exits with 1`, async () => {
      const proxy = await startProxy((path, text) =>
        path.endsWith(".js") === (what === "a changed script") ? change(text) : text,
      );
      try {
        const { code, problems } = await verify(proxy.url + new URL(pageUrl).pathname);
        assert.equal(code, 1);
        assert.ok(
          problems.some((one) => problem.test(one)),
          JSON.stringify(problems),
        );
      } finally {
        proxy.close();
      }
    });
  }

  for (const [what, change, problem] of [
    [
      "any script",
      (policy: string) => policy.replace("script-src ", "script-src * "),
      "the policy allows * by script-src",
    ],
    [
      "scripts of another origin",
      (policy: string) => policy.replace("script-src ", "script-src https://evil.example "),
      "the policy allows https://evil.example by script-src",
    ],
    [
      "a script of another hash",
      (policy: string) => policy.replace("script-src ", "script-src 'sha384-other' "),
      "the policy allows 'sha384-other' by script-src",
    ],
    [
      "scripts by a directive that goes before",
      (policy: string) => `${policy}; script-src-elem https://evil.example`,
      "the policy has script-src-elem, which this release does not write",
    ],
    [
      "connections to another origin",
      (policy: string) => policy.replace("connect-src ", "connect-src https://evil.example "),
      "the policy allows https://evil.example by connect-src",
    ],
    [
      "another base",
      (policy: string) => policy.replace("; base-uri 'none'", ""),
      "the policy lacks base-uri",
    ],
    ["nothing", () => "", "the policy lacks script-src"],
  ] as const) {
    test(`finds a policy that allows ${what}`, async () => {
      const proxy = await startProxy((_path, text) => text, change);
      try {
        const { code, problems } = await verify(proxy.url + new URL(pageUrl).pathname);
        assert.equal(code, 1);
        assert.ok(problems.includes(problem), JSON.stringify(problems));
      } finally {
        proxy.close();
      }
    });
  }

  test("finds a checkout frame and a page that redirects as released, too", async () => {
    const redirecting = await createHosted(shopOf(gateway), {
      page: { resultPage: "redirect", redirectUrl: "https://shop.example/thanks" },
    });
    const merchantId: string = (await gateway.get("/management/account")).body.id;
    const frame = `${gateway.hostedUrl}/checkout/1.0.0/${merchantId.slice("mer_".length)}/frame`;
    for (const url of [redirecting.hostedPaymentPage.url, frame]) {
      const { code, problems } = await verify(url);
      assert.deepEqual([code, problems], [0, []], url);
    }
  });

  test("security.txt names the operator's contact, and is there only if there is one", async () => {
    for (const origin of [gateway.baseUrl, gateway.hostedUrl]) {
      const text = await (await fetch(`${origin}/.well-known/security.txt`)).text();
      assert.match(text, /^Contact: mailto:security@pay\.example\nExpires: \d{4}-\d\d-\d\dT/);
    }
    const other = await startTestGateway();
    try {
      assert.equal((await fetch(`${other.baseUrl}/.well-known/security.txt`)).status, 404);
    } finally {
      await other.stop();
    }
  });

  /** A proxy that changes what passes, as an attacker on a load balancer could. */
  async function startProxy(
    change: (path: string, text: string) => string,
    changePolicy: (policy: string) => string = (policy) => policy,
  ) {
    const server: Server = createServer((request, response) => void pass(request, response));
    const pass = async (request: IncomingMessage, response: ServerResponse) => {
      const answer = await fetch(gateway.hostedUrl + request.url);
      const headers = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name),
        ),
      );
      headers["content-security-policy"] = changePolicy(headers["content-security-policy"] ?? "");
      response.writeHead(answer.status, headers).end(change(request.url ?? "", await answer.text()));
    };
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  }
});
