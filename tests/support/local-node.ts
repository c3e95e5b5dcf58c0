import { shopOf } from "./checkout.ts";
import type { TestDatabase } from "./database.ts";
import type { RunningNode } from "./fault-run.ts";
import { startTestGateway, type TestOptions } from "./gateway.ts";

/** A node in this process, whose clock and connectors the test controls. */
export async function startLocalNode(
  database: TestDatabase,
  options: Omit<TestOptions, "database"> = {},
): Promise<RunningNode> {
  const gateway = await startTestGateway({
    ...options,
    database,
    environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0", ...options.environment },
  });
  return { shop: shopOf(gateway), kill: gateway.stop };
}
