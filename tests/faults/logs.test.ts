import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { TEST_KEY } from "../support/calls.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { allowConnections, refuseConnections } from "../support/outage.ts";
import { exchange } from "../support/raw-http.ts";
import { CHECKOUT } from "../support/request-bodies.ts";
import { type SpawnedGateway, spawnGateway } from "../support/spawned-gateway.ts";

let database: TestDatabase;
let gateway: SpawnedGateway;
before(async () => {
  database = await cloneDatabase();
  gateway = await spawnGateway({
    environment: { DATABASE_URL: database.url, TIDEGATE_LOG_LEVEL: "debug" },
  });
});
after(async () => {
  await gateway.kill();
  await database.drop();
});

type Line = Readonly<Record<string, unknown>>;
const logged = (): readonly Line[] =>
  gateway
    .stderr()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const lineOf = (requestId: string, message = "answered") =>
  eventually(`the log has a line of ${requestId}`, async () =>
    logged().find((line) => line["requestId"] === requestId && line["msg"] === message),
  );

describe("contract 2, 10: logs", () => {
  test("each line on standard error is a JSON object, and an answer's line has its request id", async () => {
    const answer = await gateway.get("/paymentrequests/pr_x", { headers: { "x-request-id": "my-own-id" } });
    assert.equal(answer.status, 404);
    const { time, milliseconds, merchantId, keyId, ...rest } = await lineOf("my-own-id");
    assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(typeof milliseconds, "number");
    assert.match(String(merchantId), /^mer_/);
    assert.match(String(keyId), /^key_/);
    assert.deepEqual(rest, {
      level: "info",
      requestId: "my-own-id",
      server: "api",
      method: "GET",
      route: "/paymentrequests/:paymentRequestId",
      status: 404,
      address: "127.0.0.1",
      msg: "answered",
    });
    const made = (await gateway.get("/healthz")).headers.get("x-request-id") ?? "";
    assert.equal((await lineOf(made))["route"], "/healthz");
  });

  test("no line contains a caller's confidential data, whatever the outcome of the request", async () => {
    const canary = {
      email: "canary.mail@shop.example",
      name: "Canary Longname",
      reference: "canary-reference-77",
      description: "canary description 4111111111111112",
      idempotencyKey: "canary-idempotency-key",
      wrongKey: "canary_wrong_api_key_000",
      query: "canary-query-value",
      path: "canary-path-segment",
      cookie: "canary-cookie",
      agent: "canary-agent",
      token: "",
      pageName: "canary-shop-name",
    };
    const headers = {
      "x-idempotency-key": canary.idempotencyKey,
      cookie: canary.cookie,
      "user-agent": canary.agent,
      authorization: `Basic ${canary.cookie}`,
    };
    const body = {
      ...CHECKOUT,
      reference: canary.reference,
      payment: { amount: 3000, description: canary.description },
      customerRequest: { paymentInstrument: "create", name: canary.name, email: canary.email },
    };
    const created = await gateway.post("/paymentrequests", body, { headers });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    canary.token = (
      await gateway.post("/tokens", { scope: "payui", paymentRequestId: created.body.id })
    ).body.token;
    await gateway.post("/paymentrequests", body, { headers });
    await gateway.post("/paymentrequests", { ...body, payment: { amount: canary.description } }, { headers });
    await gateway.post("/paymentrequests", `{"reference":"${canary.reference}`, { headers });
    await gateway.post("/paymentrequests", body, { key: canary.wrongKey });
    await gateway.get(`/paymentrequests?reference=${canary.query}`);
    await gateway.get(`/paymentrequests?${canary.query}=1`);
    await gateway.get(`/${canary.path}`);
    await gateway.get(`/paymentrequests/${canary.path}`);
    await gateway.get(`/paymentrequests/${canary.path}%zz`);
    await gateway.put("/management/account", { name: canary.pageName });
    await gateway.post("/tokens", { scope: canary.reference, paymentRequestId: canary.query });
    await exchange(gateway.baseUrl, `GET /${canary.path} HTTP/1.1\r\nX-Api-Key : ${canary.wrongKey}\r\n\r\n`);

    // A bug: the database quotes values in its errors.
    await database.rows(
      "alter table payment_requests add constraint canary check (reference not like 'canary%') not valid",
    );
    const bug = await gateway.post("/paymentrequests", body, { headers: { "x-request-id": "a-bug" } });
    assert.equal(bug.status, 500);
    await database.rows("alter table payment_requests drop constraint canary");
    await database.rows(
      "alter table payment_requests alter column reference type varchar(5) using left(reference, 5)",
    );
    assert.equal(
      (await gateway.post("/paymentrequests", body, { headers: { "x-request-id": "a-bug-too" } })).status,
      500,
    );
    await database.rows("alter table payment_requests alter column reference type text");

    await refuseConnections(database);
    assert.equal(
      (await gateway.post("/paymentrequests", body, { headers: { "x-request-id": "no-database" } })).status,
      503,
    );
    await allowConnections(database);
    await eventually("the gateway is ready again", async () => (await gateway.get("/readyz")).status === 200);
    await gateway.get("/healthz", { headers: { "x-request-id": "the-last-one" } });
    await lineOf("the-last-one");

    const text = gateway.stderr();
    const bugLine = await lineOf("a-bug", "unexpected error");
    assert.equal(bugLine["level"], "error");
    assert.match(JSON.stringify(bugLine["error"]), /23514/);
    await lineOf("a-bug-too", "unexpected error");
    await lineOf("no-database", "answered 503: the database is unavailable");
    for (const [what, value] of Object.entries({ ...canary, key: TEST_KEY, card: "4111111111111111" })) {
      assert.equal(text.includes(value), false, what);
    }
    const password = new URL(database.url).password;
    if (password !== "") assert.equal(text.includes(password), false, "database password");
  });

  test("a malformed request has a line, too", async () => {
    const bad = await gateway.get("/paymentrequests/%zz", { headers: { "x-request-id": "bad-address" } });
    assert.equal(bad.status, 400);
    assert.equal((await lineOf("bad-address"))["status"], 400);
    const [broken] = await exchange(gateway.baseUrl, "nonsense\r\n\r\n");
    const id = broken?.headers.get("x-request-id") ?? "";
    const { time, ...line } = await lineOf(id);
    assert.equal(typeof time, "string");
    assert.deepEqual(line, {
      level: "info",
      requestId: id,
      server: "api",
      route: "none",
      status: 400,
      msg: "answered",
    });
  });

  test("a caller cannot forge a line", async () => {
    const id = '"},{"level":"fatal","msg":"forged"'.replaceAll(" ", "");
    await gateway.get("/healthz", { headers: { "x-request-id": id } });
    assert.equal((await lineOf(id))["level"], "info");
    assert.ok(logged().every((line) => line["msg"] !== "forged"));
  });
});

describe("contract 10: log level", () => {
  test("silent logs nothing", async () => {
    const quiet = await spawnGateway({
      environment: { DATABASE_URL: database.url, TIDEGATE_LOG_LEVEL: "silent" },
    });
    try {
      await quiet.get("/paymentrequests");
      await quiet.get("/nowhere");
      quiet.signal("SIGTERM");
      await quiet.exit;
      assert.equal(quiet.stderr(), "");
    } finally {
      await quiet.kill();
    }
  });

  test("a gateway that cannot write its log still answers, and stops on SIGTERM", {
    ...(existsSync("/dev/full") ? {} : { skip: "this system has no /dev/full" }),
  }, async () => {
    const environment = { DATABASE_URL: database.url, TIDEGATE_LOG_LEVEL: "debug" };
    const full = await spawnGateway({ environment, logFile: "/dev/full" });
    try {
      for (let round = 0; round < 20; round += 1) assert.equal((await full.get("/nowhere")).status, 404);
      assert.equal((await full.post("/paymentrequests", CHECKOUT)).status, 200);
      full.signal("SIGTERM");
      assert.deepEqual(await full.exit, { code: 0, signal: null });
    } finally {
      await full.kill();
    }
  });
});
