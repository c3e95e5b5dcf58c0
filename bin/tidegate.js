#!/usr/bin/env node
// Node 24 runs the command itself. With an older one in the PATH, the Node that `npm install` brought along does.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const own = here("node_modules/.bin/node");

if (Number(process.versions.node.split(".")[0]) >= 24) {
  await import("../src/cli/main.ts");
} else if (existsSync(own)) {
  const command = spawn(own, [here("src/cli/main.ts"), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => command.kill(signal));
  command.on("close", (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(
    "tidegate: Node 24 or newer is needed; run `npm install` in the checkout, which brings it along\n",
  );
  process.exit(1);
}
