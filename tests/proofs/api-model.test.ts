import { describe, test } from "node:test";
import fc from "fast-check";
import { cloneDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { aMinutePasses } from "../support/gateway-process.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { COMMANDS } from "./model/commands.ts";
import { emptyModel } from "./model/model.ts";
import { startReal } from "./model/real.ts";

const SEQUENCES = Number(process.env["TIDEGATE_MODEL_SEQUENCES"] ?? sized(1, 60));
const COMMANDS_EACH = sized(70, 150);

const proof = declareProof(
  "random sequences of API calls agree with a model, with kills between and during calls",
  ["I3", "I5", "I6", "I8", "I21"],
);

describe("PROOF: the whole API against a model, with kill -9 between and during calls", () => {
  test(`${SEQUENCES} random sequences agree with the model`, { timeout: 3_600_000 }, async (context) => {
    const totals: Record<string, number> = { sequences: 0 };
    const sequences = fc.commands(COMMANDS, { maxCommands: COMMANDS_EACH, size: "max" });
    const run = fc.asyncProperty(sequences, async (commands) => {
      const database = await cloneDatabase();
      const model = emptyModel();
      const real = await startReal(database);
      try {
        await fc.asyncModelRun(() => ({ model, real }), commands);
      } finally {
        await real.stop();
        for (const [what, count] of Object.entries(model.counts)) totals[what] = (totals[what] ?? 0) + count;
      }
      totals["sequences"] = (totals["sequences"] ?? 0) + 1;
      const survivor = await startTestGateway({
        database,
        environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: "0" },
      });
      try {
        await aMinutePasses(database);
        await eventually(
          "nothing is unsettled",
          async () => (await findUnsettled(database)).length === 0,
          30_000,
        );
        await assertInvariants(database);
      } finally {
        await survivor.stop();
        await database.drop();
      }
    });
    try {
      // A failure prints its seed and its commands. Shrinking would start hundreds of gateways.
      await fc.assert(run, { seed: proofSeed, numRuns: SEQUENCES, endOnFailure: true });
    } finally {
      const { sequences = 0, calls = 0, lists = 0, crashes = 0 } = totals;
      proof.count({ "model sequences": sequences, "model calls": calls + lists, kills: crashes });
      context.diagnostic(JSON.stringify(totals));
    }
  });
});
