import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { webps } from "../../../tests/support/sample-logos.ts";
import { isWebp } from "./webp.ts";

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function riff(...chunks: readonly Uint8Array[]): Buffer {
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
}

/** A shown key frame with a first partition of one byte. */
function lossy(width: number, height: number, tag = 0x30): Buffer {
  const data = Buffer.from([tag, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 0]);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return chunk("VP8 ", data);
}

function lossless(width: number, height: number, { signature = 0x2f, version = 0 } = {}): Buffer {
  const data = Buffer.from([signature, 0, 0, 0, 0, 0]);
  data.writeUInt32LE(((version << 29) | ((height - 1) << 14) | (width - 1)) >>> 0, 1);
  return chunk("VP8L", data);
}

function extended(width: number, height: number, length = 10): Buffer {
  const data = Buffer.alloc(10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return chunk("VP8X", data.subarray(0, length));
}

function frame(
  x: number,
  y: number,
  width: number,
  height: number,
  ...chunks: readonly Uint8Array[]
): Buffer {
  const head = Buffer.alloc(16);
  for (const [at, value] of [x / 2, y / 2, width - 1, height - 1].entries())
    head.writeUIntLE(value, at * 3, 3);
  return chunk("ANMF", Buffer.concat([head, ...chunks]));
}

describe("a WebP that browsers show is accepted", () => {
  const good: Record<string, Buffer> = {
    ...webps,
    "lossy, largest size": riff(lossy(4096, 4096)),
    "lossy, with scaling hints in the upper two bits": riff(lossy(0x4000 | 20, 0x8000 | 10)),
    "lossy, the last profile": riff(lossy(1, 1, 0x36)),
    "lossless, largest size": riff(lossless(4096, 4096)),
    "extended, with a colour profile and a remark": riff(
      extended(20, 10),
      chunk("ICCP", Buffer.alloc(3)),
      lossless(20, 10),
      chunk("EXIF", Buffer.alloc(4)),
    ),
    "extended, two frames within the canvas": riff(
      extended(20, 10),
      chunk("ANIM", Buffer.alloc(6)),
      frame(0, 0, 20, 10, lossy(20, 10)),
      frame(10, 4, 10, 6, chunk("ALPH", Buffer.alloc(1)), lossy(10, 6)),
    ),
  };
  for (const [name, bytes] of Object.entries(good)) test(name, () => assert.equal(isWebp(bytes), true));
});

describe("a WebP that lies about itself is refused", () => {
  const longer = Buffer.concat([webps.lossy, Buffer.alloc(2)]);
  const dirtyPadding = Buffer.from(webps.lossless);
  dirtyPadding.writeUInt8(1, dirtyPadding.length - 1);
  const otherContainer = Buffer.from(webps.lossy);
  otherContainer.write("WAVE", 8);
  const bigEndian = Buffer.from(webps.lossy);
  bigEndian.write("RIFX", 0);

  const bad: Record<string, Buffer> = {
    "no bytes": Buffer.alloc(0),
    "a container without chunks": riff(),
    "another container": otherContainer,
    "another byte order": bigEndian,
    "bytes after the container": longer,
    "a padding that is not zero": dirtyPadding,
    "a first chunk of another type": riff(chunk("EXIF", Buffer.alloc(4)), lossy(1, 1)),
    "a second picture beside a plain one": riff(lossy(1, 1), lossy(1, 1)),
    "lossy: another start code": riff(
      chunk("VP8 ", Buffer.from([0x30, 0, 0, 0x9d, 0x01, 0x2b, 1, 0, 1, 0, 0])),
    ),
    "lossy: no key frame": riff(lossy(1, 1, 0x31)),
    "lossy: an unknown profile": riff(lossy(1, 1, 0x38)),
    "lossy: a frame that is not shown": riff(lossy(1, 1, 0x20)),
    "lossy: an empty first partition": riff(lossy(1, 1, 0x10)),
    "lossy: a first partition beyond the chunk": riff(lossy(1, 1, 0x50)),
    "lossy: a head cut short": riff(chunk("VP8 ", Buffer.from([0x30, 0, 0, 0x9d, 0x01, 0x2a]))),
    "lossy: no width": riff(lossy(0, 1)),
    "lossy: 4097 wide": riff(lossy(4097, 1)),
    "lossless: another signature": riff(lossless(1, 1, { signature: 0x2e })),
    "lossless: version 1": riff(lossless(1, 1, { version: 1 })),
    "lossless: 4097 high": riff(lossless(1, 4097)),
    "lossless: a head without pixels": riff(chunk("VP8L", Buffer.from([0x2f, 0, 0, 0, 0]))),
    "extended: a head of 9 bytes": riff(extended(1, 1, 9), lossy(1, 1)),
    "extended: a canvas of 2^24": riff(extended(2 ** 24, 2 ** 24), lossy(1, 1)),
    "extended: no picture": riff(extended(1, 1), chunk("EXIF", Buffer.alloc(2))),
    "extended: a picture that is not the canvas": riff(extended(2, 2), lossy(1, 1)),
    "extended: two pictures": riff(extended(1, 1), lossy(1, 1), lossy(1, 1)),
    "extended: two heads": riff(extended(1, 1), extended(1, 1), lossy(1, 1)),
    "extended: a broken picture": riff(extended(1, 1), lossy(1, 1, 0x31)),
    "animated: a frame outside the canvas": riff(extended(4, 4), frame(2, 0, 4, 4, lossy(4, 4))),
    "animated: a frame below the canvas": riff(extended(4, 4), frame(0, 2, 4, 4, lossy(4, 4))),
    "animated: a frame without picture": riff(extended(1, 1), frame(0, 0, 1, 1)),
    "animated: a frame cut short": riff(extended(1, 1), chunk("ANMF", Buffer.alloc(8))),
    "animated: a chunk beyond its frame": riff(
      extended(1, 1),
      frame(0, 0, 1, 1, lossy(1, 1).subarray(0, 12)),
    ),
    "animated: a picture beside the frames": riff(
      extended(1, 1),
      frame(0, 0, 1, 1, lossy(1, 1)),
      lossy(1, 1),
    ),
  };
  for (const [name, bytes] of Object.entries(bad)) test(name, () => assert.equal(isWebp(bytes), false));

  test("every cut of a good one", () => {
    for (const good of Object.values(webps)) {
      for (let length = 0; length < good.length; length++)
        assert.equal(isWebp(good.subarray(0, length)), false);
    }
  });
});
