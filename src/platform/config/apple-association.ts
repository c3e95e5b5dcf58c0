import { readFile } from "node:fs/promises";
import type { Settings } from "./settings.ts";

/** The domain association file that Apple gave the operator. Undefined: the operator has not set up Apple Pay. */
export async function readAppleAssociation({
  applePayAssociationFile,
}: Pick<Settings, "applePayAssociationFile">): Promise<string | undefined> {
  return applePayAssociationFile && readFile(applePayAssociationFile, "utf8");
}
