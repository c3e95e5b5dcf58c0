import { refuse } from "../../kernel/refusal.ts";
import { readAppleAssociation } from "../../platform/config/apple-association.ts";
import type { Settings } from "../../platform/config/settings.ts";
import { hashSecret } from "../../platform/crypto/secrets.ts";
import type { Merchant } from "../merchants/index.ts";

/** The path of the file on the merchant's domain. */
export const ASSOCIATION_PATH = "/.well-known/apple-developer-merchantid-domain-association";

/**
 * The text of the file. For live merchants it is the one that Apple gave the operator: Apple fetches it from each domain
 * that the operator adds to the merchant identifier; without it there are no live domains. The sandbox, which Apple does not know, has texts of its own.
 */
export async function associationFor(
  settings: Settings,
  merchant: Pick<Merchant, "id" | "mode">,
): Promise<string> {
  if (merchant.mode === "sandbox") return sandboxText(merchant);
  return (await readAppleAssociation(settings)) ?? refuse("wallet_not_set_up");
}

/** This gateway's name for the merchant, in the format of such files. It is public. */
function sandboxText({ id }: Pick<Merchant, "id">): string {
  const pspId = Buffer.from(hashSecret(`tidegate domain association ${id}`))
    .toString("hex")
    .toUpperCase();
  return Buffer.from(JSON.stringify({ pspId, version: 1 }))
    .toString("hex")
    .toUpperCase();
}
