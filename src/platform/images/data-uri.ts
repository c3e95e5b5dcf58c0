/** The text of `data:<mime>;base64,<data>`, taken apart but not yet decoded. */
export type DataUri = { readonly mime: string; readonly base64: string };

/** No media type that we know is longer, so a megabyte of text costs no more to look at than this. */
const HEADER_MAX_LENGTH = 128;

/** Only the plain form: a media type without parameters, and base64. Undefined for any other text. */
export function readDataUri(text: string): DataUri | undefined {
  const header = /^data:([^\s,;]+);base64,/i.exec(text.slice(0, HEADER_MAX_LENGTH));
  if (header?.[1] === undefined) return undefined;
  return { mime: header[1].toLowerCase(), base64: text.slice(header[0].length) };
}

/** How many characters it takes to write so many bytes in base64. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/**
 * Strict: the text has to be the one that encoding the bytes gives. `Buffer.from` passes over white space, stray
 * bits, missing padding and the URL alphabet, and another decoder may read these differently from us.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : undefined;
}
