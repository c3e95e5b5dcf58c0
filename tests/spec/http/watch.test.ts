import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { answerChallenge, callApi, ok, openFrame, payOnce, shopOf } from "../../support/checkout.ts";
import { approvedDebit, runSettlements, whenStatus } from "../../support/debits.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startTestGateway, TEST_KEY, type TestGateway } from "../../support/gateway.ts";
import { payIdShop } from "../../support/payid.ts";
import { counted, recordedPayments, sumOf } from "../../support/payment-metrics.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

describe("contract 10: monitoring endpoints", () => {
  test("healthz, readyz and Prometheus metrics respond without a key", async () => {
    await gateway.get("/paymentrequests");
    await gateway.get("/nowhere");
    const metrics = await gateway.get("/metrics", { key: null });
    assert.equal(metrics.status, 200);
    assert.match(metrics.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    assert.match(
      metrics.body,
      /tidegate_http_answer_seconds_count\{server="api",route="\/paymentrequests",method="GET",status="200"\} 1/,
    );
    assert.match(metrics.body, /route="none",method="GET",status="404"/);
    assert.match(metrics.body, /tidegate_database_connections\{state="idle"\} \d+/);
    assert.match(metrics.body, /^tidegate_jobs_overdue 0$/m);
    assert.match(metrics.body, /^process_resident_memory_bytes \d+/m);
    for (const line of metrics.body.split("\n")) {
      assert.match(
        line,
        /^($|# (HELP|TYPE) \w+ .*|[a-z_]\w*(\{[^}]*\})? -?[\d.e+-]+|[a-z_]\w*(\{[^}]*\})? \+?(Inf|NaN))$/i,
      );
    }
    for (const path of ["/healthz", "/readyz"]) {
      assert.deepEqual((await gateway.get(path, { key: null })).body, { result: { status: "ok" } });
    }
    const { body } = await gateway.get("/metrics", { key: null });
    for (const path of ["healthz", "readyz", "metrics"])
      assert.match(body, new RegExp(`route="/${path}"`), "as the alert on errors leaves it out");
  });

  test("the payers' port has health checks, and no metrics if the process serves the API", async () => {
    const get = (path: string) => fetch(`${gateway.hostedUrl}${path}`);
    assert.equal((await get("/healthz")).status, 200);
    assert.equal((await get("/readyz")).status, 200);
    assert.equal((await get("/metrics")).status, 404);
  });

  test("a process that serves only payers has metrics on the payers' port", async () => {
    const alone = await startTestGateway({ environment: { TIDEGATE_ROLES: "checkout" } });
    try {
      const metrics = await fetch(`${alone.hostedUrl}/metrics`);
      assert.equal(metrics.status, 200);
      assert.match(await metrics.text(), /^process_resident_memory_bytes \d+/m);
    } finally {
      await alone.stop();
    }
  });

  test("on an address that others reach, /metrics is on the watch port alone", async () => {
    const port = await freePort();
    const open = await startTestGateway({
      environment: { TIDEGATE_HOST: "0.0.0.0", TIDEGATE_WATCH_PORT: String(port) },
    });
    try {
      assert.equal((await open.get("/metrics")).status, 404);
      assert.equal((await open.get("/healthz", { key: null })).status, 200);
      assert.equal((await fetch(`${open.hostedUrl}/metrics`)).status, 404);
      assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200);
    } finally {
      await open.stop();
    }
  });

  for (const [what, host, roles] of [
    ["on the API's port", "0.0.0.0", "api,checkout"],
    ["on the API's port on loopback", "127.0.0.1", "api,checkout"],
    ["on the payers' port of a process without the API", "0.0.0.0", "checkout"],
  ] as const) {
    test(`a token opens /metrics ${what}, and nothing else does`, async () => {
      const token = "a-token-for-prometheus";
      const environment = { TIDEGATE_HOST: host, TIDEGATE_ROLES: roles, TIDEGATE_METRICS_TOKEN: token };
      const guarded = await startTestGateway({ environment });
      try {
        const origin = roles === "checkout" ? guarded.hostedUrl : guarded.baseUrl;
        const read = (headers: Record<string, string>) => fetch(`${origin}/metrics`, { headers });
        const opened = await read({ authorization: `Bearer ${token}` });
        assert.equal(opened.status, 200);
        assert.match(await opened.text(), /^process_resident_memory_bytes \d+/m);
        for (const headers of [
          {},
          { authorization: `Bearer ${token}x` },
          { authorization: `Bearer ${token.slice(0, -1)}` },
          { authorization: token },
          { authorization: `Basic ${token}` },
          { "x-api-key": TEST_KEY },
        ] as Record<string, string>[]) {
          const refused = await read(headers);
          assert.equal(refused.status, 401);
          assert.equal(refused.headers.get("www-authenticate"), "Bearer");
          assert.equal(JSON.parse(await refused.text()).result.codes[0].id, "V11081");
        }
        if (roles !== "checkout") assert.equal((await fetch(`${guarded.hostedUrl}/metrics`)).status, 404);
      } finally {
        await guarded.stop();
      }
    });
  }

  test("a worker-only process has its own monitoring port, which serves nothing else", async () => {
    const port = await freePort();
    const alone = await startTestGateway({
      environment: { TIDEGATE_ROLES: "worker", TIDEGATE_WATCH_PORT: String(port) },
    });
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
      const metrics = await get("/metrics");
      assert.equal(metrics.status, 200);
      assert.match(
        await metrics.text(),
        /^tidegate_refunds_total\{mode="live",source="card",status="approved"\} 0$/m,
      );
      assert.deepEqual([(await get("/healthz")).status, (await get("/readyz")).status], [200, 200]);
      assert.deepEqual([(await get("/paymentrequests")).status, (await get("/docs")).status], [404, 404]);
    } finally {
      await alone.stop();
    }
  });

  test("ids and unknown paths create no new series", async () => {
    const series = async () =>
      (await gateway.get("/metrics")).body
        .split("\n")
        .filter((line: string) => line.startsWith("tidegate_http_answer_seconds_count")).length;
    await gateway.get("/paymentrequests/first");
    await gateway.get("/first");
    await series();
    const before = await series();
    for (let index = 0; index < 50; index += 1) {
      await gateway.get(`/paymentrequests/pr_${index}`);
      await gateway.get(`/unknown/${index}?q=${index}`);
    }
    assert.equal(await series(), before);
  });
});

