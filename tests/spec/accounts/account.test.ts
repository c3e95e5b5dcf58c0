import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused, type Expected } from "../../support/answers.ts";
import { eventually } from "../../support/eventually.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { onceWithin } from "../../support/once-within.ts";
import { makeKey } from "../../support/operator.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const read = async (key?: string) =>
  (await gateway.get("/management/account", key === undefined ? {} : { key })).body;
const change = (body: unknown) => gateway.put("/management/account", body);

const ALL_ON = {
  cardNotPresent: true,
  threeDSecure: true,
  applePay: true,
  googlePay: true,
  directDebit: true,
  payId: true,
};

describe("contract 8: the first sandbox merchant", () => {
  test("has every capability and no surcharging, in exactly these fields", async () => {
    const { id, createdDateTime, updatedDateTime, ...rest } = await read();
    assert.match(id, /^mer_[0-9a-z]{29}$/);
    assert.match(createdDateTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(updatedDateTime, createdDateTime);
    assert.deepEqual(rest, {
      name: "Sandbox merchant",
      country: "AU",
      currencyCode: "AUD",
      capabilities: ALL_ON,
      allowedOrigins: [],
      surcharging: { enabled: false, rates: {} },
      threeDSecureAttempted: "proceed",
      threeDSecureUnavailable: "decline",
      cardTesting: { address: 45, bin: 45, card: 15, merchant: 80 },
      result: { mode: "sandbox", status: "ok" },
    });
  });

  test("a New Zealand merchant has NZD, and a live merchant starts without capabilities", async () => {
    const nz = await gateway.newMerchant({ country: "NZ" });
    assert.equal((await read(nz.key)).currencyCode, "NZD");
    const live = await gateway.newMerchant({ mode: "live" });
    assert.deepEqual(new Set(Object.values((await read(live.key)).capabilities)), new Set([false]));
  });
});

describe("contract 8: PUT accepts any subset of fields", () => {
  test("each field alone changes only itself and updatedDateTime", async () => {
    const changes = [
      { name: "Corner shop" },
      { country: "NZ" },
      { currencyCode: "NZD" },
      { capabilities: { applePay: false } },
      { allowedOrigins: ["https://shop.example", "http://localhost:3000"] },
      { surcharging: { enabled: true } },
      { threeDSecureUnavailable: "proceed" },
      { threeDSecureAttempted: "decline" },
      { surcharging: { rates: { visa: { percent: 1.2, fixed: 5 } } } },
      { country: "AU", currencyCode: "AUD" },
      { capabilities: {} },
      { surcharging: {} },
      {},
    ];
    for (const body of changes) {
      const before = await read();
      const answer = await change(body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const merged = merge(before, body);
      assert.deepEqual({ ...answer.body, updatedDateTime: "" }, { ...merged, updatedDateTime: "" });
      assert.ok(answer.body.updatedDateTime > before.updatedDateTime);
      assert.deepEqual(await read(), answer.body);
    }
  });

  /** The expected result of a nested subset. */
  // biome-ignore lint/suspicious/noExplicitAny: any part of any answer.
  function merge(before: any, part: any): any {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(
      [...new Set([...Object.keys(before ?? {}), ...Object.keys(part)])].map((name) => [
        name,
        name in part ? merge(before?.[name], part[name]) : before[name],
      ]),
    );
  }

  test("a rate is changed field by field, and null removes the rate or one of its dates", async () => {
    const rates = async (part: object | null) => {
      const answer = await change({ surcharging: { rates: { amex: part } } });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.surcharging.rates.amex;
    };
    assert.deepEqual(await rates({ percent: 2 }), { percent: 2, fixed: 0 });
    assert.deepEqual(await rates({ fixed: 30 }), { percent: 2, fixed: 30 });
    assert.deepEqual(await rates({ from: "2026-10-01" }), { percent: 2, fixed: 30, from: "2026-10-01" });
    assert.deepEqual(await rates({ until: "2026-10-01" }), {
      percent: 2,
      fixed: 30,
      from: "2026-10-01",
      until: "2026-10-01",
    });
    assert.deepEqual(await rates({ from: null }), { percent: 2, fixed: 30, until: "2026-10-01" });
    assert.deepEqual(await rates({ until: null, percent: 0 }), { percent: 0, fixed: 30 });
    assert.equal(await rates(null), undefined);
    assert.equal(await rates(null), undefined);
    assert.deepEqual(await rates({}), { percent: 0, fixed: 0 });
    await rates(null);
    assert.equal("visa" in (await read()).surcharging.rates, true);
  });

  test("PUT replaces the full list of allowed origins", async () => {
    await change({ allowedOrigins: ["https://one.example"] });
    await change({ allowedOrigins: ["https://two.example"] });
    assert.deepEqual((await read()).allowedOrigins, ["https://two.example"]);
    assert.deepEqual((await change({ allowedOrigins: [] })).body.allowedOrigins, []);
  });

  test("concurrent changes do not overwrite each other", async () => {
    const types = ["visa", "mastercard", "amex", "diners", "discover", "jcb", "unionpay", "eftpos"];
    const answers = await Promise.all(
      types.map((type, index) => change({ surcharging: { rates: { [type]: { percent: index } } } })),
    );
    assert.ok(answers.every((answer) => answer.status === 200));
    const { surcharging } = await read();
    assert.deepEqual(Object.keys(surcharging.rates).sort(), [...types].sort());
    assert.equal(new Set(answers.map((answer) => answer.body.updatedDateTime)).size, types.length);
  });
});

describe("contract 8: the limits of every field", () => {
  const rate = (part: object) => ({ surcharging: { rates: { visa: part } } });
  const at = (field: string) => `/surcharging/rates/visa/${field}`;
  const ACCEPTED: readonly object[] = [
    { name: "x" },
    { name: "💸".repeat(140) },
    { allowedOrigins: Array.from({ length: 50 }, (_, index) => `https://s${index}.example`) },
    { allowedOrigins: ["http://127.0.0.1:8080", "https://xn--caf-dma.example", "http://[::1]:3000"] },
    rate({ percent: 0, fixed: 0 }),
    rate({ percent: 100, fixed: 1_000_000 }),
    rate({ percent: 1.2345 }),
    rate({ percent: 0.0001 }),
    rate({ from: "2028-02-29", until: "2028-02-29" }),
    rate({ from: null, until: null }),
  ];
  for (const body of ACCEPTED) {
    test(`accepts ${JSON.stringify(body).slice(0, 70)}`, async () =>
      assert.equal((await change(body)).status, 200));
  }

  const REFUSED: readonly (readonly [body: unknown, ...codes: Expected[]])[] = [
    [{ name: "" }, ["V11300", "/name"]],
    [{ name: "x".repeat(141) }, ["V11300", "/name"]],
    [{ name: null }, ["V11300", "/name"]],
    [{ name: "two\nlines" }, ["V11300", "/name"]],
    [{ country: "US" }, ["V11301", "/country"]],
    [{ country: "au" }, ["V11301", "/country"]],
    [{ currencyCode: "USD" }, ["V11302", "/currencyCode"]],
    [{ capabilities: [] }, ["V11303", "/capabilities"]],
    [{ capabilities: null }, ["V11303", "/capabilities"]],
    [{ capabilities: { payId: "yes" } }, ["V11304", "/capabilities/payId"]],
    [{ capabilities: { payId: null } }, ["V11304", "/capabilities/payId"]],
    [{ capabilities: { payID: true } }, ["V11003", "/capabilities/payID"]],
    [{ allowedOrigins: "https://shop.example" }, ["V11305", "/allowedOrigins"]],
    [{ allowedOrigins: ["https://a.example", "https://a.example"] }, ["V11305", "/allowedOrigins"]],
    [
      { allowedOrigins: Array.from({ length: 51 }, (_, index) => `https://s${index}.example`) },
      ["V11305", "/allowedOrigins"],
    ],
    [{ surcharging: null }, ["V11307", "/surcharging"]],
    [{ threeDSecureAttempted: "ignore" }, ["V11319", "/threeDSecureAttempted"]],
    [{ threeDSecureAttempted: null }, ["V11319", "/threeDSecureAttempted"]],
    [{ threeDSecureUnavailable: "ignore" }, ["V11316", "/threeDSecureUnavailable"]],
    [{ threeDSecureUnavailable: null }, ["V11316", "/threeDSecureUnavailable"]],
    [{ surcharging: { enabled: 1 } }, ["V11308", "/surcharging/enabled"]],
    [{ surcharging: { rates: [] } }, ["V11309", "/surcharging/rates"]],
    [{ surcharging: { rates: { visa: 1.2 } } }, ["V11310", "/surcharging/rates/visa"]],
    [{ surcharging: { rates: { maestro: { percent: 1 } } } }, ["V11003", "/surcharging/rates/maestro"]],
    [rate({ percent: -0.1 }), ["V11311", at("percent")]],
    [rate({ percent: 100.0001 }), ["V11311", at("percent")]],
    [rate({ percent: 1.23456 }), ["V11311", at("percent")]],
    [rate({ percent: 1e-7 }), ["V11311", at("percent")]],
    [rate({ percent: "1" }), ["V11311", at("percent")]],
    [rate({ percent: null }), ["V11311", at("percent")]],
    [rate({ fixed: -1 }), ["V11312", at("fixed")]],
    [rate({ fixed: 1_000_001 }), ["V11312", at("fixed")]],
    [rate({ fixed: 1.5 }), ["V11312", at("fixed")]],
    [rate({ from: "2026-02-29" }), ["V11313", at("from")]],
    [rate({ from: "2026-1-1" }), ["V11313", at("from")]],
    [rate({ from: "2026-01-01T00:00:00Z" }), ["V11313", at("from")]],
    [rate({ until: "tomorrow" }), ["V11314", at("until")]],
    [rate({ from: "2026-02-02", until: "2026-02-01" }), ["V11314", at("until")]],
    [rate({ precent: 1 }), ["V11003", at("precent")]],
    [{ clockOffset: 5 }, ["V11003", "/clockOffset"]],
    [
      { id: "mer_x", mode: "live", result: {} },
      ["V11003", "/id"],
      ["V11003", "/mode"],
      ["V11003", "/result"],
    ],
    [[], ["V11005", ""]],
  ];
  for (const origin of [
    "shop.example",
    "https://shop.example/",
    "https://shop.example/path",
    "https://SHOP.example",
    "https://shop.example:443",
    "https://user@shop.example",
    "https://*.shop.example",
    "*",
    "null",
    "ftp://shop.example",
    "javascript:alert(1)",
    "https://shop.example 'unsafe-inline'",
    "https://shop.example; script-src *",
    "https://shop.example\n",
    "https://shop.example;sandbox",
    "https://shop.example,https://evil.example",
    "https://'self'",
    "https://a..example",
    "https://shop.example.",
    "",
  ]) {
    test(`refuses the origin ${JSON.stringify(origin)}`, async () =>
      assertRefused(await change({ allowedOrigins: [origin] }), 400, ["V11306", "/allowedOrigins/0"]));
  }
  for (const [body, ...codes] of REFUSED) {
    test(`refuses ${JSON.stringify(body).slice(0, 70)}`, async () => {
      const before = await read();
      assertRefused(await change(body), 400, ...codes);
      assert.deepEqual(await read(), before);
    });
  }

  test("a rate's date is checked against the date the account already has", async () => {
    await change(rate({ from: "2026-05-01", until: null }));
    assertRefused(await change(rate({ until: "2026-04-30" })), 400, ["V11314", at("until")]);
    assert.equal((await change(rate({ until: "2026-05-01" }))).status, 200);
    await change({ surcharging: { rates: { visa: null } } });
    assert.equal((await change(rate({ until: "2026-04-30" }))).status, 200);
  });

  test("an invalid change returns every problem at once", async () => {
    const body = {
      name: "",
      country: "XX",
      surcharging: { enabled: "no", rates: { jcb: { percent: -1, fixed: "a" } } },
    };
    assertRefused(
      await change(body),
      400,
      ["V11300", "/name"],
      ["V11301", "/country"],
      ["V11308", "/surcharging/enabled"],
      ["V11311", "/surcharging/rates/jcb/percent"],
      ["V11312", "/surcharging/rates/jcb/fixed"],
    );
  });
});

describe("contract 8: who may change an account", () => {
  test("a live merchant reads its account, and only the operator changes it", async () => {
    const live = await gateway.newMerchant({ mode: "live" });
    const before = await read(live.key);
    const answer = await gateway.put("/management/account", { name: "Mine" }, { key: live.key });
    assertRefused(answer, 403, "V11320");
    assert.equal(answer.body.result.mode, "live");
    assert.deepEqual(await read(live.key), before);
  });

  test("only a key with scope admin changes the account", async () => {
    const { id } = await read();
    const reader = await makeKey(gateway.database, id, ["read", "write"]);
    const admin = await makeKey(gateway.database, id, ["admin"]);
    assertRefused(
      await gateway.put("/management/account", { name: "x" }, { key: reader.key }),
      403,
      "V11008",
    );
    assert.equal((await gateway.put("/management/account", { name: "x" }, { key: admin.key })).status, 200);
  });

  test("a change leaves other merchants unchanged", async () => {
    const other = await gateway.newMerchant();
    const before = await read(other.key);
    await change({ name: "Only me", capabilities: { payId: false } });
    assert.deepEqual(await read(other.key), before);
    await change({ capabilities: ALL_ON });
  });
});

describe("contract 10: a change reaches every node", () => {
  let second: TestGateway;
  before(async () => {
    second = await startTestGateway({ database: gateway.database });
  });
  after(() => second.stop());

  test("another node reads a change at once and applies it within a second", async () => {
    assert.equal((await second.post("/paymentrequests", CHECKOUT)).status, 200);
    await onceWithin(1_500, 10, async () => {
      await change({ capabilities: { cardNotPresent: false } });
      assert.equal((await second.get("/management/account")).body.capabilities.cardNotPresent, false);
      const begun = Date.now();
      await eventually(
        "the other node applies the change",
        async () => (await second.post("/paymentrequests", CHECKOUT)).status === 403,
      );
      const tookMs = Date.now() - begun;
      await change({ capabilities: { cardNotPresent: true } });
      await eventually(
        "the other node applies the change",
        async () => (await second.post("/paymentrequests", CHECKOUT)).status === 200,
      );
      return { tookMs };
    });
  });

  test("the node that made the change applies it to the next request", async () => {
    for (let round = 0; round < 5; round += 1) {
      await change({ capabilities: { cardNotPresent: false } });
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT)).status, 403);
      await change({ capabilities: { cardNotPresent: true } });
      assert.equal((await gateway.post("/paymentrequests", CHECKOUT)).status, 200);
    }
  });

  test("a change is validated against the stored account, not a node's cached copy", async () => {
    const rate = (part: object | null) => ({ surcharging: { rates: { eftpos: part } } });
    for (let round = 0; round < 10; round += 1) {
      await change(rate(null));
      await eventually(
        "both nodes accept changes",
        async () => (await second.put("/management/account", rate(null))).status === 200,
      );
      await gateway.get("/events");
      await second.get("/events");
      assert.equal((await change(rate({ from: "2030-01-01" }))).status, 200);
      const refused = await second.put("/management/account", rate({ until: "2029-12-31" }));
      assertRefused(refused, 400, ["V11314", "/surcharging/rates/eftpos/until"]);
    }
  });
});
