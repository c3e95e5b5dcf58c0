import assert from "node:assert/strict";
import { test } from "node:test";
import { proveUnderLoad } from "../support/fault-run.ts";
import {
  type ConnectorFault,
  EVERY_FAULT,
  type FaultyConnector,
  faultsInTurn,
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
  "acquirer, 3D Secure, debit bank and PayID rail answer slowly, too late, not at all, twice, with errors or with garbage, under mixed load",
  SOUND,
);

type Faults = {
  readonly random: () => number;
  readonly nextFault: (connector: FaultyConnector) => ConnectorFault;
  readonly seen: Set<(typeof EVERY_FAULT)[number]>;
};

async function breakConnectors(count: number, { random, nextFault, seen }: Faults): Promise<void> {
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
              nextFault,
              onFault: (fault, connector) => {
                faults += 1;
                note(`connector answers: ${fault}`);
                note(`faults of the ${connector}`);
                seen.add(`${connector}: ${fault}`);
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
  proof.count(happened);
}

test(`${FAULTS} slow, late, hanging, failing, doubled and garbled answers of connectors lose and double nothing`, async () => {
  const random = seeded(proofSeed);
  const faults: Faults = { random, nextFault: faultsInTurn(random), seen: new Set() };
  for (let done = 0; done < FAULTS; done += FAULTS_EACH)
    await breakConnectors(Math.min(FAULTS_EACH, FAULTS - done), faults);
  if (isLong)
    assert.deepEqual(
      EVERY_FAULT.filter((fault) => !faults.seen.has(fault)),
      [],
      "kinds of faults that a connector did not have",
    );
});
