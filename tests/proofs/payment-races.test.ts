import { CHECKOUT_RACES } from "../support/checkout-races.ts";
import { declareProof } from "../support/proof.ts";
import { PAYMENT_RACES } from "../support/races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "one payment, from its request to its capture: create with a repeated key, tokens, initialise, surcharges, saved cards, pay, cancel, expire, capture, void and recovery in conflicting pairs, 2 to 50 calls at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I19", "I21", "I22", "I24"],
);

testRaces([...PAYMENT_RACES, ...CHECKOUT_RACES], proof);
