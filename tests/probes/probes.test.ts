import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { attack, cardOf } from "../support/card-tester.ts";
import { CARD, callApi, callFrame, ok, openFrame, payOnce, type Shop, shopOf } from "../support/checkout.ts";
import { newVisitor, signedIn } from "../support/dashboard.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../support/gateway.ts";
import { createHosted } from "../support/hosted-page.ts";
import { exchange } from "../support/raw-http.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { visitPage } from "../support/visit-page.ts";
import { keyProbes, reportProbes } from "./key-and-page-probes.ts";
import { newTally, type Probe, printTally, probe } from "./probe.ts";

/**
 * The quick form of a review that tries to break in from outside. Each probe is one request, or a few; the suites in
 * tests/spec prove the rules behind them.
 */
describe("probes of a running gateway", () => {
  const tally = newTally();
  let gateway: TestGateway;
  let shop: Shop;
  let other: Shop;
  let owned: Readonly<Record<string, string>>;

  before(async () => {
    gateway = await startTestGateway();
    shop = shopOf(gateway, (await gateway.newMerchant()).key);
    other = shopOf(gateway, (await gateway.newMerchant()).key);
    const paid = await payOnce(shop);
    const customer = { name: "Ada", email: "ada@shop.example" };
    owned = {
      paymentrequests: (await callApi(shop, "POST", "/paymentrequests", CHECKOUT)).body.id,
      transactions: paid.transactionId,
      customers: (await callApi(shop, "POST", "/customers", customer)).body.id,
      webhooks: ok(
        await callApi(shop, "POST", "/webhooks", { event: "payouts", url: "https://shop.example/" }),
      ).id,
    };
  });
  after(() => gateway.stop());

  const status = async (call: Promise<{ readonly status: number }>) => (await call).status;
  const is = (expected: number, call: () => Promise<{ readonly status: number }>) => async () =>
    (await status(call())) === expected;

  probe(tally, "auth", () =>
    ["/paymentrequests", "/transactions", "/customers", "/webhooks", "/management/account"].flatMap(
      (path): Probe[] => [
        [`no key at ${path}`, is(401, () => gateway.get(path, { key: null }))],
        [`a wrong key at ${path}`, is(401, () => gateway.get(path, { key: "sk_wrong_0000000000000" }))],
        [`half a key at ${path}`, is(401, () => gateway.get(path, { key: shop.key.slice(0, -1) }))],
        [`a key from a page at ${path}`, is(403, () => gateway.get(path, PAGE))],
      ],
    ),
  );
  const PAGE = { key: TEST_KEY, headers: { origin: "https://evil.example" } };

  probe(tally, "tenants", () =>
    Object.entries(owned).flatMap(([noun, id]): Probe[] => [
      [
        `another merchant's ${noun} reads as none`,
        async () => {
          const foreign = await callApi(other, "GET", `/${noun}/${id}`);
          const unknown = await callApi(other, "GET", `/${noun}/${id.slice(0, -3)}000`);
          return foreign.status === 404 && isDeepStrictEqual(foreign.body, unknown.body);
        },
      ],
      [
        `another merchant's ${noun} is in no list`,
        async () => !JSON.stringify((await callApi(other, "GET", `/${noun}`)).body).includes(id),
      ],
      [`its owner reads ${noun}`, is(200, () => callApi(shop, "GET", `/${noun}/${id}`))],
    ]),
  );

  probe(tally, "sign-in", (): Probe[] => [
    [
      "a page without a session",
      async () => (await newVisitor(gateway.baseUrl).get("/dashboard")).status !== 200,
    ],
    [
      "a form without its token",
      async () => {
        const admin = await signedIn(gateway, { role: "operator" });
        const answer = await admin.post("/dashboard/users/invite", { email: "evil@evil.example" });
        return answer.status === 403;
      },
    ],
    [
      "a wrong password, which looks the same for users that do not exist",
      async () => {
        await signedIn(gateway, { role: "operator", email: "real@shop.example" });
        const answers: string[] = [];
        for (const email of ["real@shop.example", "none@shop.example"]) {
          const visitor = newVisitor(gateway.baseUrl);
          await visitor.get("/dashboard/signin");
          const answer = await visitor.submit("/dashboard/signin", { email, password: "not the password" });
          answers.push(`${answer.status} ${/role="alert">([^<]+)</.exec(answer.text)?.[1]}`);
        }
        return answers[0]?.startsWith("401 ") === true && answers[0] === answers[1];
      },
    ],
    [
      "a sign-in that leads to another site",
      async () => {
        const next = encodeURIComponent("//evil.example/");
        const { status, text } = await newVisitor(gateway.baseUrl).get(`/dashboard/signin?next=${next}`);
        return status === 200 && !text.includes("evil.example");
      },
    ],
    [
      "a card number as a user's name",
      async () => {
        const operator = await signedIn(gateway, { role: "operator", email: "names@shop.example" });
        await operator.get("/dashboard/users");
        const invited = { email: "new@shop.example", name: "4111 1111 1111 1111", role: "operator" };
        return (await operator.submit("/dashboard/users/invite", invited)).status === 400;
      },
    ],
  ]);

  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    gateway.post("/paymentrequests", body, { headers });
  const BODY = JSON.stringify(CHECKOUT);
  const raw = async (text: string) => (await exchange(gateway.baseUrl, text))[0]?.status ?? 0;
  probe(tally, "HTTP", (): Probe[] => [
    ...["gzip", "br", "deflate", "nonsense"].map(
      (encoding): Probe => [
        `a body in ${encoding}`,
        is(415, () => post(BODY, { "content-encoding": encoding })),
      ],
    ),
    ["another charset", is(415, () => post(BODY, { "content-type": "application/json; charset=utf-16" }))],
    ["a repeated field", is(400, () => post(BODY.replace("{", '{"paymentMethods":["card"],')))],
    ["100,000 lists", is(400, () => post(`{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`))],
    ["50,000 values", is(400, () => post(`{"x":[${Array(50_000).fill(1).join()}]}`))],
    ["a body of 300 KB", is(413, () => post(" ".repeat(300_000)))],
    ["prototype pollution", is(400, () => post('{"__proto__":{"mode":"live"}}'))],
    [
      "a card number as reference",
      is(400, () => post(BODY.replace("{", '{"reference":"4111-1111-1111-1111",'))),
    ],
    [
      "two hosts",
      async () =>
        (await raw("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n")) === 400,
    ],
    [
      "two lengths",
      async () =>
        (await raw(
          "POST /tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        )) === 400,
    ],
    [
      "a length and chunks",
      async () =>
        (await raw(
          "POST /tokens HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        )) === 400,
    ],
  ]);

  probe(tally, "SSRF", () =>
    [
      "http://169.254.169.254/latest/meta-data",
      "http://10.0.0.1/",
      "http://192.168.0.1/",
      "http://172.16.0.1/",
      "http://0.0.0.0:8080/",
      "http://[::ffff:127.0.0.1]/",
      "http://[fe80::1]/",
      "http://[fd00:ec2::254]/",
      "http://metadata.google.internal/",
      "http://127.0.0.1:22/",
      "file:///etc/passwd",
      "gopher://127.0.0.1:6379/",
    ].map(
      (url): Probe => [url, is(400, () => callApi(other, "POST", "/webhooks", { event: "customers", url }))],
    ),
  );

  probe(tally, "web", (): Probe[] => [
    [
      "markup in a title and a description",
      async () => {
        const evil = "<script>alert(1)</script>";
        const { hostedPaymentPage } = await createHosted(shop, {
          description: evil,
          page: { lineItems: [{ title: evil, amount: 3000 }] },
        });
        const { text, headers } = await visitPage(shop, hostedPaymentPage.url);
        const policy = headers.get("content-security-policy") ?? "";
        return !text.includes(evil) && !/unsafe|\*/.test(policy) && /frame-ancestors 'none'/.test(policy);
      },
    ],
    [
      "a script as the place to return to",
      is(400, () =>
        callApi(shop, "POST", "/paymentrequests", {
          payment: { amount: 1 },
          hostedPaymentPage: { redirectUrl: "javascript:alert(1)" },
        }),
      ),
    ],
    [
      "a picture that makes the payer's browser call another host",
      async () => {
        const lineItems = [{ title: "a", amount: 3000, image: "https://evil.example/track.png" }];
        const { hostedPaymentPage } = await createHosted(shop, { page: { lineItems } });
        return !(await visitPage(shop, hostedPaymentPage.url)).text.includes("evil.example");
      },
    ],
    ["an unknown page", async () => (await visitPage(shop, "/pay/guessed")).status === 404],
    ...reportProbes(gateway, shop),
  ]);

  const pay = async (change: object) => {
    const { session } = await openFrame(shop);
    const body = { method: "card", card: CARD, total: 3000, consent: false, ...change };
    return callFrame(shop, "/checkout/pay", body, session);
  };
  probe(tally, "money", (): Probe[] => [
    ["a lower total", is(400, () => pay({ total: 1 }))],
    ["a negative total", is(400, () => pay({ total: -3000 }))],
    ["a fraction", is(400, () => pay({ total: 0.5 }))],
    [
      "a payment made twice at once",
      async () => {
        const frame = await openFrame(shop);
        const answers = await Promise.all([frame.pay(), frame.pay(), frame.pay()]);
        return answers.filter((answer) => answer.status === 200).length === 1;
      },
    ],
    [
      "more refunds than was paid, at once",
      async () => {
        const { transactionId } = await payOnce(shop);
        const refund = { payment: { amount: 2000 } };
        const answers = await Promise.all(
          [1, 2, 3].map(() => callApi(shop, "POST", `/transactions/${transactionId}/refunds`, refund)),
        );
        return answers.filter((answer) => answer.status === 200).length === 1;
      },
    ],
  ]);

  probe(tally, "carding", (): Probe[] => [
    [
      "30 security codes on one card",
      async () => {
        const target = shopOf(gateway, (await gateway.newMerchant()).key);
        const codes = Array.from({ length: 30 }, (_, n) => ({ securityCode: String(100 + n) }));
        const answers = await attack(target, codes);
        const refused = answers.filter((answer) => answer.status === 429);
        return refused.length >= 10 && refused.every(({ retryAfter }) => Number(retryAfter) > 0);
      },
    ],
    [
      "one address, many cards",
      async () => {
        const target = shopOf(gateway, (await gateway.newMerchant()).key);
        ok(await callApi(target, "PUT", "/management/account", { cardTesting: { address: 6 } }));
        const cards = Array.from({ length: 12 }, (_, n) => ({ number: cardOf(String(411_200 + n), n) }));
        const answers = await attack(target, cards);
        return answers.filter((answer) => answer.status === 200).length === 6;
      },
    ],
  ]);

  const rowsWith = async (text: string) => {
    const tables = await gateway.database.rows<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const found = await Promise.all(
      tables.map(({ name }) =>
        gateway.database.rows(`select 1 from ${name} t where t::text like '%${text}%' limit 1`),
      ),
    );
    return found.flat().length;
  };
  probe(tally, "vault", (): Probe[] => [
    ["a card number in the database", async () => (await rowsWith(CARD.number)) === 0],
    ["an API key in the database", async () => (await rowsWith(shop.key)) === 0],
    [
      "a card through the API",
      is(400, () =>
        callApi(shop, "POST", `/customers/${owned["customers"]}/paymentinstruments`, { card: CARD }),
      ),
    ],
    ...keyProbes(gateway, shop, rowsWith),
  ]);

  probe(tally, "wallets", () =>
    ["{}", "[]", '"x"', "null", '{"signature":"x"}', "[".repeat(30_000) + "]".repeat(30_000)].map(
      (token): Probe => [
        `a forged token ${token.slice(0, 20)}`,
        async () => {
          const { session } = await openFrame(shop, { paymentMethods: ["google_pay"] });
          const body = { method: "google_pay", wallet: { token }, total: 3000, consent: false };
          return (await callFrame(shop, "/checkout/pay", body, session)).status === 400;
        },
      ],
    ),
  );

  probe(tally, "host", (): Probe[] => [
    ["a file of the host", is(404, () => gateway.get("/static/..%2f..%2fetc%2fpasswd"))],
    ["a file of the checkout", is(404, () => gateway.get("/.env", { key: null }))],
    [
      "what runs here",
      async () => {
        const answer = await gateway.get("/no-such-path", { key: null });
        return answer.headers.get("server") === null && answer.headers.get("x-powered-by") === null;
      },
    ],
    [
      "an error that shows its insides",
      async () => !/at .*\.ts|node_modules|select /i.test(JSON.stringify((await post("{")).body)),
    ],
  ]);

  test("prints what was tried and held", (context) => {
    for (const line of printTally(tally).split("\n")) context.diagnostic(line);
  });
});
