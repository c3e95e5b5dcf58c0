import { createHash } from "node:crypto";
import { jsonIn } from "../../kernel/json.ts";
import type { AuthenticationData } from "../ports/three-d-secure.ts";

/** The version of EMV 3DS that the sandbox bank speaks. */
export const PROTOCOL_VERSION = "2.2.0";

/** A message that a browser carries: JSON in base64url, as `threeDSMethodData`, `creq` and `cres` are. */
export function encodeMessage(fields: Readonly<Record<string, string>>): string {
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

/** The text fields of such a message; none when it is malformed. */
export function decodeMessage(text: string): Readonly<Record<string, string | undefined>> {
  const fields = jsonIn(Buffer.from(text, "base64url").toString());
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

/** An id of the protocol for our reference: always the same one, so that a repeated call gets the same answer. */
export function transactionIdFor(reference: string, whose: "server" | "directory"): string {
  const hex = digest(`${whose} ${reference}`).toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}

type Status = AuthenticationData["status"];

const OTHER_ECI = { Y: "05", A: "06", U: "07", N: "07", R: "07" } as const;
const MASTERCARD_ECI = { Y: "02", A: "01", U: "00", N: "00", R: "00" } as const;

/** The bank's answer with its indicator. Only a payment that goes on has a cryptogram. */
export function authenticationData(
  reference: string,
  cardNumber: string,
  status: Status,
): AuthenticationData {
  const known = {
    status,
    dsTransactionId: transactionIdFor(reference, "directory"),
    version: PROTOCOL_VERSION,
  };
  const eci = (/^[25]/.test(cardNumber) ? MASTERCARD_ECI : OTHER_ECI)[status];
  if (status !== "Y" && status !== "A") return { ...known, eci };
  const cavv = digest(`cavv ${reference} ${status}`).subarray(0, 20).toString("base64");
  return { ...known, eci, cavv };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
