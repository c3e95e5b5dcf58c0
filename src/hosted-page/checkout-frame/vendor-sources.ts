import { randomBytes } from "node:crypto";
import type { Merchant } from "../../features/merchants/index.ts";

/** What a page may load from a wallet's vendor, by directive of its content security policy. */
export type VendorSources = {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly connections: readonly string[];
  readonly frames: readonly string[];
  /** Allows what the vendor's script adds to the page; injected code without the nonce does not run. */
  readonly nonce?: string;
};

export const NO_VENDORS: VendorSources = { scripts: [], styles: [], connections: [], frames: [] };

/**
 * Google's script, the elements it adds, its requests and its frame. Its pictures are for Google's own buttons, which the
 * pages do not use. Apple Pay is part of the browser and loads nothing.
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
 * The sources for one answer, each with its own nonce. Only live mode needs the vendors: the sandbox loads nothing from
 * them.
 */
export function vendorSources({
  mode,
  capabilities,
}: Pick<Merchant, "mode" | "capabilities">): VendorSources {
  return mode === "live" && capabilities.googlePay
    ? googleSources(randomBytes(16).toString("base64url"))
    : NO_VENDORS;
}
