import { isSaneSize } from "./pixels.ts";

type Chunk = { readonly type: string; readonly data: Buffer };
type Size = { readonly width: number; readonly height: number };

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const FRAME_HEADER = 16;

/**
 * Whether these bytes are one whole WebP picture of a sane size. The container and the head of each bitstream are read;
 * the pixels are not decoded, because Node has no decoder and the payer's browser guards its own.
 */
export function isWebp(bytes: Buffer): boolean {
  if (bytes.length < RIFF_HEADER || bytes.toString("latin1", 0, 4) !== "RIFF") return false;
  if (bytes.readUInt32LE(4) !== bytes.length - 8 || bytes.toString("latin1", 8, 12) !== "WEBP") return false;
  const chunks = readChunks(bytes.subarray(RIFF_HEADER));
  const first = chunks?.[0];
  if (chunks === undefined || first === undefined) return false;
  if (first.type === "VP8X") return isExtended(first.data, chunks.slice(1));
  return chunks.length === 1 && bitstreamSize(first) !== undefined;
}

/** Chunks one after another, each padded with a zero to an even length, up to the very end. */
function readChunks(bytes: Buffer): readonly Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < CHUNK_HEADER) return undefined;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + CHUNK_HEADER + length;
    const padding = length % 2;
    if (end + padding > bytes.length || (padding === 1 && bytes[end] !== 0)) return undefined;
    chunks.push({ type: bytes.toString("latin1", at, at + 4), data: bytes.subarray(at + CHUNK_HEADER, end) });
    at = end + padding;
  }
  return chunks;
}

/** A VP8X header, then either one picture that fills the canvas or frames that lie within it. */
function isExtended(header: Buffer, chunks: readonly Chunk[]): boolean {
  if (header.length !== 10) return false;
  const canvas = { width: header.readUIntLE(4, 3) + 1, height: header.readUIntLE(7, 3) + 1 };
  if (!isSaneSize(canvas.width, canvas.height)) return false;
  if (chunks.some((chunk) => chunk.type === "VP8X")) return false;
  const frames = chunks.filter((chunk) => chunk.type === "ANMF");
  if (frames.length === 0) return isPicture(chunks, canvas);
  return !chunks.some(isBitstream) && frames.every((frame) => isFrame(frame.data, canvas));
}

function isFrame(data: Buffer, canvas: Size): boolean {
  if (data.length < FRAME_HEADER) return false;
  const size = { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 };
  if (data.readUIntLE(0, 3) * 2 + size.width > canvas.width) return false;
  if (data.readUIntLE(3, 3) * 2 + size.height > canvas.height) return false;
  const chunks = readChunks(data.subarray(FRAME_HEADER));
  return chunks !== undefined && isPicture(chunks, size);
}

function isPicture(chunks: readonly Chunk[], expected: Size): boolean {
  const [bitstream, ...more] = chunks.filter(isBitstream);
  if (bitstream === undefined || more.length > 0) return false;
  const size = bitstreamSize(bitstream);
  return size?.width === expected.width && size.height === expected.height;
}

function isBitstream(chunk: Chunk): boolean {
  return chunk.type === "VP8 " || chunk.type === "VP8L";
}

function bitstreamSize(chunk: Chunk): Size | undefined {
  const size = chunk.type === "VP8 " ? lossySize(chunk.data) : losslessSize(chunk);
  return size !== undefined && isSaneSize(size.width, size.height) ? size : undefined;
}

/** RFC 6386, 9.1: a shown key frame, its start code, its size in 14 bits each, and room for its first partition. */
function lossySize(data: Buffer): Size | undefined {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  const tag = data.readUIntLE(0, 3);
  const isKeyFrame = (tag & 1) === 0;
  const profile = (tag >> 1) & 7;
  const isShown = ((tag >> 4) & 1) === 1;
  const partition = tag >> 5;
  if (!isKeyFrame || profile > 3 || !isShown || partition === 0 || partition > data.length - 10)
    return undefined;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** RFC 9649, 3.4: the signature 0x2f, both sides less one in 14 bits each, an alpha hint, and version 0. */
function losslessSize({ type, data }: Chunk): Size | undefined {
  if (type !== "VP8L" || data.length < 6 || data[0] !== 0x2f) return undefined;
  const bits = data.readUInt32LE(1);
  if (bits >>> 29 !== 0) return undefined;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
