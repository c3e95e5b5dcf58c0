import { test } from "node:test";
import { startTestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { proveIsolation } from "../support/webhook-load.ts";

test("I12: bad endpoints of every kind, with 1,000 events each, do not delay healthy ones", async (t) => {
  const gateway = await startTestGateway();
  try {
    const { baseline, underLoad } = await proveIsolation(gateway, { healthy: 200, bad: 1_000 });
    t.diagnostic(`healthy p99: ${baseline} ms alone, ${underLoad} ms with bad endpoints`);
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
  }
});
