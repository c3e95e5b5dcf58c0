/**
 * Runs suites against distributed databases on a Citus cluster, two of its servers beside the coordinator:
 *
 *   TIDEGATE_TEST_CITUS_URL=postgres://…/postgres npm run citus
 *   TIDEGATE_TEST_CITUS_URL=postgres://…/postgres npm run citus -- tests/spec/payid/transfers.test.ts
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

/** They examine plans or pages of one server, or start servers of their own. */
const OF_ONE_SERVER = [
  "tests/spec/command-line/doctor.test.ts",
  "tests/spec/customers/list-plans.test.ts",
  "tests/spec/guides/",
  "tests/spec/metadata/list-costs.test.ts",
  "tests/spec/payment-requests/list-plans.test.ts",
];

/** The cluster itself, and two nodes on one database, with webhooks. */
const TWO_NODES = [
  "tests/faults/citus.test.ts",
  "tests/faults/distribute.test.ts",
  "tests/faults/distributed-statements.test.ts",
  "tests/faults/jobs.test.ts",
  "tests/faults/webhook-crashes.test.ts",
];

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
