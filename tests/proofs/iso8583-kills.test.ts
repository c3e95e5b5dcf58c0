import { test } from "node:test";
import { killWhilePaying } from "../support/iso-host/kill-payments.ts";

test("I24: after 200 kills in 1,000 payments with faults on the ISO 8583 link, host, journal and gateway agree to the cent", {
  timeout: 45 * 60_000,
}, async (context) => {
  context.diagnostic(
    await killWhilePaying({ payments: 1_000, kills: 200, faults: 0.2, payers: 6, seed: 20_261_117 }),
  );
});
