import { readFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials, type LockFile } from "./bill-of-materials.ts";

/** The bill of materials of this checkout, as text. */
export function releaseBill(): string {
  const lock = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
  return `${JSON.stringify(billOfMaterials(JSON.parse(lock) as LockFile), null, 2)}\n`;
}
