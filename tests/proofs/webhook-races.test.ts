import { WITH_DEADLINES } from "../support/deadline-races.ts";
import { declareProof } from "../support/proof.ts";
import { testRaces } from "../support/run-races.ts";
import { SETUP_RACES } from "../support/setup-races.ts";
import { WEBHOOK_RACES } from "../support/webhook-races.ts";

const proof = declareProof(
  "a subscription that is created twice at once, and moved or deleted while its events are delivered and redelivered; first settings at the same moment; 2 to 50 calls at the same moment, on two nodes",
  ["I9", "I10", "I11", "I21"],
);

testRaces([...WEBHOOK_RACES, ...SETUP_RACES], proof, WITH_DEADLINES);
