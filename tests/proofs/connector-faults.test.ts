import { test } from "node:test";
import { proveUnderLoad } from "../support/fault-run.ts";
import { type ConnectorFault, withFaultyConnectors } from "../support/faulty-connectors.ts";
import { startLocalNode } from "../support/local-node.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";
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
  const happened: Partial<Record<ConnectorFault, number>> = {};
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
              onFault: (fault) => {
                faults += 1;
                happened[fault] = (happened[fault] ?? 0) + 1;
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
  const named = Object.entries(happened).map(
    ([fault, times]) => [`connector answers: ${fault}`, times] as const,
  );
  proof.count(Object.fromEntries(named));
}

test(`${FAULTS} slow, hanging, failing, doubled and garbled answers of connectors lose and double nothing`, async () => {
  const random = seeded(proofSeed);
  for (let done = 0; done < FAULTS; done += FAULTS_EACH)
    await breakConnectors(Math.min(FAULTS_EACH, FAULTS - done), random);
});
