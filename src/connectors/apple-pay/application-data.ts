import { createHash } from "node:crypto";

/** What ties a token to its payment, as the payer's browser passes it to Apple. */
export function applicationDataOf(purpose: string): string {
  return Buffer.from(purpose, "utf8").toString("base64");
}

export function applicationDigest(purpose: string): Buffer {
  return createHash("sha256").update(purpose).digest();
}
