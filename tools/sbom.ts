/**
 * The software bill of materials of a release, in CycloneDX 1.6, from the lock file: what users install, with version,
 * licence and hash, and which packages run a script when they are installed. `npm pack` adds it to the package.
 *
 *   npm run --silent sbom > sbom.cdx.json
 */
import { releaseBill } from "./sbom/release-bill.ts";

process.stdout.write(releaseBill());
