import { DEADLINE_RACES, WITH_DEADLINES } from "../support/deadline-races.ts";
import { declareProof } from "../support/proof.ts";
import { testRaces } from "../support/run-races.ts";
import { CLOCK_RACES } from "../support/setup-races.ts";

const proof = declareProof(
  "calls that race the deadline of an authorisation, a payment request or a dispute, or a step of the clock, 2 to 50 at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I13", "I21", "I22", "I24"],
);

testRaces([...DEADLINE_RACES, ...CLOCK_RACES], proof, WITH_DEADLINES);
