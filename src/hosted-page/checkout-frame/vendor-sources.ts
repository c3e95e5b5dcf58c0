import { randomBytes } from "node:crypto";
import type { Merchant } from "../../features/merchants/index.ts";

/** What a page may load from a wallet's vendor, by directive of its policy. */
export type VendorSources = {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
  /** Marks what the vendor's script may add to the page. Whoever has not read it in the page can add nothing. */
  readonly nonce?: string;
};

export const NO_VENDORS: VendorSources = { scripts: [], styles: [], connections: [], frames: [] };

/**
 * Google's script, what it adds, what it asks, and the frame that it asks from. Its pictures are for buttons of its own,
 * which we do not use. Apple Pay comes with the browser and loads nothing.
 */
function googleSources(nonce: string): VendorSources {
  const added = `'nonce-${nonce}'`;
  return {
    scripts: ["https://pay.google.com", added],
    styles: [added],
    connections: ["https://google.com/pay", "https://pay.google.com", "https://www.google.com/pay"],
    frames: ["https://pay.google.com"],
    nonce,
  };
}

/**
 * For one answer: each has a nonce of its own. Only real money needs the vendors: the sandbox loads nothing from anybody,
 * and uses what is present already.
 */
export function vendorSources({
  mode,
  capabilities,
}: Pick<Merchant, "mode" | "capabilities">): VendorSources {
  return mode === "live" && capabilities.googlePay
    ? googleSources(randomBytes(16).toString("base64url"))
    : NO_VENDORS;
}
