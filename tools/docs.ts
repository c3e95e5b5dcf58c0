/**
 * Generates the documents whose source is the code: codes, settings, lifecycles, sandbox scenarios, endpoints,
 * the commands' declarations, the schema, and the page of what proofs have on record.
 *
 *   npm run docs                       writes them
 *   npx node tools/docs.ts --check     lists the outdated ones and exits with 1
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { apiPage } from "./docs/api-page.ts";
import { cliDeclarations } from "./docs/cli-declarations.ts";
import { clientApi } from "./docs/client-api.ts";
import { codesPage } from "./docs/codes-page.ts";
import { lifecyclesPage } from "./docs/lifecycles-page.ts";
import { sandboxPage } from "./docs/sandbox-page.ts";
import { schemaDump } from "./docs/schema-dump.ts";
import { scriptsPage } from "./docs/scripts-page.ts";
import { settingsPage } from "./docs/settings-page.ts";
import { pageOnRecord } from "./proof/proof-page.ts";

const root = join(import.meta.dirname, "..");

const DOCUMENTS: readonly { readonly path: string; readonly make: () => string | Promise<string> }[] = [
  { path: "docs/generated/api.md", make: apiPage },
  { path: "docs/generated/codes.md", make: codesPage },
  { path: "docs/generated/lifecycles.md", make: lifecyclesPage },
  { path: "docs/generated/sandbox.md", make: sandboxPage },
  { path: "docs/generated/proof.md", make: pageOnRecord },
  { path: "docs/generated/scripts.md", make: scriptsPage },
  { path: "docs/generated/settings.md", make: settingsPage },
  { path: "src/cli/generated/declarations.ts", make: cliDeclarations },
  { path: "packages/client/src/generated/api.ts", make: clientApi },
  { path: "migrations/schema.sql", make: schemaDump },
];

async function present(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

async function main(check: boolean): Promise<number> {
  let outdated = 0;
  for (const { path, make } of DOCUMENTS) {
    const wanted = await make();
    const file = join(root, path);
    if ((await present(file)) === wanted) continue;
    outdated += 1;
    if (check) {
      console.log(`${path} is out of date`);
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, wanted);
    console.log(`wrote ${path}`);
  }
  if (check && outdated > 0) console.log("run `npm run docs` to update them");
  return check && outdated > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.includes("--check"));
