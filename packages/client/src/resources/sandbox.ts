import type { Call } from "../call.ts";
import type { AdvanceSandboxClockBody, PayPayIdInSandboxBody } from "../generated/api.ts";
import type { CallOptions } from "../options.ts";

/** For trying things. A live account has none of these. */
export function sandboxOf(call: Call) {
  return {
    /** Moves this merchant's clock ahead: expiry, retries and settlement come nearer. */
    advanceClock: (body: AdvanceSandboxClockBody, options?: CallOptions) =>
      call("advanceSandboxClock", { body, recovery: "none" }, options),
    /** Settles what is pending now, and makes payouts. */
    runSettlements: (options?: CallOptions) => call("runSandboxSettlements", { recovery: "again" }, options),
    /** Plays a payer who transfers money to a PayID. */
    payPayId: (body: PayPayIdInSandboxBody, options?: CallOptions) =>
      call("payPayIdInSandbox", { body, recovery: "none" }, options),
  };
}
