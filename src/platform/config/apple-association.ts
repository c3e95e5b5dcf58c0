import { readFile } from "node:fs/promises";
import type { Settings } from "./settings.ts";

const texts = new Map<string, string>();

/**
 * The domain association file that Apple gave the operator. It is read at the start and kept: a file that is moved later fails
 * no request.
 * Undefined: the operator has not set up Apple Pay.
 */
export async function readAppleAssociation({
  applePayAssociationFile: path,
}: Pick<Settings, "applePayAssociationFile">): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = texts.get(path) ?? (await readFile(path, "utf8"));
  texts.set(path, text);
  return text;
}
