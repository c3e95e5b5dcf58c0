import { CHALLENGE_RACES } from "../support/challenge-races.ts";
import { WITH_DEADLINES } from "../support/deadline-races.ts";
import { declareProof } from "../support/proof.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "calls that race a payer's challenge or a return, 2 to 50 at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I13", "I21", "I22", "I24"],
);

testRaces(CHALLENGE_RACES, proof, WITH_DEADLINES);
