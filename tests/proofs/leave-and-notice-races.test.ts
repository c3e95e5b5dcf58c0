import { ADYEN_RACES } from "../support/adyen-races.ts";
import { WITH_DEADLINES } from "../support/deadline-races.ts";
import { NOTICE_RACES } from "../support/notice-races.ts";
import { PAYER_RACES } from "../support/payer-races.ts";
import { declareProof } from "../support/proof.ts";
import { testRaces } from "../support/run-races.ts";

const proof = declareProof(
  "payers who leave a challenge, remove a card or repeat a wallet's token, refunds of one debit, disputes that are accepted and decided, webhooks that are disabled, events that are redelivered, and notifications of Adyen, in conflicting pairs, 2 to 50 calls at the same moment, on two nodes",
  ["I1", "I2", "I3", "I4", "I5", "I7", "I9", "I10", "I11", "I13", "I21", "I27"],
);

testRaces([...PAYER_RACES, ...NOTICE_RACES, ...ADYEN_RACES], proof, WITH_DEADLINES);
