/**
 * The software bill of materials of a release, in CycloneDX 1.6, from the lock file: what users install, with version,
 * licence and hash, and which packages run a script when they are installed.
 *
 *   npm run --silent sbom > sbom.cdx.json
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { billOfMaterials, type LockFile } from "./sbom/bill-of-materials.ts";

const root = join(import.meta.dirname, "..");
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
console.log(JSON.stringify(billOfMaterials(lock), null, 2));
