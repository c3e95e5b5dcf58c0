import type { Call } from "../call.ts";
import type { AdvanceSandboxClockBody, PayPayIdInSandboxBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";

/** For tests. A live account has none of these. */
export function sandboxOf(call: Call) {
  return {
    /** Moves this merchant's clock ahead, for example to reach an expiry, a retry or a settlement. */
    advanceClock: (body: AdvanceSandboxClockBody, options?: CallOptions) =>
      call("advanceSandboxClock", { body, recovery: "none" }, options),
    /** Settles pending debits and refunds now, and makes payouts. */
    runSettlements: (options?: CallOptions) => call("runSandboxSettlements", { recovery: "again" }, options),
    /** Simulates a payer who transfers money to a PayID. */
    payPayId: (body: PayPayIdInSandboxBody, options?: CallOptions) =>
      call("payPayIdInSandbox", { body, recovery: "none" }, options),
  };
}
