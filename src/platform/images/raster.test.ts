import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { idat, PNG_END, png, pngHeader, smallPng, webps } from "../../../tests/support/sample-logos.ts";
import { isPng, isWebp } from "./raster.ts";

type Size = readonly [width: number, height: number];

const LIMITS: readonly Size[] = [
  [1, 1],
  [4096, 1],
  [1, 4096],
  [4096, 4096],
];
const BEYOND: readonly Size[] = [
  [4097, 1],
  [1, 4097],
  [16_383, 16_383],
];

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function riff(...chunks: readonly Uint8Array[]): Buffer {
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

function lossy(width: number, height: number, startCode = 0x9d012a): Buffer {
  const data = Buffer.from([0x30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  data.writeUIntBE(startCode, 3, 3);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return riff(chunk("VP8 ", data));
}

function lossless(width: number, height: number, signature = 0x2f): Buffer {
  const data = Buffer.from([signature, 0, 0, 0, 0, 0]);
  data.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  return riff(chunk("VP8L", data));
}

function extended(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riff(chunk("VP8X", data), chunk("VP8L", Buffer.from([0x2f, 0, 0, 0, 0, 0])));
}

function sizedPng(width: number, height: number): Buffer {
  return png(pngHeader({ width, height, depth: 1 }), idat(Buffer.alloc(2)), PNG_END);
}

function edited(good: Buffer, at: number, text: string): Buffer {
  const bytes = Buffer.from(good);
  bytes.write(text, at, "latin1");
  return bytes;
}

const kinds = {
  PNG: { isKind: isPng, sized: sizedPng },
  "lossy WebP": { isKind: isWebp, sized: (width: number, height: number) => lossy(width, height) },
  "lossless WebP": { isKind: isWebp, sized: (width: number, height: number) => lossless(width, height) },
  "extended WebP": { isKind: isWebp, sized: extended },
};
for (const [name, { isKind, sized }] of Object.entries(kinds)) {
  describe(`a ${name} has sides of 1 to 4096 pixels`, () => {
    for (const [width, height] of LIMITS) {
      test(`accepts ${width} by ${height}`, () => assert.equal(isKind(sized(width, height)), true));
    }
    for (const [width, height] of BEYOND) {
      test(`refuses ${width} by ${height}`, () => assert.equal(isKind(sized(width, height)), false));
    }
  });
}

describe("a side of 0 pixels is refused where the format can express it", () => {
  for (const [width, height] of [
    [0, 1],
    [1, 0],
  ] as const) {
    test(`PNG of ${width} by ${height}`, () => assert.equal(isPng(sizedPng(width, height)), false));
    test(`lossy WebP of ${width} by ${height}`, () => assert.equal(isWebp(lossy(width, height)), false));
  }
});

describe("the largest sides that a format can express are refused", () => {
  test("PNG of 2^32 - 1", () => assert.equal(isPng(sizedPng(0xffffffff, 0xffffffff)), false));
  test("extended WebP of 2^24", () => assert.equal(isWebp(extended(2 ** 24, 2 ** 24)), false));
});

describe("the header decides, not the pixels", () => {
  test("lossy WebP: the two bits above each side are a scaling hint", () => {
    assert.equal(isWebp(lossy(0x4000 | 20, 0x8000 | 10)), true);
  });

  for (const [name, bytes] of Object.entries(webps)) {
    test(`a ${name} WebP by libwebp is accepted`, () => assert.equal(isWebp(bytes), true));
  }
});

describe("bytes that are not of the type are refused", () => {
  const other: Record<string, boolean> = {
    "PNG: no bytes": isPng(Buffer.alloc(0)),
    "PNG: the signature of GIF": isPng(edited(smallPng, 0, "GIF89a")),
    "PNG: a first chunk that is not the header": isPng(edited(smallPng, 12, "tEXt")),
    "PNG: no end": isPng(png(pngHeader(), idat(Buffer.alloc(2)))),
    "PNG: a script after the end": isPng(Buffer.concat([smallPng, Buffer.from("<script>alert(1)</script>")])),
    "WebP: no bytes": isWebp(Buffer.alloc(0)),
    "WebP: a container without chunks": isWebp(riff()),
    "WebP: another container": isWebp(edited(webps.lossy, 8, "WAVE")),
    "WebP: another byte order": isWebp(edited(webps.lossy, 0, "RIFX")),
    "WebP: a first chunk of another type": isWebp(edited(webps.lossy, 12, "EXIF")),
    "WebP: a script after the end": isWebp(
      Buffer.concat([webps.lossy, Buffer.from("<script>alert(1)</script>")]),
    ),
    "lossy WebP: another start code": isWebp(lossy(1, 1, 0x9d012b)),
    "lossy WebP: a header cut short": isWebp(riff(chunk("VP8 ", Buffer.alloc(8)))),
    "lossless WebP: another signature": isWebp(lossless(1, 1, 0x2e)),
    "lossless WebP: a header cut short": isWebp(riff(chunk("VP8L", Buffer.from([0x2f])))),
    "extended WebP: a header cut short": isWebp(riff(chunk("VP8X", Buffer.alloc(8)))),
  };
  for (const [name, accepted] of Object.entries(other)) test(name, () => assert.equal(accepted, false));

  test("every cut of a good PNG and WebP", () => {
    for (let length = 0; length < smallPng.length; length++) {
      assert.equal(isPng(smallPng.subarray(0, length)), false);
    }
    for (const good of Object.values(webps)) {
      for (let length = 0; length < good.length; length++) {
        assert.equal(isWebp(good.subarray(0, length)), false);
      }
    }
  });
});
