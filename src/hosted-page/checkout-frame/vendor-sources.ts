import { randomBytes } from "node:crypto";
import type { Merchant } from "../../features/merchants/index.ts";
import { WALLET_CAPABILITIES, type Wallet } from "../../kernel/wallets.ts";

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
 * pages do not use.
 */
function googleSources(nonce: string): Required<VendorSources> {
  const added = `'nonce-${nonce}'`;
  return {
    scripts: ["https://pay.google.com", added],
    styles: [added],
    connections: ["https://google.com/pay", "https://pay.google.com", "https://www.google.com/pay"],
    frames: ["https://pay.google.com"],
    nonce,
  };
}

/** By wallet; null: its sheet is part of the browser. */
const SOURCES: Readonly<Record<Wallet, ((nonce: string) => Required<VendorSources>) | null>> = {
  apple_pay: null,
  google_pay: googleSources,
};

/** Their scripts, as the list of every page's scripts shows them. */
export const VENDOR_SCRIPTS = {
  google: {
    name: "pay.js",
    pages: ["checkout frame", "hosted payment page"],
    purpose: "Google's own script; only in live mode, if a request offers Google Pay.",
    source: "vendor",
    address: "https://pay.google.com/gp/p/js/pay.js",
  },
} as const;

/**
 * What the vendors of these wallets need for one answer, with a nonce of its own. Only live mode needs the vendors: the
 * sandbox loads nothing from them.
 */
export function vendorSources(
  { mode, capabilities }: Pick<Merchant, "mode" | "capabilities">,
  wallets: readonly Wallet[],
): VendorSources {
  const vendors = wallets.flatMap((wallet) =>
    mode === "live" && capabilities[WALLET_CAPABILITIES[wallet]] ? (SOURCES[wallet] ?? []) : [],
  );
  if (vendors.length === 0) return NO_VENDORS;
  const nonce = randomBytes(16).toString("base64url");
  const sources = vendors.map((sourcesOf) => sourcesOf(nonce));
  const all = (directive: Exclude<keyof VendorSources, "nonce">) => [
    ...new Set(sources.flatMap((source) => source[directive])),
  ];
  return {
    scripts: all("scripts"),
    styles: all("styles"),
    connections: all("connections"),
    frames: all("frames"),
    nonce,
  };
}
