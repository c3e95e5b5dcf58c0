import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  idat,
  PNG_END,
  type PngSpec,
  png,
  pngChunk,
  pngHeader,
  smallPng,
} from "../../../tests/support/sample-logos.ts";
import { isPng } from "./png.ts";

const pixel = idat(Buffer.alloc(2));
const palette = (colours: number) => pngChunk("PLTE", Buffer.alloc(colours * 3));
const picture = (spec: PngSpec, unpackedBytes: number) =>
  png(pngHeader(spec), idat(Buffer.alloc(unpackedBytes)), PNG_END);

describe("a PNG that browsers show is accepted", () => {
  const good: Record<string, Buffer> = {
    "one grey pixel": smallPng,
    "1 bit grey, 9 wide: two bytes a row": picture({ width: 9, height: 3, depth: 1 }, 3 * 3),
    "16 bit grey": picture({ depth: 16 }, 3),
    "8 bit RGB": picture({ width: 2, height: 2, colour: 2 }, 2 * 7),
    "16 bit RGB with alpha": picture({ colour: 6, depth: 16 }, 9),
    "grey with alpha": picture({ colour: 4 }, 3),
    "a palette": png(pngHeader({ colour: 3, depth: 2 }), palette(4), pixel, PNG_END),
    "a palette of one colour": png(pngHeader({ colour: 3, depth: 1 }), palette(1), pixel, PNG_END),
    "the fifth filter": png(pngHeader(), idat(Buffer.from([4, 0])), PNG_END),
    "a suggested palette for RGB": png(
      pngHeader({ colour: 2 }),
      palette(256),
      idat(Buffer.alloc(4)),
      PNG_END,
    ),
    "interlaced, one pixel: one walk of seven": picture({ interlace: 1 }, 2),
    "interlaced 8 by 8": picture({ width: 8, height: 8, interlace: 1 }, 64 + 15),
    "interlaced 5 by 3, 1 bit: seven rows, none of them in the third walk": picture(
      { width: 5, height: 3, depth: 1, interlace: 1 },
      7 * 2,
    ),
    "remarks before, between and after": png(
      pngHeader(),
      pngChunk("tEXt", Buffer.from("Author\0Tide")),
      pixel,
      pngChunk("tIME", Buffer.alloc(7)),
      PNG_END,
    ),
    "the largest side": picture({ width: 4096, depth: 1 }, 513),
    "4096 by 4096 of one colour, 1 bit": picture({ width: 4096, height: 4096, depth: 1 }, 4096 * 513),
  };
  for (const [name, bytes] of Object.entries(good)) test(name, () => assert.equal(isPng(bytes), true));

  test("the pixels in several IDAT chunks, one of them empty", () => {
    const packed = idat(Buffer.alloc(2)).subarray(8, -4);
    const split = [packed.subarray(0, 3), Buffer.alloc(0), packed.subarray(3)];
    assert.equal(isPng(png(pngHeader(), ...split.map((part) => pngChunk("IDAT", part)), PNG_END)), true);
  });
});

