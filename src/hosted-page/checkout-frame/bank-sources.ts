import type { Merchant } from "../../features/merchants/index.ts";

/**
 * What a page may show of the payers' banks during 3D Secure. Every bank has pages of its own, so live payments allow any
 * address with TLS; the sandbox bank is on our own origin.
 */
export function bankSources({ mode, capabilities }: Pick<Merchant, "mode" | "capabilities">) {
  return { frames: mode === "live" && capabilities.threeDSecure ? ["https:"] : [] };
}
