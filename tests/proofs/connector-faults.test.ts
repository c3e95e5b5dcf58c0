import assert from "node:assert/strict";
import { test } from "node:test";
import { proveUnderLoad } from "../support/fault-run.ts";
import {
  CONNECTORS,
  type ConnectorFault,
  type FaultyConnector,
  withFaultyConnectors,
} from "../support/faulty-connectors.ts";
import { startLocalNode } from "../support/local-node.ts";
import { declareProof, isLong, proofSeed, sized } from "../support/proof.ts";
import { seeded } from "../support/random.ts";
import { SOUND } from "../support/settle.ts";

const FAULTS = sized(60, 600);
/** A new database after so many, so that the checker's cost stays bounded. */
const FAULTS_EACH = 500;
/** Of each call of a connector. */
const PROBABILITY = 0.2;

const proof = declareProof(
  "acquirer, 3D Secure, debit bank and PayID rail answer slowly, not at all, twice or with garbage, under mixed load",
  SOUND,
);

async function breakConnectors(count: number, random: () => number): Promise<void> {
  const happened: Partial<
    Record<`connector answers: ${ConnectorFault}` | `faults of the ${FaultyConnector}`, number>
  > = {};
  const note = (what: keyof typeof happened) => {
    happened[what] = (happened[what] ?? 0) + 1;
  };
  let faults = 0;
  let probability = 0;
  let noteEnd = () => {};
  await proveUnderLoad(
    proof,
    {
      random,
      startNode: (database) =>
        startLocalNode(database, {
          wrapContext: (ctx) =>
            withFaultyConnectors(ctx, {
              random,
              probability: () => probability,
              onFault: (fault, connector) => {
                faults += 1;
                note(`connector answers: ${fault}`);
                note(`faults of the ${connector}`);
              },
              onFaultEnd: () => noteEnd(),
            }),
        }),
    },
    async ({ untilPaid, faultEnds }) => {
      noteEnd = faultEnds;
      await untilPaid(3);
      probability = PROBABILITY;
      while (faults < count) await untilPaid(1);
      probability = 0;
      faultEnds();
      await untilPaid(3);
    },
  );
  if (isLong)
    assert.deepEqual(
      CONNECTORS.filter((connector) => happened[`faults of the ${connector}`] === undefined),
      [],
      "connectors without a fault",
    );
  proof.count(happened);
}

test(`${FAULTS} slow, hanging, failing, doubled and garbled answers of connectors lose and double nothing`, async () => {
  const random = seeded(proofSeed);
  for (let done = 0; done < FAULTS; done += FAULTS_EACH)
    await breakConnectors(Math.min(FAULTS_EACH, FAULTS - done), random);
});
