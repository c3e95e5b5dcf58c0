import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { blocksOf } from "../../../tests/support/guide-blocks.ts";
import { checkDialect, openDialect } from "./dialect-file.ts";
import { checkSettings } from "./settings.ts";

const SMALLEST = {
  host: "127.0.0.1",
  port: 5000,
  dialect: "iso87-ascii",
  acquirerId: "123456",
  merchantId: "MERCHANT0000001",
  terminalId: "TERM0001",
  merchantCategoryCode: "5999",
  nameLocation: "Shop Sydney AU",
};

const problemsOf = (settings: unknown) => {
  const checked = checkSettings(settings);
  return "problems" in checked ? checked.problems : [];
};

describe("settings of an ISO 8583 account", () => {
  test("have defaults for everything that the host does not prescribe", () => {
    assert.deepEqual(checkSettings(SMALLEST), {
      settings: {
        ...SMALLEST,
        tls: null,
        framing: "binary2",
        signOn: true,
        echoSeconds: 60,
        responseSeconds: 15,
        maximumInFlight: 64,
      },
    });
  });

  test("that are missing, wrong or unknown are one line each", () => {
    const { host: _, ...rest } = SMALLEST;
    assert.deepEqual(problemsOf({ ...rest, port: "5000", merchantCategoryCode: "59", colour: "red" }), [
      "colour is not a setting of the connector iso8583",
      "host is missing",
      "port must be a whole number from 1 to 65535",
      "merchantCategoryCode must be 4 digits",
    ]);
    assert.deepEqual(problemsOf([]), ["settings must be a JSON object"]);
    assert.deepEqual(problemsOf(null), ["settings must be a JSON object"]);
  });

  const limits: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
    ["port", [1, 65_535], [0, 65_536, 1.5]],
    ["responseSeconds", [1, 120], [0, 121]],
    ["echoSeconds", [1, 3_600], [0, 3_601]],
    ["maximumInFlight", [1, 1_000], [0, 1_001, "64"]],
    ["framing", ["binary2", "ascii4"], ["binary4", 2]],
    ["acquirerId", ["1", "12345678901"], ["", "123456789012", "12a"]],
    ["terminalId", ["T", "TERM0001"], ["", "TERM00012", "TÉ"]],
    ["merchantId", ["M", "123456789012345"], ["", "1234567890123456"]],
    ["merchantCategoryCode", ["5999"], ["599", "59990", 5999]],
    ["nameLocation", ["x", "x".repeat(40)], ["", "x".repeat(41), "a\nb"]],
    ["signOn", [true, false], ["true", 1]],
    [
      "tls",
      [{}, { caFile: "/ca" }, { certFile: "/c", keyFile: "/k" }],
      [{ certFile: "/c" }, { ca: "/c" }, true],
    ],
  ];
  for (const [key, good, bad] of limits) {
    test(`accept ${key} up to its limits and refuse it beyond them`, () => {
      for (const value of good)
        assert.deepEqual(problemsOf({ ...SMALLEST, [key]: value }), [], String(value));
      for (const value of bad) {
        const problems = problemsOf({ ...SMALLEST, [key]: value });
        assert.equal(problems.length, 1, String(value));
        assert.ok(problems[0]?.startsWith(`${key} `));
      }
    });
  }
});

describe("the guide's examples", () => {
  test("are settings and a dialect that the gateway accepts", async () => {
    const blocks = await blocksOf("docs/guides/iso8583.md");
    const [settings, dialect, ...others] = blocks.map(({ text }) => JSON.parse(text) as unknown);
    assert.deepEqual(others, []);
    assert.deepEqual(problemsOf(settings), []);
    assert.ok("dialect" in checkDialect(dialect));
  });
});

describe("a dialect of the operator's own", () => {
  test("names its base and what differs", () => {
    const checked = checkDialect({
      name: "bank",
      base: "iso87-ascii",
      bitmap: "raw",
      fields: {
        41: { maximum: 16 },
        63: null,
        62: { format: "b", length: "lll", maximum: 255, bytes: "raw" },
      },
    });
    assert.ok("dialect" in checked);
    const { dialect } = checked;
    assert.equal(dialect.bitmap, "raw");
    assert.equal(dialect.fields.get(41)?.maximum, 16);
    assert.equal(dialect.fields.get(41)?.format, "ans");
    assert.equal(dialect.fields.has(63), false);
    assert.equal(dialect.fields.get(62)?.bytes, "raw");
  });

  test("is refused with one line for each problem", () => {
    const checked = checkDialect({
      name: "iso87-ascii",
      base: "iso93",
      header: "6",
      messageType: "ebcdic",
      colour: "red",
    });
    assert.deepEqual(checked, {
      problems: [
        "colour is not a setting",
        "base must be one of iso87-ascii, iso87-binary",
        "name must be of its own: 1 to 40 lower-case letters, digits and hyphens",
        "header must be hex digits of at most 64 bytes",
        "messageType must be one of ascii, packed",
      ],
    });
    const fields = { 1: {}, 129: {}, x: {}, 4: null, 55: { format: "q", maximum: 0, size: 3 }, 56: 3 };
    assert.deepEqual(checkDialect({ name: "bank", base: "iso87-ascii", fields }), {
      problems: [
        "fields.1 is not a field: 2 to 128",
        "fields.55.size is not a setting",
        "fields.55.format must be one of n, ans, z, x+n, b",
        "fields.55.maximum must be a whole number from 1 to 999",
        "fields.56 must be a rule, or null to remove it".replace("remove it", "remove the field"),
        "fields.129 is not a field: 2 to 128",
        "fields.x is not a field: 2 to 128",
        "the connector needs field 4",
      ],
    });
  });

  test("that is nested too deeply, or has a name twice, is refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tidegate-dialect-"));
    for (const [text, words] of [
      [`{"fields":${"[".repeat(40)}${"]".repeat(40)}}`, /is nested deeper than 32 levels/],
      ['{"name":"a","name":"b"}', /has a name twice at \/name/],
    ] as const) {
      const file = join(folder, "bank.json");
      await writeFile(file, text);
      const opened = await openDialect(file);
      assert.ok("problems" in opened);
      assert.match(opened.problems.join(), words);
    }
    await rm(folder, { recursive: true });
  });

  test("that is no file is refused", async () => {
    const opened = await openDialect("/nowhere/bank.json");
    assert.ok("problems" in opened);
    assert.match(opened.problems.join(), /cannot be read \(ENOENT\).*iso87-ascii, iso87-binary/);
  });
});
