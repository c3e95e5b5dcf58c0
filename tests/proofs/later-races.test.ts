import { declareProof } from "../support/proof.ts";
import { LATER_RACES } from "../support/races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "conflicting calls that refund, dispute, store, pay out, transfer or change keys, 2 to 50 at the same moment, on two nodes: every pair of verbs that must not both win",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I21", "I22", "I24"],
);

testRaces(LATER_RACES, proof);