describe("contract 10: payment metrics", () => {
  test("each node counts what it committed, and the sum equals the database", async () => {
    const second = await startTestGateway({ database: gateway.database });
    try {
      const nodes = [gateway, second];
      const [one, two] = [shopOf(gateway), shopOf(second)];
      const lines = async () =>
        String((await gateway.get("/metrics")).body).match(/^tidegate_(pay|ref|th|ac)/gm);
      const before = await lines();
      const { transactionId } = await payOnce(one);
      await payOnce(two, { amount: 14405 });
      assert.deepEqual(await counted([gateway], "tidegate_payments_total"), {
        "mode=sandbox,source=card,status=approved": 1,
      });
      assert.deepEqual(await counted([second], "tidegate_payments_total"), {
        "mode=sandbox,source=card,status=declined": 1,
      });

      const lost = await payOnce(two, { amount: 14481 });
      assert.equal(lost.paid.state, "pending");
      const secure = { category: { authenticationType: "3d_secure" } };
      await payOnce(one, secure);
      await payOnce(one, { ...secure, amount: 14417 });
      for (const answer of ["approve", "fail"] as const) {
        const { frame, paid } = await payOnce(two, { ...secure, amount: 14418 });
        await answerChallenge(two, paid.challenge.url, answer);
        ok(await frame.continue(paid.challenge.sealed));
      }
      const left = await openFrame(one, { ...secure, amount: 14418 });
      ok(await left.pay());
      await left.abandon();
      const payId = payIdShop(gateway);
      await payId.pay((await payId.request()).payId, 3000);
      const returned = await approvedDebit(one, 11005);
      ok(
        await callApi(one, "POST", `/transactions/${transactionId}/refunds`, {
          payment: { amount: 14451 - 14400 },
        }),
      );
      await runSettlements(one);
      await whenStatus(one, returned, "declined");
      await whenStatus(one, lost.transactionId, "approved");

      const all = (name: string) => counted(nodes, name);
      const expected = await recordedPayments(gateway.database);
      await eventually("every outcome is counted", async () => {
        const [payments, refunds] = [
          await all("tidegate_payments_total"),
          await all("tidegate_refunds_total"),
        ];
        return sumOf(payments) >= sumOf(expected) && sumOf(refunds) > 0;
      });
      assert.deepEqual(await all("tidegate_payments_total"), expected);
      assert.equal(expected["mode=sandbox,source=direct_debit,status=returned"], 1);
      assert.equal(expected["mode=sandbox,source=payid,status=approved"], 1);
      assert.deepEqual(await all("tidegate_payments_unknown_total"), { "mode=sandbox,source=card": 1 });
      assert.deepEqual(await all("tidegate_payments_recovered_total"), {
        "mode=sandbox,source=card,status=approved": 1,
      });
      assert.deepEqual(await all("tidegate_refunds_total"), {
        "mode=sandbox,source=card,status=approved": 1,
      });
      assert.deepEqual(await all("tidegate_three_d_secure_total"), {
        "mode=sandbox,flow=frictionless,outcome=authenticated": 1,
        "mode=sandbox,flow=frictionless,outcome=failed": 1,
        "mode=sandbox,flow=challenge,outcome=authenticated": 1,
        "mode=sandbox,flow=challenge,outcome=failed": 1,
        "mode=sandbox,flow=challenge,outcome=abandoned": 1,
      });
      assert.deepEqual(await all("tidegate_acquirer_seconds_count"), { "mode=sandbox": 5 });
      assert.deepEqual(await lines(), before, "payments create no new series");
    } finally {
      await second.stop();
    }
  });
});

