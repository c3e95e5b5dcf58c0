#!/usr/bin/env node
import { existsSync } from "node:fs";
import { launch } from "./launch.js";

// A checkout runs its sources, even if it contains a build; an installed package has only the build.
const isCheckout = existsSync(new URL("../src/cli/main.ts", import.meta.url));
await launch(isCheckout ? "src/cli/main.ts" : "dist/src/cli/main.js", process.argv.slice(2));
