import type { Merchant } from "../../features/merchants/index.ts";

/** What a page may load from a wallet's vendor, by directive of its policy. */
export type VendorSources = {
  readonly scripts: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
};

export const NO_VENDORS: VendorSources = { scripts: [], connections: [], frames: [] };

/** Google's script, what it asks, and the frame that it asks from. Apple Pay comes with the browser and loads nothing. */
const GOOGLE: VendorSources = {
  scripts: ["https://pay.google.com"],
  connections: ["https://google.com/pay", "https://pay.google.com", "https://www.google.com/pay"],
  frames: ["https://pay.google.com"],
};

/** Only real money needs the vendors: the sandbox loads nothing from anybody, and uses what is present already. */
export function vendorSources({
  mode,
  capabilities,
}: Pick<Merchant, "mode" | "capabilities">): VendorSources {
  return mode === "live" && capabilities.googlePay ? GOOGLE : NO_VENDORS;
}
