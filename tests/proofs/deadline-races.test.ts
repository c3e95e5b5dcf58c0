import { CHALLENGE_RACES } from "../support/challenge-races.ts";
import { DEADLINE_RACES, SETTLEMENT_SECONDS } from "../support/deadline-races.ts";
import { INSTRUMENT_RACES } from "../support/instrument-races.ts";
import { declareProof } from "../support/proof.ts";
import { REPEAT_RACES } from "../support/repeat-races.ts";
import { testRaces } from "../support/run-races.ts";
import { WEBHOOK_RACES } from "../support/webhook-races.ts";

const proof = declareProof(
  "calls that race a deadline, a challenge, a return, a repeat or a delivery, 2 to 50 at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I13", "I21", "I22", "I24"],
);

const RACES = [...DEADLINE_RACES, ...CHALLENGE_RACES, ...REPEAT_RACES, ...INSTRUMENT_RACES, ...WEBHOOK_RACES];

/** A node learns of another one's clock within this time. */
const LAG_MS = 400;

testRaces(RACES, proof, {
  environment: { TIDEGATE_SANDBOX_SETTLEMENT_SECONDS: String(SETTLEMENT_SECONDS) },
  lagMs: LAG_MS,
});
