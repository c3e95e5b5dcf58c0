import { declareProof } from "../support/proof.ts";
import { PAYMENT_RACES } from "../support/races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "conflicting calls that create, pay, cancel, capture or void, 2 to 50 at the same moment, on two nodes: every pair of verbs that must not both win",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I21", "I22", "I24"],
);

testRaces(PAYMENT_RACES, proof);
