/** The two parts of `data:<mime>;base64,<data>`, not yet decoded. */
export type DataUri = { readonly mime: string; readonly base64: string };

/** Longer than any media type in use; a regular expression sees no more than this of a long text. */
const HEADER_MAX_LENGTH = 128;

/** Reads the plain form only: a media type without parameters, and base64. */
export function readDataUri(text: string): DataUri | undefined {
  const header = /^data:([^\s,;]+);base64,/i.exec(text.slice(0, HEADER_MAX_LENGTH));
  if (header?.[1] === undefined) return undefined;
  return { mime: header[1].toLowerCase(), base64: text.slice(header[0].length) };
}

/** The number of characters that so many bytes take in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * Strict: the text must be exactly what encoding the bytes returns. `Buffer.from` skips white space, stray bits, missing
 * padding and the URL alphabet, which other decoders may read differently.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}
