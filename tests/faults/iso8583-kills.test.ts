import { test } from "node:test";
import { killWhilePaying } from "../support/iso-host/kill-payments.ts";

test("I24: after 2 kills and faults on the ISO 8583 link, host, journal and gateway agree to the cent", async (context) => {
  const plan = { payments: 20, kills: 2, faults: 0.2, payers: 4, seed: 20_261_116 };
  context.diagnostic(JSON.stringify(await killWhilePaying(plan)));
});
