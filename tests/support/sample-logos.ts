import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import { inspectLogo, type LogoProblem } from "../../src/platform/images/inspect-logo.ts";

/** Logos for tests, built byte by byte where the bytes matter. */
export function dataUri(mime: string, bytes: Uint8Array | string): string {
  return `data:${mime};base64,${Buffer.from(bytes).toString("base64")}`;
}

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

type PngSpec = {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
};

export function pngHeader(spec: PngSpec = {}): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(spec.width ?? 1, 0);
  data.writeUInt32BE(spec.height ?? 1, 4);
  data.writeUInt8(spec.depth ?? 8, 8); // The rest stays 0: grey, not interlaced.
  return pngChunk("IHDR", data);
}

const PNG_SIGNATURE: Buffer = Buffer.from("89504e470d0a1a0a", "hex");
export const PNG_END: Buffer = pngChunk("IEND");

export function idat(unpacked: Uint8Array): Buffer {
  return pngChunk("IDAT", deflateSync(unpacked));
}

export function png(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

/** A grey picture of one pixel: a filter byte and a sample. */
export const smallPng: Buffer = png(pngHeader(), idat(Buffer.alloc(2)), PNG_END);

/** Pictures of one pixel by libwebp, which sites use to detect what a browser supports. */
export const webps = {
  lossy: Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  lossless: Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64"),
  alpha: Buffer.from(
    "UklGRkoAAABXRUJQVlA4WAoAAAAQAAAAAAAAAAAAQUxQSAwAAAARBxAR/Q9ERP8DAABWUDggGAAAABQBAJ0BKgEAAQAAAP4AAA3AAP7mtQAAAA==",
    "base64",
  ),
  animated: Buffer.from(
    "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAAAAAAAAAQU5JTQYAAAD/////AABBTk1GJgAAAAAAAAAAAAAAAAAAAGQAAABWUDhMDQAAAC8AAAAQBxAREYiI/gcA",
    "base64",
  ),
} as const;

/** A document: `text` as it is when it has a root, and inside a root otherwise. */
export function svg(text: string): string {
  if (/<(?:\w+:)?(?:svg|html)\b/i.test(text)) return text;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${text}</svg>`;
}

export function inspectSvgText(text: string): LogoProblem | undefined {
  return inspectLogo(dataUri("image/svg+xml", svg(text)));
}

/** The hostile text, its harmless twin (as similar as possible), and the problem when it is not `svg_unsafe`. */
export type Twins = readonly [
  rule: string,
  hostile: string,
  harmless: string | undefined,
  problem?: LogoProblem,
];

/** The accepted twin shows that the hostile text is refused for its rule and for no other reason. */
export function testTwins(twins: readonly Twins[]): void {
  for (const [rule, hostile, harmless, problem = "svg_unsafe"] of twins) {
    test(`${rule}: refused as ${problem}`, () => assert.equal(inspectSvgText(hostile), problem));
    if (harmless !== undefined) {
      test(`${rule}: the harmless twin is accepted`, () => assert.equal(inspectSvgText(harmless), undefined));
    }
  }
}
