import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused } from "../../support/answers.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { CHECKOUT } from "../../support/request-bodies.ts";

let gateway: TestGateway;
before(async () => {
  gateway = await startTestGateway();
});
after(() => gateway.stop());

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  gateway.post("/paymentrequests", body, { headers });
const countRequests = async () => (await gateway.database.rows("select 1 from payment_requests")).length;

describe("contract 2: JSON in UTF-8", () => {
  const MALFORMED: Readonly<Record<string, string | Uint8Array>> = {
    "a truncated document": '{"payment":{"amount":',
    "a trailing comma": '{"payment":{"amount":1},}',
    "single quotes": "{'payment':{}}",
    "a comment": '{"payment":{"amount":3000} /* cheap */}',
    "two documents": "{}{}",
    "not a number": '{"payment":{"amount":NaN}}',
    hexadecimal: '{"payment":{"amount":0x10}}',
    "a number with a leading zero": '{"payment":{"amount":0100}}',
    "a bare control character": '{"reference":"a\u0001b"}',
    "a NUL at the end": "{}\u0000",
    "white space only": "   ",
    "invalid UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    "an overlong slash": Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
    "a lone surrogate, as bytes": Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    "UTF-16": Buffer.from("{}", "utf16le"),
    "compressed data": Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
    "unclosed brackets": "[".repeat(100_000),
    "unclosed objects": '{"a":'.repeat(50_000),
  };
  for (const [what, body] of Object.entries(MALFORMED)) {
    test(`refuses malformed JSON: ${what}`, async () => assertRefused(await post(body), 400, "V11000"));
  }

  test("accepts one byte order mark before the JSON", async () => {
    assert.equal((await post(`\ufeff${JSON.stringify(CHECKOUT)}`)).status, 200);
    assertRefused(await post(`\ufeff\ufeff${JSON.stringify(CHECKOUT)}`), 400, "V11000");
  });

  for (const body of ["null", "1", "true", '"{}"', "[]", `[${JSON.stringify(CHECKOUT)}]`]) {
    test(`refuses JSON that is not an object: ${body.slice(0, 20)}`, async () =>
      assertRefused(await post(body), 400, ["V11005", ""]));
  }

  test("refuses a missing body where one is required", async () => {
    assertRefused(await post(undefined), 400, ["V11005", ""]);
    assertRefused(await post("", { "content-type": "application/json" }), 400, ["V11005", ""]);
  });

  const deep = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);
  const arrays = deep(100_000);
  const objects = deep(40_000, '{"a":', "}").replace("}", "1}");
  const DEEP: Readonly<Record<string, readonly [body: string, field: string]>> = {
    "as the body": [arrays, "/0".repeat(32)],
    "as an unknown field": [`{"x":${arrays}}`, `/x${"/0".repeat(31)}`],
    "as a field": [`{"payment":{"amount":${arrays}}}`, `/payment/amount${"/0".repeat(30)}`],
    "as an item": [`{"paymentMethods":[${arrays}]}`, `/paymentMethods${"/0".repeat(31)}`],
    "objects as a field": [
      `{"payment":{"description":${objects}}}`,
      `/payment/description${"/a".repeat(30)}`,
    ],
    "under a name of the prototype": [`{"__proto__":${arrays}}`, `/__proto__${"/0".repeat(31)}`],
    "in items that would have to be compared": [
      `{"paymentMethods":[${deep(30_000)},${deep(30_000)}]}`,
      `/paymentMethods${"/0".repeat(31)}`,
    ],
  };
  for (const [what, [body, field]] of Object.entries(DEEP)) {
    test(`refuses deep nesting with its place: ${what}`, async () =>
      assertRefused(await post(body), 400, ["V11016", field]));
  }

  test("looks into 32 levels and no deeper", async () => {
    assertRefused(await post(deep(32)), 400, ["V11005", ""]);
    assertRefused(await post(deep(33)), 400, ["V11016", "/0".repeat(32)]);
    const inAccount = `{"allowedOrigins":${deep(32)}}`;
    assertRefused(await gateway.put("/management/account", inAccount), 400, [
      "V11016",
      `/allowedOrigins${"/0".repeat(31)}`,
    ]);
  });

  test("accepts 10,000 values for checking and refuses one more", async () => {
    const methods = (count: number) => `{"paymentMethods":[${Array(count).fill("1").join()}]}`;
    const checked: { id: string }[] = (await post(methods(9_999))).body.result.codes;
    assert.ok(checked.some(({ id }) => id === "V11104"));
    assert.ok(checked.every(({ id }) => id !== "V11017"));
    assertRefused(await post(methods(10_000)), 400, ["V11017", "/paymentMethods"]);
  });

  for (const amount of [
    "1e400",
    "-1e400",
    "1e22",
    "9007199254740993",
    "99999999999999999999999999",
    "100000000000",
    "1.5",
    "0",
    "-1",
    "-0",
    "1e-7",
    '"3000"',
    "null",
    "true",
    "[3000]",
    '{"amount":1}',
  ]) {
    test(`refuses an amount of ${amount}`, async () => {
      const answer = await post(
        `{"payment":{"amount":${amount}},"paymentMethods":["card"],"transactionRequest":{}}`,
      );
      assertRefused(answer, 400, ["V11101", "/payment/amount"]);
    });
  }
  for (const [written, amount] of [
    ["99999999999", 99_999_999_999],
    ["1", 1],
    ["1.0", 1],
    ["3e3", 3000],
  ] as const) {
    test(`reads an amount written ${written} as ${amount}`, async () => {
      const answer = await post(
        `{"payment":{"amount":${written}},"paymentMethods":["card"],"transactionRequest":{}}`,
      );
      assert.equal(answer.body.payment?.amount, amount);
    });
  }

  test("refuses a repeated field with its place, and does nothing", async () => {
    const rest = '"paymentMethods":["card"],"transactionRequest":{}';
    const before = await countRequests();
    const root = await post(`{"payment":{"amount":1},"payment":{"amount":1},${rest}}`);
    assertRefused(root, 400, ["V11018", "/payment"]);
    const inner = await post(`{"payment":{"amount":1,"\\u0061mount":2},${rest}}`);
    assertRefused(inner, 400, ["V11018", "/payment/amount"]);
    assert.equal(await countRequests(), before);
    assert.equal((await post(`{"payment":{"amount":1},${rest}}`)).status, 200);
  });

  test("treats prototype names as unknown fields and pollutes nothing", async () => {
    const body = `{"__proto__":{"polluted":true,"payment":{"amount":1}},"constructor":{"prototype":{"polluted":true}},
      "toString":1,"hasOwnProperty":2,"payment":{"amount":1,"__proto__":{"currencyCode":"NZD"}},
      "paymentMethods":["card"],"transactionRequest":{}}`;
    assertRefused(
      await post(body),
      400,
      ["V11003", "/__proto__"],
      ["V11003", "/constructor"],
      ["V11003", "/toString"],
      ["V11003", "/hasOwnProperty"],
      ["V11003", "/payment/__proto__"],
    );
    assert.equal("polluted" in {}, false);
    const inherited =
      '{"__proto__":{"payment":{"amount":1},"paymentMethods":["card"],"transactionRequest":{}}}';
    const codes = (await post(inherited)).body.result.codes.map((code: { field: string }) => code.field);
    assert.deepEqual(codes.sort(), ["/__proto__", "/payment", "/paymentMethods", "/transactionRequest"]);
  });

  test("returns every problem at once with its field, and repeats no value", async () => {
    const canary = "canary-4929000000006";
    const answer = await post({
      reference: { [canary]: canary },
      payment: { amount: canary, currencyCode: canary, [canary.slice(0, 6)]: canary },
      paymentMethods: [canary],
      transactionRequest: { category: { frequency: canary } },
      customerRequest: { email: canary },
    });
    assertRefused(
      answer,
      400,
      ...([
        ["V10004", "/reference"],
        ["V11003", "/payment/canary"],
        ["V11101", "/payment/amount"],
        ["V11102", "/payment/currencyCode"],
        ["V11104", "/paymentMethods/0"],
        ["V11107", "/transactionRequest/category/frequency"],
        ["V10215", "/customerRequest/email"],
        ["V11031", "/customerRequest/email"],
      ] as const),
    );
    assert.doesNotMatch(JSON.stringify(answer.body), /4929/);
  });

  test("escapes field pointers", async () => {
    assertRefused(await post({ ...CHECKOUT, "a/b~c": 1 }), 400, ["V11003", "/a~1b~0c"]);
  });

  for (const [what, text] of Object.entries({
    "a NUL": "a\u0000b",
    "a line break": "a\nb",
    "a delete character": "a\u007fb",
    "a C1 control character": "a\u0085b",
    "a lone surrogate": "a\ud83db",
  })) {
    test(`refuses ${what} in a text`, async () =>
      assertRefused(await post({ ...CHECKOUT, reference: text }), 400, ["V10004", "/reference"]));
  }

  test("counts lengths in code points", async () => {
    const fits = await post({ ...CHECKOUT, reference: "💸".repeat(64) });
    assert.equal(fits.body.reference, "💸".repeat(64));
    assertRefused(await post({ ...CHECKOUT, reference: "💸".repeat(65) }), 400, ["V10004", "/reference"]);
  });

  test("answers a body full of problems in bounded work and size", async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join();
    const begun = process.cpuUsage();
    const answer = await post(`{${names}}`);
    assert.equal(answer.status, 400);
    assert.ok(answer.body.result.codes.length <= 1_001);
    assert.ok(JSON.stringify(answer.body).length < 256 * 1024);
    const items = Array.from({ length: 60_000 }, () => "{}").join();
    assert.equal((await post(`{"paymentMethods":[${items}]}`)).status, 400);
    assert.equal((await post({ ...CHECKOUT, paymentMethods: Array(50_000).fill("a") })).status, 400);
    const { user, system } = process.cpuUsage(begun);
    assert.ok(user + system < 5_000_000, `${user + system} µs`);
  });
});

