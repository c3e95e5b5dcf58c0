import { toIso } from "../../kernel/time.ts";
import type { Route } from "../../platform/http/route.ts";
import { type Caller, merchantRoute, ok } from "../merchants/index.ts";
import { advanceClock } from "./advance-clock.ts";
import { ClockAnswer, ClockBody } from "./wire.ts";

export const sandboxRoutes: readonly Route<Caller>[] = [
  merchantRoute({
    method: "POST",
    path: "/sandbox/clock/advance",
    name: "advanceSandboxClock",
    group: "Sandbox",
    summary: "Move this merchant's clock ahead",
    about:
      "Expiry and everything else that waits for a moment happens as if that time had passed. It can't go back.",
    scope: "write",
    sandboxOnly: true,
    body: ClockBody,
    answer: ClockAnswer,
    refusals: ["V11501"],
    example: { seconds: 3600 },
    run: async (world, { caller, body }) => ({
      currentDateTime: toIso(await advanceClock(world, caller, body.seconds)),
      result: ok(caller.mode),
    }),
  }),
];
