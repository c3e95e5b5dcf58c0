import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** How far a request may go: to public addresses only, or to this machine as well (the sandbox). */
export type Reach = "public" | "public-and-loopback";

/** Public by number, but a cloud answers there for the machine alone. */
const SERVED_BY_THE_CLOUD = new Set(["168.63.129.16"]);

const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an IP address may be dialled. Only what is known to be public is let through; forms that carry an IPv4 address
 * inside an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) are refused whatever they carry.
 */
export function mayDial(address: string, reach: Reach): boolean {
  // A zone names an interface of this machine; no address of a merchant's has one.
  if (address.includes("%") || isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === "loopback") return reach === "public-and-loopback";
  if (range !== "unicast" || SERVED_BY_THE_CLOUD.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
}

/** The address that a URL's host is, as it is dialled; undefined when the host is a name. */
export function literalAddress(host: string): string | undefined {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? undefined : bare;
}

/** Names that mean this machine, or a network's inside, wherever they are looked up. */
export function isInsideName(host: string): boolean {
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i.test(host);
}

export function isLocalhostName(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}
