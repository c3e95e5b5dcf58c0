import type { JsonObject } from "./exchange.ts";

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
