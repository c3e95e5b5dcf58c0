/**
 * Builds the payment provider for Medusa 2: JavaScript modules and CommonJS, each with its types.
 *
 *   npm run build:medusa        into packages/medusa/dist; `npm pack` runs it automatically
 */
import { join } from "node:path";
import { ensureClientBuilt } from "./build-client.ts";
import { compilePackage } from "./compile-package.ts";

const root = join(import.meta.dirname, "..");

export function buildMedusa(into = join(root, "packages/medusa/dist")): void {
  // The provider's types refer to the client's, which are read from its build.
  ensureClientBuilt();
  compilePackage({ folder: "packages/medusa", into, target: "node20" });
}

if (process.argv[1] === import.meta.filename) buildMedusa();