describe("contract 2: the size of a body", () => {
  const LIMIT = 256 * 1024;
  const sized = (bytes: number) => {
    const text = JSON.stringify(CHECKOUT);
    return text + " ".repeat(bytes - text.length);
  };

  test("accepts 256 KiB and refuses one byte more with 413", async () => {
    assert.equal((await post(sized(LIMIT))).status, 200);
    const before = await countRequests();
    assertRefused(await post(sized(LIMIT + 1)), 413, "V11001");
    assert.equal(await countRequests(), before);
  });

  test("counts bytes, not characters", async () => {
    assertRefused(await post(JSON.stringify({ x: "é".repeat(LIMIT / 2) })), 413, "V11001");
  });

  test("counts a chunked body as it arrives", async () => {
    const send = async (bytes: number) => {
      const text = sized(bytes);
      const parts = (async function* () {
        for (let at = 0; at < text.length; at += 10_000) yield Buffer.from(text.slice(at, at + 10_000));
      })();
      const response = await fetch(`${gateway.baseUrl.replace("localhost", "127.0.0.1")}/paymentrequests`, {
        method: "POST",
        headers: { "x-api-key": "test_key_of_the_sandbox_merchant", "content-type": "application/json" },
        body: ReadableStream.from(parts),
        duplex: "half",
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    assert.equal((await send(LIMIT)).status, 200);
    assertRefused(await send(LIMIT + 1), 413, "V11001");
  });

  test("refuses a caller without a key before it reads a large body", async () => {
    assertRefused(await gateway.post("/paymentrequests", sized(LIMIT + 1), { key: null }), 401, "V11006");
  });
});

describe("contract 2: the type of a body", () => {
  const body = JSON.stringify(CHECKOUT);
  const typed = (type: string) => post(body, { "content-type": type });

  for (const type of [
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json; charset=utf8",
    "application/json; profile=x",
    "APPLICATION/JSON",
    " application/json ",
  ]) {
    test(`accepts "${type}"`, async () => assert.equal((await typed(type)).status, 200));
  }

  for (const type of [
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json, text/plain",
    "text/plain; application/json",
    "application",
    "*/*",
    "json",
    "",
  ]) {
    test(`refuses "${type}" with 415`, async () => {
      const before = await countRequests();
      assertRefused(await typed(type), 415, "V11002");
      assert.equal(await countRequests(), before);
    });
  }

  for (const charset of ["iso-8859-1", "utf-16", "us-ascii", '"utf-7"', "utf-8; charset=utf-16", ""]) {
    test(`refuses a charset of ${charset} with 415`, async () => {
      const before = await countRequests();
      assertRefused(await typed(`application/json; charset=${charset}`), 415, "V11030");
      assert.equal(await countRequests(), before);
    });
  }

  for (const encoding of [
    "gzip",
    "br",
    "deflate",
    "zstd",
    "nonsense",
    "gzip, identity",
    "identity, identity",
  ]) {
    test(`refuses a body encoded with ${encoding} with 415`, async () => {
      const before = await countRequests();
      assertRefused(await post(body, { "content-encoding": encoding }), 415, "V11019");
      assert.equal(await countRequests(), before);
    });
  }
  for (const encoding of ["identity", "Identity"]) {
    test(`accepts a body encoded with ${encoding}`, async () =>
      assert.equal((await post(body, { "content-encoding": encoding })).status, 200));
  }

  test("refuses a caller without a key before it looks at encodings", async () => {
    const headers = { "content-encoding": "gzip" };
    assertRefused(await gateway.post("/paymentrequests", body, { key: null, headers }), 401, "V11006");
  });

  test("refuses a body without a type with 415", async () => {
    const response = await fetch(`${gateway.baseUrl.replace("localhost", "127.0.0.1")}/paymentrequests`, {
      method: "POST",
      headers: { "x-api-key": "test_key_of_the_sandbox_merchant" },
      body: Buffer.from(body),
    });
    assertRefused(
      { status: response.status, headers: response.headers, body: await response.json() },
      415,
      "V11002",
    );
  });
});

describe("contract 9: a POST that requires no body", () => {
  const cancel = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const { id } = (await post(CHECKOUT)).body;
    return gateway.post(`/paymentrequests/${id}/cancel`, body, { headers });
  };

  test("accepts no body", async () => assert.equal((await cancel(undefined)).status, 200));
  test("accepts no body with a JSON type", async () =>
    assert.equal((await cancel(undefined, { "content-type": "application/json" })).status, 200));
  test("accepts no body with a form type, as some HTTP clients send it", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await cancel(undefined, form)).status, 200);
    assertRefused(await cancel("a=b", form), 415, "V11002");
  });
  test("accepts an empty object", async () => assert.equal((await cancel({})).status, 200));
  test("refuses anything else", async () => {
    assertRefused(await cancel({ reason: "x" }), 400, ["V11003", "/reason"]);
    for (const body of ["[]", "null", "1", '""', "false"]) {
      assertRefused(await cancel(body), 400, ["V11005", ""]);
    }
    assertRefused(await cancel("{"), 400, "V11000");
  });
});
