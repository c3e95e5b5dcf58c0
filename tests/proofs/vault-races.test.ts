import { declareProof } from "../support/proof.ts";
import { testRaces } from "../support/run-races.ts";
import { VAULT_RACES } from "../support/vault-races.ts";

const proof = declareProof(
  "vault keys that operators rotate while cards and accounts are stored, charged, changed and deleted, 2 to 50 calls at the same moment, on two nodes",
  ["I7", "I9", "I10", "I11", "I14", "I17", "I21"],
);

testRaces(VAULT_RACES, proof);
