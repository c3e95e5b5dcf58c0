/**
 * A dialect is data: how a host writes the message type, the bitmap and each field. The engine knows no field by number.
 */
export type Dialect = {
  readonly name: string;
  /** Bytes between the frame's length and the message type, as hex digits. Those of an answer are skipped. */
  readonly header: string;
  readonly messageType: Digits;
  readonly bitmap: Bytes;
  readonly fields: ReadonlyMap<number, FieldRule>;
};

/** Digits as one ASCII character each, or packed two to a byte. */
export type Digits = "ascii" | "packed";
/** Bytes as two hex digits each, or as they are. */
export type Bytes = "hex" | "raw";

export const FORMATS = ["n", "ans", "z", "x+n", "b"] as const;
/**
 * `n` digits, `ans` printable text, `z` track data (digits and `=` or `D`), `x+n` an amount with `C` or `D` in front, `b`
 * bytes, which a message holds as hex digits.
 */
export type Format = (typeof FORMATS)[number];

export const LENGTHS = ["fixed", "ll", "lll"] as const;
/** `ll` and `lll`: a length of two or three digits stands before the value. */
export type Length = (typeof LENGTHS)[number];

export type FieldRule = {
  readonly format: Format;
  readonly length: Length;
  /** In digits, characters or, for `b`, bytes. The exact length of a fixed field. */
  readonly maximum: number;
  /** Of `n`, `z` and the digits of `x+n`. */
  readonly digits: Digits;
  /** Of `b`. */
  readonly bytes: Bytes;
  readonly prefix: Digits;
  /** Where the half byte that an odd number of packed digits leaves is: a zero before the digits, or after them. */
  readonly pad: "left" | "right";
};

/** A message: its type, and its fields by number. Fixed fields of an answer keep the spaces that fill them. */
export type IsoMessage = { readonly type: string; readonly fields: Fields };
export type Fields = Readonly<Record<number, string>>;

/** The message cannot be written, or the bytes are not a message of the dialect. Its text holds no value of a field. */
export class MessageError extends Error {
  override readonly name = "MessageError";
}
