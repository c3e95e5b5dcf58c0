import type { Id } from "../../kernel/ids.ts";
import type { Instant } from "../../kernel/time.ts";

/** A domain whose pages may offer Apple Pay. */
export type WalletDomain = {
  readonly merchantId: Id<"merchant">;
  readonly domain: string;
  readonly registeredAt: Instant;
};

export const DOMAINS_AT_MOST = 50;

/** The sandbox registers it without a file. */
export const LOCALHOST = "localhost";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether a text is a full domain name as in a certificate: letters beyond ASCII in punycode. */
export function isDomainName(text: string): boolean {
  const labels = text.toLowerCase().split(".");
  const last = labels.at(-1) ?? "";
  // A last label that begins with a digit ends an IP address, possibly in hex: 127.0x1.
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d/.test(last)
  );
}
