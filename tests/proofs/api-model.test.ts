import { describe, test } from "node:test";
import fc from "fast-check";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { startTestGateway } from "../support/gateway.ts";
import { aMinutePasses } from "../support/gateway-process.ts";
import { assertInvariants, findUnsettled } from "../support/invariants.ts";
import { declareProof, proofSeed, sizedBy } from "../support/proof.ts";
import type { Command } from "./model/command.ts";
import { COMMANDS } from "./model/commands.ts";
import { count, emptyModel, type Model } from "./model/model.ts";
import { type Real, startReal } from "./model/real.ts";
import { settle } from "./model/settle.ts";

const SEQUENCES = sizedBy("TIDEGATE_MODEL_SEQUENCES", 1, 60);
const COMMANDS_EACH = 500;
/** Each sequence has a database of its own, and waits much of its time: for starts, and for the work of jobs. */
const AT_ONCE = 3;
/** How many of the last commands a failure shows. */
const SHOWN = 40;

const proof = declareProof(
  "random sequences of API calls agree with a model, with kills between and during calls",
  ["I3", "I5", "I6", "I8", "I21", "I22"],
);

/** Runs the commands that fit the model's state; a failure names the last of them. */
async function runSequence(commands: readonly Command[], model: Model, real: Real): Promise<void> {
  const done: string[] = [];
  for (const command of commands) {
    if (!command.check(model)) continue;
    done.push(String(command));
    count(model, "commands");
    await command.run(model, real).catch((error: unknown) => {
      throw new Error(`after ${done.length} commands, the last ones:\n${done.slice(-SHOWN).join("\n")}`, {
        cause: error,
      });
    });
  }
}

/** Nothing stays unsettled, and the invariants hold. */
async function assertSettled(database: TestDatabase): Promise<void> {
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
  }
}

describe("PROOF: the whole API against a model, with kill -9 between and during calls", {
  concurrency: AT_ONCE,
}, () => {
  // Always as long as it may be: generated lengths would leave most sequences short. A failure is not shrunk either: that
  // would start hundreds of gateways.
  const all = fc.array(COMMANDS, { minLength: COMMANDS_EACH, maxLength: COMMANDS_EACH });
  const sequences = fc.sample(all, { seed: proofSeed, numRuns: SEQUENCES });

  for (const [number, commands] of sequences.entries()) {
    test(`random sequence ${number + 1} of ${SEQUENCES} agrees with the model`, async (context) => {
      const database = await cloneDatabase();
      const model = emptyModel();
      try {
        const real = await startReal(database);
        try {
          await runSequence(commands, model, real);
          await settle(model, real);
        } finally {
          await real.stop();
        }
        await assertSettled(database);
        const { commands: run = 0, calls = 0, lists = 0, crashes = 0 } = model.counts;
        proof.count({
          "model sequences": 1,
          "model commands": run,
          "model calls": calls,
          "model pages of lists": lists,
          kills: crashes,
        });
      } finally {
        context.diagnostic(JSON.stringify(model.counts));
        await database.drop();
      }
    });
  }
});
