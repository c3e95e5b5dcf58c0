import { WITH_DEADLINES } from "../support/deadline-races.ts";
import { INSTRUMENT_RACES } from "../support/instrument-races.ts";
import { declareProof } from "../support/proof.ts";
import { REPEAT_RACES } from "../support/repeat-races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "calls that race their own repeat or a change of an instrument, 2 to 50 at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I21", "I22", "I24"],
);

testRaces([...REPEAT_RACES, ...INSTRUMENT_RACES], proof, WITH_DEADLINES);
