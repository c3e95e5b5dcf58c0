import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Merchant } from "../merchants/index.ts";

/** The path of the file on the merchant's domain. */
export const ASSOCIATION_PATH = "/.well-known/apple-developer-merchantid-domain-association";

/**
 * The text of the file: this gateway's name for the merchant, in the format of such files. It is public; its presence on
 * a domain proves that the domain's owner accepts this merchant there.
 */
export function associationText({ id }: Pick<Merchant, "id">): string {
  const pspId = Buffer.from(hashSecret(`tidegate domain association ${id}`))
    .toString("hex")
    .toUpperCase();
  return Buffer.from(JSON.stringify({ pspId, version: 1 }))
    .toString("hex")
    .toUpperCase();
}
