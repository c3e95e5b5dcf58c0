import { isObject, jsonIn } from "../../kernel/json.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isObject(value) ? value : {};
}

/** A code of Adyen's. Anything longer is none, and could be a card number that was quoted. */
export function codeOf(object: JsonObject, name: string): string | undefined {
  const text = textOf(object, name);
  return text !== undefined && /^\w{1,8}$/.test(text) ? text : undefined;
}

export function objectIn(bytes: Buffer): JsonObject | undefined {
  const value = jsonIn(bytes.toString("utf8"));
  return isObject(value) ? value : undefined;
}

export function base64Of(value: object, form: "base64" | "base64url" = "base64url"): string {
  return Buffer.from(JSON.stringify(value)).toString(form);
}
