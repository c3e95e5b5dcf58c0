import { readJson } from "../../kernel/json.ts";
import { refuseToken } from "./token-refused.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 64 * 1024;

/** Parsers differ in which of two fields with one name they use, and the signer may have used the other: refused. */
export function readObject(text: string): JsonObject {
  if (text.length > LONGEST_TEXT) refuseToken("unreadable");
  const read = readJson(text);
  return read.problem === undefined ? objectOf(read.value) : refuseToken("unreadable");
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
