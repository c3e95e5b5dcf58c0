import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  dataUri,
  idat,
  PNG_END,
  png,
  pngChunk,
  pngHeader,
  smallPng,
  svg,
  webps,
} from "../../../tests/support/sample-logos.ts";
import { inspectLogo, LOGO_MAX_BYTES, type LogoProblem } from "./inspect-logo.ts";

const drawing = svg(`<rect width="4" height="4"/>`);
const pngUri = dataUri("image/png", smallPng);
const problems: readonly (LogoProblem | undefined)[] = [
  undefined,
  "not_data_uri",
  "type_unsupported",
  "too_large",
  "bytes_invalid",
  "svg_unsafe",
];

describe("spec 2.4: a logo is `data:<mime>;base64,<data>`", () => {
  for (const text of [
    "",
    "data:",
    "logo.png",
    "https://shop.example/logo.png",
    "data:image/png,abc",
    "data:image/png;base64",
    "data:;base64,AAAA",
    "data:image/png;charset=utf-8;base64,AAAA",
    ` ${pngUri}`,
    `data:${"x".repeat(1000)};base64,AAAA`,
  ]) {
    test(`${JSON.stringify(text.slice(0, 50))} is not a data URI`, () => {
      assert.equal(inspectLogo(text), "not_data_uri");
    });
  }

  test("scheme, type and `base64` are accepted in any case", () => {
    assert.equal(inspectLogo(pngUri.replace("data:image/png;base64", "DATA:Image/PNG;BASE64")), undefined);
  });
});

describe("spec 2.4: PNG, SVG or WebP", () => {
  test("each of the three is accepted", () => {
    assert.equal(inspectLogo(pngUri), undefined);
    assert.equal(inspectLogo(dataUri("image/webp", webps.lossy)), undefined);
    assert.equal(inspectLogo(dataUri("image/svg+xml", drawing)), undefined);
  });

  for (const mime of [
    "image/jpeg",
    "image/gif",
    "image/svg",
    "text/html",
    "image/png2",
    "__proto__",
    "constructor",
  ]) {
    test(`${mime} is refused with any bytes`, () => {
      assert.equal(inspectLogo(dataUri(mime, smallPng)), "type_unsupported");
    });
  }

  const contents = {
    "image/png": smallPng,
    "image/webp": webps.lossless,
    "image/svg+xml": Buffer.from(drawing),
  };
  for (const [declared, own] of Object.entries(contents)) {
    for (const [actual, bytes] of Object.entries(contents)) {
      const expected = bytes === own ? undefined : "bytes_invalid";
      test(`declared ${declared}, actual ${actual}: ${expected ?? "accepted"}`, () => {
        assert.equal(inspectLogo(dataUri(declared, bytes)), expected);
      });
    }
  }
});

describe("spec 2.4: only canonical base64 is accepted", () => {
  const base64 = smallPng.toString("base64");
  const spellings: Record<string, string> = {
    "no characters": "",
    "white space": `${base64.slice(0, 8)}\n${base64.slice(8)}`,
    "a blank at the end": `${base64} `,
    "missing padding": base64.replace(/=+$/, ""),
    "too much padding": `${base64}=`,
    "text after the padding": `${base64}AAAA`,
    "the URL alphabet": "-_-_",
    "stray bits": "iVBORx==",
    "a percent escape": `${base64.slice(0, -1)}%3D`,
    "characters outside the alphabet": "!!!!",
  };
  for (const [spelling, text] of Object.entries(spellings)) {
    test(`${spelling} is refused`, () => {
      assert.equal(inspectLogo(`data:image/png;base64,${text}`), "bytes_invalid");
    });
  }
  test("the canonical twin is accepted, and it ends in padding, which the cases above change", () => {
    assert.match(base64, /=$/);
    assert.equal(inspectLogo(`data:image/png;base64,${base64}`), undefined);
  });
});

