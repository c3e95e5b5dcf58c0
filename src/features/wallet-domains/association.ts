import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Merchant } from "../merchants/index.ts";

/** Where the file has to be, on the merchant's own domain. */
export const ASSOCIATION_PATH = "/.well-known/apple-developer-merchantid-domain-association";

/**
 * What has to stand in it: this gateway's name for the merchant, in the form of such files. It is no secret; that it
 * stands on a domain shows that whoever runs the domain wants this merchant there.
 */
export function associationText({ id }: Pick<Merchant, "id">): string {
  const pspId = Buffer.from(hashSecret(`tidegate domain association ${id}`))
    .toString("hex")
    .toUpperCase();
  return Buffer.from(JSON.stringify({ pspId, version: 1 }))
    .toString("hex")
    .toUpperCase();
}
