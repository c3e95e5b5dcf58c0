import { test } from "node:test";
import { startTestGateway } from "../support/gateway.ts";
import { assertInvariants } from "../support/invariants.ts";
import { declareProof, sized } from "../support/proof.ts";
import { proveIsolation } from "../support/webhook-load.ts";

const SIZES = { healthy: sized(50, 200), bad: sized(200, 1_000) };

const proof = declareProof("bad endpoints of every kind beside healthy ones", ["I12"]);

test(`I12: bad endpoints of every kind, with ${SIZES.bad} events each, do not delay healthy ones`, async () => {
  const gateway = await startTestGateway();
  try {
    const { baseline, underLoad } = await proveIsolation(gateway, SIZES);
    proof.count({ "healthy events": SIZES.healthy * 6, "events at each bad endpoint": SIZES.bad });
    proof.most({ "healthy p99 ms alone": baseline, "healthy p99 ms beside bad endpoints": underLoad });
    await assertInvariants(gateway.database);
  } finally {
    await gateway.stop();
  }
});