describe("spec 2.4: max 10 KB decoded, which is 10,240 bytes", () => {
  const sized = {
    "image/png": (length: number) => {
      const bare = png(pngHeader(), pngChunk("teXt"), idat(Buffer.alloc(2)), PNG_END).length;
      return png(pngHeader(), pngChunk("teXt", Buffer.alloc(length - bare)), idat(Buffer.alloc(2)), PNG_END);
    },
    "image/svg+xml": (length: number) => Buffer.from(drawing.padEnd(length, "\n")),
  };
  for (const [mime, ofSize] of Object.entries(sized)) {
    test(`${mime} of 10,240 bytes is accepted, of 10,241 is too large`, () => {
      assert.equal(ofSize(LOGO_MAX_BYTES).length, 10_240);
      assert.equal(inspectLogo(dataUri(mime, ofSize(10_240))), undefined);
      assert.equal(inspectLogo(dataUri(mime, ofSize(10_241))), "too_large");
      assert.equal(inspectLogo(dataUri(mime, ofSize(10_242))), "too_large");
      assert.equal(inspectLogo(dataUri(mime, ofSize(10_243))), "too_large");
    });
  }

  test("the length is checked before decoding: a long text that is not base64 is too large", () => {
    const { length } = Buffer.alloc(LOGO_MAX_BYTES).toString("base64");
    assert.equal(inspectLogo(`data:image/png;base64,${"!".repeat(length)}`), "bytes_invalid");
    assert.equal(inspectLogo(`data:image/png;base64,${"!".repeat(length + 1)}`), "too_large");
    assert.equal(inspectLogo(`data:image/png;base64,${"!".repeat(16_000_000)}`), "too_large");
  });
});

describe("inspection never throws", () => {
  const mime = fc.constantFrom("image/png", "image/webp", "image/svg+xml");
  const isAnswer = (text: string) => problems.includes(inspectLogo(text));

  test("any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), isAnswer), { numRuns: 1000 });
    fc.assert(
      fc.property(mime, fc.string(), (type, text) => isAnswer(`data:${type};base64,${text}`)),
      { numRuns: 1000 },
    );
  });

  test("any bytes under each type are refused", () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(mime, bytes, (type, data) => inspectLogo(dataUri(type, data)) !== undefined),
      { numRuns: 2000 },
    );
  });

  test("a good picture with some bytes changed", () => {
    const pictures = [smallPng, ...Object.values(webps), Buffer.from(drawing)];
    const changes = fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const run = fc.property(
      mime,
      fc.constantFrom(...pictures),
      changes,
      fc.nat(120),
      (type, good, edits, cut) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        return isAnswer(dataUri(type, bytes)) && isAnswer(dataUri(type, bytes.subarray(0, cut)));
      },
    );
    fc.assert(run, { numRuns: 2000 });
  });

  test("an SVG of shuffled markup", () => {
    const scraps = [
      `<`,
      `>`,
      `/`,
      `!`,
      `?`,
      `<svg xmlns="http://www.w3.org/2000/svg">`,
      `</svg>`,
      `<g>`,
      `</g>`,
      `<style>`,
    ];
    scraps.push(
      `</style>`,
      `<![CDATA[`,
      `]]>`,
      `<!--`,
      `-->`,
      `<!DOCTYPE svg [`,
      `]`,
      `&#x41;`,
      `&a;`,
      `"`,
      `'`,
      `=`,
      ` `,
    );
    scraps.push(
      `<?xml version="1.0"?>`,
      `<?`,
      `?>`,
      `\r`,
      `\n`,
      `\0`,
      `\uFEFF`,
      `\u{1F600}`,
      `a`,
      `url(#a)`,
      `/*`,
      `*/`,
      `\\`,
    );
    const text = fc.array(fc.constantFrom(...scraps), { maxLength: 40 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (body) => isAnswer(dataUri("image/svg+xml", body))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(text, (body) => isAnswer(dataUri("image/svg+xml", svg(body)))),
      { numRuns: 2000 },
    );
  });
});

describe("no logo is expensive to inspect", () => {
  const bytesLeft = LOGO_MAX_BYTES - 200;
  const costly: Record<string, string> = {
    "comments that never close": `<style>${"/*".repeat(bytesLeft / 2)}</style>`,
    "one long word": `<g style="${"a".repeat(bytesLeft)}"/>`,
    "blanks after url(": `<g style="url(${" ".repeat(bytesLeft)}"/>`,
    "many url(": `<g style="${"url(".repeat(bytesLeft / 4)}"/>`,
    "a picture of blanks": `<image href="data:image/png;base64,${" ".repeat(bytesLeft)}!"/>`,
    "many attributes": `<g ${Array.from({ length: 1000 }, (_, index) => `a${index}=""`).join(" ")}/>`,
    "many elements": "<g/>".repeat(bytesLeft / 4),
    "many namespaces": `<g ${Array.from({ length: 500 }, (_, index) => `xmlns:a${index}="b"`).join(" ")}/>`,
  };
  for (const [name, body] of Object.entries(costly)) {
    test(`an SVG of ${name} is inspected within 250 ms of CPU time`, () => {
      const uri = dataUri("image/svg+xml", svg(body));
      const before = process.cpuUsage();
      const problem = inspectLogo(uri);
      const { user, system } = process.cpuUsage(before); // Microseconds of CPU time: a busy machine does not fail this.
      assert.ok(problems.includes(problem) && problem !== "too_large");
      assert.ok(user + system < 250_000);
    });
  }
});
