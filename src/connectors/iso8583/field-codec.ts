import { type Digits, type FieldRule, type Format, MessageError } from "./dialect.ts";

const SHAPES: Readonly<Record<Format, { readonly pattern: RegExp; readonly words: string }>> = {
  n: { pattern: /^[0-9]*$/, words: "digits only" },
  // Latin 1 without control characters: what a terminal prints.
  ans: { pattern: /^[\u0020-\u007e\u00a0-\u00ff]*$/, words: "printable characters only" },
  z: { pattern: /^[0-9=D]*$/, words: "digits and a separator only" },
  "x+n": { pattern: /^[CD][0-9]+$/, words: "C or D and digits" },
  b: { pattern: /^(?:[0-9A-F]{2})*$/, words: "pairs of hex digits" },
};

/** Writes one field. `name` says in errors which one it is. */
export function encodeField(rule: FieldRule, value: string, name: string): Buffer {
  const text = fill(rule, value);
  const { pattern, words } = SHAPES[rule.format];
  if (!pattern.test(text)) throw new MessageError(`${name} holds ${words}`);
  const units = rule.format === "b" ? text.length / 2 : text.length;
  if (units > rule.maximum || (rule.length === "fixed" && units !== rule.maximum)) {
    throw new MessageError(`${name} has the length ${units}: ${allowedLength(rule)}`);
  }
  const body = encodeValue(rule, text);
  if (rule.length === "fixed") return body;
  const prefix = encodeDigits(String(units).padStart(rule.length.length, "0"), rule.prefix, "left");
  return Buffer.concat([prefix, body]);
}

/** A shorter value of a fixed field: zeros before digits, spaces after text. */
function fill({ format, length, maximum }: FieldRule, value: string): string {
  if (length !== "fixed") return value;
  if (format === "n") return value.padStart(maximum, "0");
  return format === "ans" ? value.padEnd(maximum, " ") : value;
}

function encodeValue(rule: FieldRule, text: string): Buffer {
  if (rule.format === "ans") return Buffer.from(text, "latin1");
  if (rule.format === "b") return Buffer.from(text, rule.bytes === "hex" ? "latin1" : "hex");
  if (rule.format === "x+n") {
    return Buffer.concat([
      Buffer.from(text.slice(0, 1), "latin1"),
      encodeDigits(text.slice(1), rule.digits, rule.pad),
    ]);
  }
  return encodeDigits(text, rule.digits, rule.pad);
}

export function encodeDigits(digits: string, encoding: Digits, pad: "left" | "right"): Buffer {
  if (encoding === "ascii") return Buffer.from(digits, "latin1");
  const even = digits.length % 2 === 0 ? digits : pad === "left" ? `0${digits}` : `${digits}0`;
  return Buffer.from(even.replaceAll("=", "D"), "hex");
}

/** Reads bytes from the front of a message; a missing byte is an error that says what was being read. */
export type Reader = {
  readonly take: (length: number, name: string) => Buffer;
  readonly left: () => number;
};

export function createReader(bytes: Buffer): Reader {
  let at = 0;
  return {
    take: (length, name) => {
      if (at + length > bytes.length) {
        throw new MessageError(
          `the message ends in ${name}: ${length} bytes expected, ${bytes.length - at} left`,
        );
      }
      at += length;
      return bytes.subarray(at - length, at);
    },
    left: () => bytes.length - at,
  };
}

export function decodeField(rule: FieldRule, reader: Reader, name: string): string {
  const units = rule.length === "fixed" ? rule.maximum : decodeLength(rule, reader, name);
  if (units > rule.maximum) {
    throw new MessageError(`${name} has the length ${units}: ${allowedLength(rule)}`);
  }
  const text = decodeValue(rule, units, reader, name);
  const { pattern, words } = SHAPES[rule.format];
  if (!pattern.test(text)) throw new MessageError(`${name} holds ${words}`);
  return text;
}

function decodeLength(rule: FieldRule, reader: Reader, name: string): number {
  const prefix = `the length of ${name}`;
  const digits = decodeDigits(
    reader,
    { count: rule.length.length, encoding: rule.prefix, pad: "left" },
    prefix,
  );
  if (!SHAPES.n.pattern.test(digits)) throw new MessageError(`${prefix} is not a number`);
  return Number(digits);
}

function decodeValue(rule: FieldRule, units: number, reader: Reader, name: string): string {
  const { format, digits: encoding, pad } = rule;
  if (format === "ans") return reader.take(units, name).toString("latin1");
  if (format === "b") {
    if (rule.bytes === "raw") return reader.take(units, name).toString("hex").toUpperCase();
    return reader
      .take(units * 2, name)
      .toString("latin1")
      .toUpperCase();
  }
  if (format === "x+n") {
    const sign = reader.take(1, name).toString("latin1");
    return sign + decodeDigits(reader, { count: units - 1, encoding, pad }, name);
  }
  return decodeDigits(reader, { count: units, encoding, pad }, name);
}

type DigitRun = { readonly count: number; readonly encoding: Digits; readonly pad: "left" | "right" };

/** The half byte that fills an odd run may be any digit or `F`: hosts differ, and it carries nothing. */
export function decodeDigits(reader: Reader, { count, encoding, pad }: DigitRun, name: string): string {
  if (encoding === "ascii") return reader.take(count, name).toString("latin1");
  const digits = reader
    .take(Math.ceil(count / 2), name)
    .toString("hex")
    .toUpperCase();
  if (count % 2 === 0) return digits;
  return pad === "left" ? digits.slice(1) : digits.slice(0, -1);
}

function allowedLength({ length, maximum }: FieldRule): string {
  return length === "fixed" ? `it must be ${maximum}` : `at most ${maximum} is allowed`;
}
