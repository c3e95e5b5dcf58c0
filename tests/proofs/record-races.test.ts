import { CAPABILITY_RACES } from "../support/capability-races.ts";
import { CREATE_RACES } from "../support/create-races.ts";
import { OWNERSHIP_RACES } from "../support/ownership-races.ts";
import { declareProof } from "../support/proof.ts";
import { RECORD_RACES } from "../support/record-races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "customers, accounts and webhooks that are changed twice at once or deleted meanwhile, PayIDs and domains that pass on, capabilities that are switched off, and creates with one idempotency key; 2 to 50 calls at the same moment, on two nodes",
  ["I7", "I8", "I9", "I10", "I11", "I21", "I22"],
);

testRaces([...RECORD_RACES, ...OWNERSHIP_RACES, ...CAPABILITY_RACES, ...CREATE_RACES], proof);
