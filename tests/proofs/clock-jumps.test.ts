import { describe, test } from "node:test";
import { instant, MINUTE, SECOND } from "../../src/kernel/time.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startLocalNode } from "../support/local-node.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const ROUNDS = sized(1, 10);

const proof = declareProof("the clock of one node jumps ahead and back under mixed load", SOUND);

const JUMPS: readonly (readonly [name: string, milliseconds: number])[] = [
  ["5 seconds ahead", 5 * SECOND],
  ["5 seconds back", -5 * SECOND],
  ["a minute ahead", MINUTE],
  ["a minute back", -MINUTE],
];

describe("while the clock of one of two nodes is wrong, and after it is right again", () => {
  for (const [name, milliseconds] of JUMPS) {
    test(`${name}: nothing is lost, and everything settles within a minute`, async () => {
      let ahead = 0;
      let started = 0;
      await proveUnderLoad(
        proof,
        {
          random: seeded(proofSeed),
          // The test's own requests expire by the right time.
          movesClocks: false,
          // Work that a clock planned ahead of time waits for that time.
          graceMs: Math.max(0, milliseconds),
          startNode: (database) => {
            started += 1;
            const isWrong = started === 1;
            return startLocalNode(database, { now: () => instant(Date.now() + (isWrong ? ahead : 0)) });
          },
        },
        async ({ untilPaid }) => {
          for (let round = 0; round < ROUNDS; round += 1) {
            await untilPaid(5);
            ahead = milliseconds;
            await untilPaid(15);
            ahead = 0;
          }
          await untilPaid(5);
        },
      );
      proof.count({ "clock jumps": 2 * ROUNDS });
    });
  }
});
