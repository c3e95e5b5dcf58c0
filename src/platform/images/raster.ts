/** Bounds the memory that a browser needs to show a logo: 64 MB at most. Real logos are a few hundred pixels wide. */
const SIDE_MAX_PIXELS = 4096;

/** The signature, then the length and the type of the header chunk, which always comes first. */
const PNG_START = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
/** The end chunk is empty, so its bytes, checksum included, are always these. */
const PNG_END = Buffer.from("0000000049454e44ae426082", "hex");
const PNG_MIN_BYTES = 45;

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;

/**
 * Whether the bytes are a PNG from start to end, with sides of 1 to 4096 pixels. The pixels are not decoded: a damaged
 * picture harms only the page of the merchant that sent it.
 */
export function isPng(bytes: Buffer): boolean {
  if (bytes.length < PNG_MIN_BYTES) return false;
  if (!bytes.subarray(0, PNG_START.length).equals(PNG_START)) return false;
  if (!bytes.subarray(-PNG_END.length).equals(PNG_END)) return false;
  return isSaneSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** The same for WebP: the container is as long as it declares, and its first chunk has the size of the picture. */
export function isWebp(bytes: Buffer): boolean {
  if (bytes.length < RIFF_HEADER + CHUNK_HEADER) return false;
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return false;
  if (bytes.readUInt32LE(4) !== bytes.length - CHUNK_HEADER) return false;
  const type = bytes.toString("latin1", RIFF_HEADER, RIFF_HEADER + 4);
  const data = bytes.subarray(RIFF_HEADER + CHUNK_HEADER);
  if (type === "VP8 ") return isLossy(data);
  if (type === "VP8L") return isLossless(data);
  return type === "VP8X" && isExtended(data);
}

/** RFC 6386, 9.1: after the frame tag a start code, then each side in 14 bits. */
function isLossy(data: Buffer): boolean {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return false;
  return isSaneSize(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff);
}

/** RFC 9649, 3.4: the signature 0x2f, then each side less one in 14 bits. */
function isLossless(data: Buffer): boolean {
  if (data.length < 5 || data[0] !== 0x2f) return false;
  const bits = data.readUInt32LE(1);
  return isSaneSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** RFC 9649, 2.7: with alpha or animation, the canvas; each side less one in 24 bits. */
function isExtended(data: Buffer): boolean {
  return data.length >= 10 && isSaneSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
}

function isSaneSize(width: number, height: number): boolean {
  return width >= 1 && width <= SIDE_MAX_PIXELS && height >= 1 && height <= SIDE_MAX_PIXELS;
}
