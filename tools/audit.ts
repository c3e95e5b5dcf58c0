/** Compares the packages that users install with the registry's list of known weaknesses; CI runs it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { judgeAudit } from "./sbom/judge-audit.ts";

const WITHIN_MS = 20_000;

const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", "--fetch-retries=0"], {
  cwd: join(import.meta.dirname, ".."),
  encoding: "utf8",
  timeout: WITHIN_MS,
});
const { passed, words } = judgeAudit(stdout ?? "");
console.log(words);
if (!passed) console.log("`npm audit --omit=dev` lists them.");
process.exitCode = passed ? 0 : 1;
