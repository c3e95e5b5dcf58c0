import { PAYID_RACES } from "../support/payid-races.ts";
import { declareProof } from "../support/proof.ts";
import { LATER_RACES } from "../support/races.ts";
import { LOSING_ANSWERS, REFUND_RACES } from "../support/refund-races.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "what follows a payment, and payments without a card: refunds, disputes, stored cards, payouts, PayID requests, transfers and refunds, API keys and signing keys in conflicting pairs, 2 to 50 calls at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11", "I13", "I21", "I22", "I24"],
);

testRaces([...LATER_RACES, ...REFUND_RACES, ...PAYID_RACES], proof, LOSING_ANSWERS);
