import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

describe("contract 10: whoever watches", () => {
  test("healthz is alive, readyz has its database, metrics are Prometheus text; none needs a key", async () => {
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
  });

  test("the payers' port is watched too, but gives no figures beside an API", async () => {
    const ask = (path: string) => fetch(`${gateway.hostedUrl}${path}`);
    assert.equal((await ask("/healthz")).status, 200);
    assert.equal((await ask("/readyz")).status, 200);
    assert.equal((await ask("/metrics")).status, 404);
  });

  test("a process that serves payers alone gives its figures there", async () => {
    const alone = await startTestGateway({ environment: { TIDEGATE_ROLES: "checkout" } });
    try {
      const metrics = await fetch(`${alone.hostedUrl}/metrics`);
      assert.equal(metrics.status, 200);
      assert.match(await metrics.text(), /^process_resident_memory_bytes \d+/m);
    } finally {
      await alone.stop();
    }
  });

  test("ids and addresses make no new metrics", async () => {
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
