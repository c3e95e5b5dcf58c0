import { createPublicKey } from "node:crypto";
import { readJson } from "../../kernel/json.ts";
import { instant } from "../../kernel/time.ts";
import { isP256 } from "../wallet-tokens/curve.ts";
import { ECV2, type GoogleRootKey } from "./ecv2.ts";

/** Google's published list of root signing keys. Throws an error for the operator when the text is not such a list. */
export function readRootKeys(text: string): readonly GoogleRootKey[] {
  const keys = listOf(text).filter((key) => field(key, "protocolVersion") === ECV2);
  if (keys.length === 0) throw new Error("holds no key for ECv2");
  return keys.map((key) => {
    const expiration = field(key, "keyExpiration");
    if (!/^\d{1,15}$/.test(expiration)) throw new Error("holds a key without an expiry");
    return { key: keyOf(field(key, "keyValue")), expiresAt: instant(Number(expiration)) };
  });
}

function listOf(text: string): readonly unknown[] {
  const { value, problem } = readJson(text);
  if (problem !== undefined) throw new Error("is no JSON");
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  if (!Array.isArray(keys)) throw new Error("is no list of keys");
  return keys;
}

function field(key: unknown, name: string): string {
  const value = typeof key === "object" && key !== null ? (key as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}

function keyOf(base64: string) {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    if (isP256(key)) return key;
  } catch {
    // Reported below.
  }
  throw new Error("holds a key that can't be read");
}
