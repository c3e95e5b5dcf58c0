import { refuseToken } from "./token-refused.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 64 * 1024;

/**
 * Reads a JSON object without duplicate names. Parsers differ in which of two they use, and the signer may have used the
 * other.
 */
export function readObject(text: string): JsonObject {
  if (text.length > LONGEST_TEXT) refuseToken("unreadable");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseToken("unreadable");
  }
  if (repeatsAName(text)) refuseToken("unreadable");
  return objectOf(value);
}

export function objectOf(value: unknown): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) refuseToken("unreadable");
  return value as JsonObject;
}

export function textIn(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" ? value : refuseToken("unreadable");
}

/** Some encoders write an absent field as `null`. */
export function optionalTextIn(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || value === null ? undefined : textIn(object, name);
}

/** Only the canonical encoding is accepted: the same bytes in another one would look like another token. */
export function base64In(object: JsonObject, name: string): Buffer {
  const text = textIn(object, name);
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : refuseToken("unreadable");
}

export function hexOf(text: string): Buffer {
  const bytes = Buffer.from(text, "hex");
  return bytes.length > 0 && bytes.toString("hex") === text.toLowerCase() ? bytes : refuseToken("unreadable");
}

const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/** Expects valid JSON. */
function repeatsAName(text: string): boolean {
  const names: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    if (token === "{") names.push(new Set());
    else if (token === "}") names.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.length - colon.length)) as string;
      const seen = names.at(-1);
      if (seen?.has(name) === true) return true;
      seen?.add(name);
    }
  }
  return false;
}
