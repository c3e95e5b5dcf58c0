import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { HOUR, MINUTE, SECOND } from "../../src/kernel/time.ts";
import { proveUnderLoad } from "../support/fault-run.ts";
import { startGatewayProcess } from "../support/gateway-process.ts";
import { moveClock } from "../support/move-clock.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const ROUNDS = sized(1, 13);
/** Of them all. A clock that is set to what it shows has not jumped. */
const LEAST_JUMPS = sized(3, 100);

const proof = declareProof(
  "the clock of one node's machine jumps ahead and back under mixed load, and stays wrong",
  SOUND,
);

/** By how much it is ahead, one after the other; the last one stays. */
const JUMPS: readonly (readonly [name: string, ahead: readonly number[]])[] = [
  ["a minute ahead and back, an hour back and ahead", [MINUTE, -MINUTE, -HOUR, HOUR]],
  ["an hour back all the time", [-HOUR]],
  ...(isLong
    ? ([
        ["an hour ahead all the time", [HOUR]],
        ["5 seconds ahead and back", [5 * SECOND, 0, -5 * SECOND, 0]],
      ] as const)
    : []),
];

describe("while the clock of one of two nodes is wrong", () => {
  const clock = moveClock();
  let jumped = 0;
  after(() => assert.ok(jumped >= LEAST_JUMPS, `only ${jumped} jumps`));

  for (const [name, jumps] of JUMPS) {
    test(`${name}: nothing is lost, and everything settles within a minute`, async () => {
      let current = jumps[0] ?? 0;
      let here = 0;
      clock.setAhead(current);
      let isFirst = true;
      await proveUnderLoad(
        proof,
        {
          random: seeded(proofSeed),
          startNode: (database) => {
            const environment = isFirst ? clock.environment : {};
            isFirst = false;
            return startGatewayProcess(database, undefined, environment);
          },
        },
        async ({ untilPaid, faultEnds }) => {
          for (let round = 0; round < ROUNDS; round += 1) {
            for (const ahead of jumps) {
              if (ahead !== current) here += 1;
              current = ahead;
              clock.setAhead(ahead);
              faultEnds();
              await untilPaid(15);
            }
          }
        },
      );
      jumped += here;
      proof.count({ "clock jumps": here });
    });
  }
});
