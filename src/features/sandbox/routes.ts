import { toIso } from "../../kernel/time.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok } from "../merchants/index.ts";
import { advanceClock } from "./advance-clock.ts";
import { runSettlements } from "./run-settlements.ts";
import { ClockAnswer, ClockBody, SettlementsAnswer } from "./wire.ts";

export const sandboxRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/sandbox/clock/advance",
    name: "advanceSandboxClock",
    group: "Sandbox",
    summary: "Move this merchant's clock ahead",
    about: "Expiry and all other timed work happen as if that time had passed. The clock can't go back.",
    scope: "write",
    sandboxOnly: true,
    body: ClockBody,
    answer: ClockAnswer,
    refusals: ["sandbox_clock_limit_conflict"],
    example: { seconds: 3600 },
    run: async (ctx, { caller, body }) => ({
      currentDateTime: toIso(await advanceClock(ctx, caller, body.seconds)),
      result: ok(caller.mode),
    }),
  }),
  merchantRoute({
    method: "POST",
    path: "/sandbox/settlements/run",
    name: "runSandboxSettlements",
    group: "Sandbox",
    summary: "Settle debits and refunds now, and make payouts",
    about:
      "Settles before it answers, without the settlement delay. A debit that is to be returned (11005) settles with the first call and is returned with the next.",
    scope: "write",
    sandboxOnly: true,
    answer: SettlementsAnswer,
    run: async (ctx, { caller }) => ({
      ...(await runSettlements(ctx, caller)),
      result: ok(caller.mode),
    }),
  }),
];
