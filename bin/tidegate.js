#!/usr/bin/env node
// Node 24 runs the command directly. An older Node in the PATH starts the one that `npm install` has installed.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// A checkout runs its sources, even if it contains a build; an installed package has only the build.
const isCheckout = existsSync(here("src/cli/main.ts"));
const program = here(isCheckout ? "src/cli/main.ts" : "dist/src/cli/main.js");
// npm installs it below this package, or beside it in the project that depends on it.
const own = [here("node_modules/.bin/node"), here("../.bin/node")].find((path) => existsSync(path));

if (Number(process.versions.node.split(".")[0]) >= 24) {
  await (isCheckout ? import("../src/cli/main.ts") : import(pathToFileURL(program).href));
} else if (own !== undefined) {
  const command = spawn(own, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => command.kill(signal));
  command.on("close", (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(
    `tidegate: Node 24 or newer is needed, but this is Node ${process.versions.node}. On Linux \`npm install\` includes it; elsewhere install it first.\n`,
  );
  process.exit(1);
}
