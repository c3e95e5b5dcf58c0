/**
 * Runs suites against distributed databases on a Citus cluster, two of its servers beside the coordinator:
 *
 *   TIDEGATE_TEST_CITUS_URL=postgres://…/postgres npm run citus
 *   TIDEGATE_TEST_CITUS_URL=postgres://…/postgres npm run citus -- tests/spec/payid/transfers.test.ts
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { OF_ONE_SERVER, TWO_NODES } from "./citus/suites.ts";

if (process.env["TIDEGATE_TEST_CITUS_URL"] === undefined) {
  console.log("skipped: TIDEGATE_TEST_CITUS_URL names no Citus cluster");
  process.exit(0);
}
const chosen = process.argv.slice(2);
const suites = globSync("tests/spec/**/*.test.ts")
  .filter((file) => !OF_ONE_SERVER.some((one) => file.startsWith(one)))
  .sort();
const files = chosen.length > 0 ? chosen : [...suites, ...TWO_NODES];
const { status } = spawnSync(process.execPath, ["tools/test.ts", ...files], { stdio: "inherit" });
process.exit(status ?? 1);
