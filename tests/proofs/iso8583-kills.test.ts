import { test } from "node:test";
import { killWhilePaying } from "../support/iso-host/kill-payments.ts";
import { declareProof, proofSeed, sized } from "../support/proof.ts";

const PAYMENTS = sized(60, 1_000);
const KILLS = sized(8, 200);

const proof = declareProof(
  "kill -9 during payments over an ISO 8583 link whose answers are late, lost, doubled, garbled or cut; all settles within a minute, but for reversals that are sent again after two",
  ["I21", "I24"],
);

test(`I24: after ${KILLS} kills in ${PAYMENTS} payments with faults on the ISO 8583 link, host, journal and gateway agree to the cent`, async () => {
  const plan = { payments: PAYMENTS, kills: KILLS, faults: 0.2, payers: 6, seed: proofSeed };
  const { counts, most } = await killWhilePaying(plan);
  proof.count(counts);
  proof.most(most);
});