describe("a PNG that lies about itself is refused", () => {
  const brokenCrc = Buffer.from(smallPng);
  brokenCrc.writeUInt8(brokenCrc.readUInt8(29) ^ 1, 29);
  const hugeLength = Buffer.from(smallPng);
  hugeLength.writeUInt32BE(0xffffffff, 33);
  const longHeader = Buffer.concat([pngHeader().subarray(8, -4), Buffer.alloc(1)]);
  const badFilter = Buffer.from([0, 7, 5, 7]);

  const bad: Record<string, Buffer> = {
    "no bytes": Buffer.alloc(0),
    "the signature alone": png(),
    "another signature": Buffer.concat([Buffer.from("GIF89a\0\0"), smallPng.subarray(8)]),
    "a header that is not the first chunk": png(pngChunk("tEXt"), pngHeader(), pixel, PNG_END),
    "a header of 12 bytes": png(pngChunk("IHDR", Buffer.alloc(12, 1)), pixel, PNG_END),
    "a header of 14 bytes": png(pngChunk("IHDR", longHeader), pixel, PNG_END),
    "two headers": png(pngHeader(), pngHeader(), pixel, PNG_END),
    "no width": picture({ width: 0 }, 1),
    "no height": picture({ height: 0 }, 0),
    "a side of 4097": picture({ width: 4097, depth: 1 }, 514),
    "a height of 4097": picture({ height: 4097, depth: 1 }, 4097 * 2),
    "a width of 2^32 - 1": picture({ width: 0xffffffff }, 2),
    "3 bits": picture({ depth: 3 }, 2),
    "4 bit RGB": picture({ depth: 4, colour: 2 }, 3),
    "16 bit palette": png(pngHeader({ colour: 3, depth: 16 }), palette(1), idat(Buffer.alloc(3)), PNG_END),
    "colour type 5": picture({ colour: 5 }, 2),
    "an unknown compression": picture({ compression: 1 }, 2),
    "an unknown filter method": picture({ filter: 1 }, 2),
    "an unknown interlace": picture({ interlace: 2 }, 2),
    "no palette where colours need one": png(pngHeader({ colour: 3 }), pixel, PNG_END),
    "a palette after the pixels": png(pngHeader({ colour: 3 }), pixel, palette(1), PNG_END),
    "two palettes": png(pngHeader({ colour: 3 }), palette(1), palette(1), pixel, PNG_END),
    "a palette of more colours than the bits can say": png(
      pngHeader({ colour: 3, depth: 1 }),
      palette(3),
      pixel,
      PNG_END,
    ),
    "an empty palette": png(pngHeader({ colour: 3 }), palette(0), pixel, PNG_END),
    "a palette cut within a colour": png(
      pngHeader({ colour: 3 }),
      pngChunk("PLTE", Buffer.alloc(4)),
      pixel,
      PNG_END,
    ),
    "a palette for grey": png(pngHeader(), palette(1), pixel, PNG_END),
    "no pixels": png(pngHeader(), PNG_END),
    "pixels in two runs": png(pngHeader(), pixel, pngChunk("tEXt"), pngChunk("IDAT"), PNG_END),
    "an unknown critical chunk": png(pngHeader(), pngChunk("EVIL"), pixel, PNG_END),
    "a chunk type that is not four letters": png(pngHeader(), pngChunk("a<b>"), pixel, PNG_END),
    "no end": png(pngHeader(), pixel),
    "an end with content": png(pngHeader(), pixel, pngChunk("IEND", Buffer.alloc(1))),
    "a script after the end": png(pngHeader(), pixel, PNG_END, Buffer.from("<script>alert(1)</script>")),
    "a chunk after the end": png(pngHeader(), pixel, PNG_END, pngChunk("tEXt")),
    "a broken checksum": brokenCrc,
    "a chunk length beyond the file": hugeLength,
    "pixels that are no zlib stream": png(pngHeader(), pngChunk("IDAT", Buffer.from("pixels")), PNG_END),
    "pixels cut short": png(pngHeader(), pngChunk("IDAT", pixel.subarray(8, -8)), PNG_END),
    "a pixel too few": picture({ width: 2 }, 2),
    "a pixel too many": picture({ width: 2 }, 4),
    "interlaced pixels counted as plain": picture({ width: 8, height: 8, interlace: 1 }, 72),
    "a sixth filter on the second row": png(pngHeader({ height: 2 }), idat(badFilter), PNG_END),
  };
  for (const [name, bytes] of Object.entries(bad)) test(name, () => assert.equal(isPng(bytes), false));

  test("every cut of a good one", () => {
    for (let length = 0; length < smallPng.length; length++) {
      assert.equal(isPng(smallPng.subarray(0, length)), false);
    }
  });

  test("every single changed byte of a good one", () => {
    for (let at = 0; at < smallPng.length; at++) {
      const changed = Buffer.from(smallPng);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
      assert.equal(isPng(changed), false);
    }
  });
});

describe("a decompression bomb is refused", () => {
  const bomb = idat(Buffer.alloc(9_000_000));

  for (const [name, spec] of Object.entries({
    "more bytes than one pixel": { width: 1, height: 1 },
    "a picture of 128 MB": { width: 4096, height: 4096, colour: 6, depth: 16 },
  })) {
    test(name, () => {
      const bytes = png(pngHeader(spec), bomb, PNG_END);
      assert.ok(bytes.length < 10_240);
      assert.equal(isPng(bytes), false);
    });
  }

  test("the twin whose header tells the truth is accepted", () => {
    assert.equal(isPng(png(pngHeader({ width: 2999, height: 3000 }), bomb, PNG_END)), true);
  });
});
