import { crc32, inflateSync } from "node:zlib";
import { isSaneSize } from "./pixels.ts";

type Chunk = { readonly type: string; readonly data: Buffer };
type Header = {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
};
/** One walk over the picture: the whole of it, or one of the seven walks of an interlaced picture. */
type Pass = { readonly rows: number; readonly rowBytes: number };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHUNK_OVERHEAD = 12;
/** Deflate can't do better than 1032 to 1, so a picture that would need more than this is not in these bytes. */
const DEFLATE_MAX_RATIO = 1032;
const COLOUR_TYPES: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> =
  new Map([
    [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { channels: 3, depths: [8, 16] }],
    [3, { channels: 1, depths: [1, 2, 4, 8] }],
    [4, { channels: 2, depths: [8, 16] }],
    [6, { channels: 4, depths: [8, 16] }],
  ]);
const PALETTE_COLOUR = 3;
const GREY_COLOURS: readonly number[] = [0, 4];
/** Adam7: where each walk begins and how far it steps, as x, y, dx, dy. */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Whether these bytes are one whole PNG picture of a sane size, whose pixels really unpack. */
export function isPng(bytes: Buffer): boolean {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks?.[0]);
  if (chunks === undefined || header === undefined || !isWellOrdered(chunks, header)) return false;
  const idat = chunks.filter((chunk) => chunk.type === "IDAT").map((chunk) => chunk.data);
  return doesUnpack(Buffer.concat(idat), passesOf(header));
}

function readChunks(bytes: Buffer): readonly Chunk[] | undefined {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < bytes.length; ) {
    if (bytes.length - at < CHUNK_OVERHEAD) return undefined;
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) return undefined;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined;
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function readHeader(chunk: Chunk | undefined): Header | undefined {
  if (chunk?.type !== "IHDR" || chunk.data.length !== 13) return undefined;
  const [bitDepth = 0, colourType = 0, compression, filter, interlace] = chunk.data.subarray(8);
  const width = chunk.data.readUInt32BE(0);
  const height = chunk.data.readUInt32BE(4);
  if (!isSaneSize(width, height) || compression !== 0 || filter !== 0) return undefined;
  if (interlace !== 0 && interlace !== 1) return undefined;
  if (COLOUR_TYPES.get(colourType)?.depths.includes(bitDepth) !== true) return undefined;
  return { width, height, bitDepth, colourType, interlaced: interlace === 1 };
}

/** IHDR, at most one PLTE, the IDATs in one run, IEND, with only ancillary (small first letter) chunks between. */
function isWellOrdered(chunks: readonly Chunk[], header: Header): boolean {
  const order = chunks.map((chunk) => (/^[a-z]/.test(chunk.type) ? "-" : `${chunk.type} `)).join("");
  if (!/^IHDR -*(?:PLTE -*)?(?:IDAT )+-*IEND $/.test(order)) return false;
  if (chunks.at(-1)?.data.length !== 0) return false;
  const palette = chunks.find((chunk) => chunk.type === "PLTE");
  if (palette === undefined) return header.colourType !== PALETTE_COLOUR;
  if (GREY_COLOURS.includes(header.colourType)) return false;
  const colours = palette.data.length / 3;
  const most = header.colourType === PALETTE_COLOUR ? 2 ** header.bitDepth : 256;
  return Number.isInteger(colours) && colours >= 1 && colours <= most;
}

function passesOf(header: Header): readonly Pass[] {
  const channels = COLOUR_TYPES.get(header.colourType)?.channels ?? 0;
  const walks = header.interlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  return walks
    .map(([x, y, dx, dy]) => ({
      columns: Math.ceil((header.width - x) / dx),
      rows: Math.ceil((header.height - y) / dy),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map(({ columns, rows }) => ({
      rows,
      rowBytes: 1 + Math.ceil((columns * channels * header.bitDepth) / 8),
    }));
}

/** Exactly the expected number of bytes, and every row begins with one of the five filters. */
function doesUnpack(packed: Buffer, passes: readonly Pass[]): boolean {
  const expected = passes.reduce((sum, pass) => sum + pass.rows * pass.rowBytes, 0);
  if (expected > packed.length * DEFLATE_MAX_RATIO) return false;
  const pixels = inflate(packed, expected);
  if (pixels?.length !== expected) return false;
  let at = 0;
  for (const { rows, rowBytes } of passes) {
    for (let row = 0; row < rows; row++, at += rowBytes) {
      if ((pixels[at] ?? 255) > 4) return false;
    }
  }
  return true;
}

function inflate(packed: Buffer, maxOutputLength: number): Buffer | undefined {
  try {
    return inflateSync(packed, { maxOutputLength });
  } catch {
    return undefined; // Not a zlib stream, one that is cut short, or one that holds more than the picture.
  }
}
