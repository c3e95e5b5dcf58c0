import { type Dialect, type Fields, type IsoMessage, MessageError } from "./dialect.ts";
import {
  createReader,
  decodeDigits,
  decodeField,
  encodeDigits,
  encodeField,
  type Reader,
} from "./field-codec.ts";

/** Bytes of one bitmap; the first bit of the first one says that a second follows. */
const BITMAP_BYTES = 8;
const HIGHEST_FIELD = 128;

/** Writes a message in a dialect, without its frame. */
export function encodeMessage(dialect: Dialect, { type, fields }: IsoMessage): Buffer {
  if (!/^[0-9]{4}$/.test(type)) throw new MessageError("a message type has four digits");
  const numbers = Object.keys(fields).map(Number);
  const highest = Math.max(0, ...numbers);
  const bitmap = Buffer.alloc(highest > 64 ? 2 * BITMAP_BYTES : BITMAP_BYTES);
  if (highest > 64) setBit(bitmap, 1);
  const parts: Buffer[] = [];
  // Integer keys of an object come in ascending order, which is the order of a message.
  for (const [key, value] of Object.entries(fields) as readonly (readonly [string, string])[]) {
    const field = Number(key);
    const rule = dialect.fields.get(field);
    if (rule === undefined) throw new MessageError(`field ${field} is not in the dialect ${dialect.name}`);
    setBit(bitmap, field);
    parts.push(encodeField(rule, value, `field ${field}`));
  }
  const hex = bitmap.toString("hex").toUpperCase();
  return Buffer.concat([
    Buffer.from(dialect.header, "hex"),
    encodeDigits(type, dialect.messageType, "left"),
    dialect.bitmap === "hex" ? Buffer.from(hex, "latin1") : bitmap,
    ...parts,
  ]);
}

/** Reads one whole message. Bytes that are missing, left over or not of the field's format are a MessageError. */
export function decodeMessage(dialect: Dialect, bytes: Buffer): IsoMessage {
  const reader = createReader(bytes);
  reader.take(dialect.header.length / 2, "the header");
  const type = decodeDigits(
    reader,
    { count: 4, encoding: dialect.messageType, pad: "left" },
    "the message type",
  );
  if (!/^[0-9]{4}$/.test(type)) throw new MessageError("the message type is not four digits");
  const fields: Record<number, string> = {};
  for (const field of readBitmaps(dialect, reader)) {
    const rule = dialect.fields.get(field);
    if (rule === undefined) throw new MessageError(`field ${field} is not in the dialect ${dialect.name}`);
    fields[field] = decodeField(rule, reader, `field ${field}`);
  }
  if (reader.left() > 0) throw new MessageError(`${reader.left()} bytes follow the last field`);
  return { type, fields: fields satisfies Fields };
}

function readBitmaps(dialect: Dialect, reader: Reader): readonly number[] {
  const first = readBitmap(dialect, reader);
  const bitmap = hasBit(first, 1) ? Buffer.concat([first, readBitmap(dialect, reader)]) : first;
  const fields: number[] = [];
  for (let field = 2; field <= Math.min(bitmap.length * 8, HIGHEST_FIELD); field += 1) {
    if (hasBit(bitmap, field)) fields.push(field);
  }
  return fields;
}

function readBitmap(dialect: Dialect, reader: Reader): Buffer {
  if (dialect.bitmap === "raw") return Buffer.from(reader.take(BITMAP_BYTES, "the bitmap"));
  const hex = reader.take(2 * BITMAP_BYTES, "the bitmap").toString("latin1");
  if (!/^[0-9A-Fa-f]*$/.test(hex)) throw new MessageError("the bitmap is not in hex digits");
  return Buffer.from(hex, "hex");
}

function setBit(bitmap: Buffer, bit: number): void {
  const index = (bit - 1) >> 3;
  bitmap.writeUInt8(bitmap.readUInt8(index) | (0x80 >> ((bit - 1) & 7)), index);
}

function hasBit(bitmap: Buffer, bit: number): boolean {
  return (bitmap.readUInt8((bit - 1) >> 3) & (0x80 >> ((bit - 1) & 7))) !== 0;
}