describe("the Grafana dashboard and the alert rules", () => {
  const METRIC = /\b((?:tidegate|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g;

  /** With the metrics of a replica. */
  let node: TestGateway;
  let exposed: string;
  before(async () => {
    const { database } = gateway;
    const environment = { DATABASE_URL: database.url, DATABASE_READ_URL: database.url };
    node = await startTestGateway({ database, environment });
    await node.get("/paymentrequests");
    exposed = (await node.get("/metrics")).body;
  });
  after(() => node.stop());

  async function expressions(): Promise<readonly string[]> {
    const dashboard = JSON.parse(await readFile("docs/grafana/tidegate.json", "utf8")) as {
      panels: { targets: { expr: string }[] }[];
    };
    const alerts = await readFile("docs/grafana/alerts.yml", "utf8");
    const rules = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = ""]) => expression);
    assert.equal(
      rules.length,
      alerts.split("- alert:").length - 1,
      "every rule has its expression on one line",
    );
    return [...rules, ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
  }

  /** Names and labels in an expression that /metrics does not expose. */
  function unknownNames(expression: string, exposed: string): readonly string[] {
    return [...expression.matchAll(METRIC)].flatMap(([, name = "", filter = ""]) => {
      // Prometheus creates `up`, and adds job and instance to every series.
      if (name === "up") return [];
      const lines = exposed
        .split("\n")
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      // A metric by acquirer account has no series before the first account.
      if (lines.length === 0 && exposed.includes(`# TYPE ${name} `)) return [];
      if (lines.length === 0) return [name];
      const labels = [...filter.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label);
      const unknown = labels.filter((label) => !["job", "instance"].includes(label));
      return unknown
        .filter((label) => !lines.some((line) => line.includes(`${label}="`)))
        .map((label) => `${name}{${label}}`);
    });
  }

  test("use only metrics and labels that /metrics exposes", async () => {
    const all = await expressions();
    assert.ok(all.length > 30);
    for (const expression of all) assert.deepEqual(unknownNames(expression, exposed), [], expression);
    assert.deepEqual(unknownNames("sum(tidegate_unknown)", exposed), ["tidegate_unknown"]);
    assert.deepEqual(unknownNames('tidegate_jobs_overdue{colour="red"}', exposed), [
      "tidegate_jobs_overdue{colour}",
    ]);
  });

  test("warn of each acquirer account: its approval rate, its time, its unknown outcomes, its link", async () => {
    const alerts = await readFile("docs/grafana/alerts.yml", "utf8");
    const rules = new Map(
      alerts.split("- alert: ").map((rule) => [/^\w+/.exec(rule)?.[0] ?? "", rule] as const),
    );
    for (const [alert, ...parts] of [
      [
        "TidegateAcquirerAccountApprovalsDrop",
        'sum by (account) (increase(tidegate_acquirer_answers_total{mode="live",answer="approved"}[30m]))',
        "< 0.8 *",
        "[1d] offset 1h",
        "> 20",
      ],
      ["TidegateAcquirerAccountSlow", "sum by (le, account) (rate(tidegate_acquirer_account_seconds_bucket"],
      ["TidegateAcquirerAccountUnknown", "sum by (account) (increase(tidegate_acquirer_answers_total"],
      ["TidegateAcquirerLinkDown", 'tidegate_acquirer_link_up{mode="live"} == 0'],
    ]) {
      const rule = rules.get(alert ?? "") ?? assert.fail(alert);
      for (const part of parts) assert.ok(rule.includes(part), `${alert}: ${part}`);
      assert.match(rule, /summary: .*\$labels\.account/);
    }
  });

  test("warn of each failure of what protects stored numbers", async () => {
    const alerts = await readFile("docs/grafana/alerts.yml", "utf8");
    const controls = [...exposed.matchAll(/^tidegate_control_failures_total\{control="(\w+)"\} 0$/gm)];
    assert.equal(controls.length, 3);
    for (const [, control] of controls) assert.ok(alerts.includes(`{control="${control}"}`), control);
  });

  test("show every metric of the gateway, and the guide explains it", async () => {
    const guide = await readFile("docs/guides/operating.md", "utf8");
    const all = (await expressions()).join("\n");
    for (const [, name = ""] of exposed.matchAll(/^# TYPE (tidegate_\w+)/gm)) {
      assert.ok(all.includes(name), name);
      assert.match(guide, new RegExp(`\`${name}\\b`));
    }
  });
});
