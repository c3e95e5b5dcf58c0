#!/usr/bin/env node
// Node 24 runs the command itself. With an older one in the PATH, the Node that `npm install` brought along does.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// A checkout runs its sources, also where something was packed once; a package has only what was built of them.
const isCheckout = existsSync(here("src/cli/main.ts"));
const program = here(isCheckout ? "src/cli/main.ts" : "dist/src/cli/main.js");
// npm puts it below this package, or beside it into the project that installed it.
const own = [here("node_modules/.bin/node"), here("../.bin/node")].find((path) => existsSync(path));

if (Number(process.versions.node.split(".")[0]) >= 24) {
  await (isCheckout ? import("../src/cli/main.ts") : import(pathToFileURL(program).href));
} else if (own !== undefined) {
  const command = spawn(own, [program, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => command.kill(signal));
  command.on("close", (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(
    `tidegate: this is Node ${process.versions.node}, and 24 or newer is needed. On Linux \`npm install\` brings it along; elsewhere install it.\n`,
  );
  process.exit(1);
}
