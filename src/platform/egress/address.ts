import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * How far a request may go. `public`: live merchants; `public-by-http`: their pictures, by http too. The others are for the
 * sandbox, which is laxer about schemes and ports: to public addresses, to this machine as well, or to its private networks
 * as well.
 */
export const REACHES = [
  "public",
  "public-by-http",
  "public-in-sandbox",
  "public-and-loopback",
  "private",
] as const;
export type Reach = (typeof REACHES)[number];

/** Public or private by number, but a cloud answers there for the machine alone. */
const SERVED_BY_THE_CLOUD = new Set(["168.63.129.16", "fd00:ec2::254", "fd20:ce::254"]);

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
  if (range === "loopback") return reachesLoopback(reach);
  if (SERVED_BY_THE_CLOUD.has(parsed.toString())) return false;
  if (range === "private" || range === "uniqueLocal") return reach === "private";
  if (range !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
}

export function reachesLoopback(reach: Reach): boolean {
  return reach === "public-and-loopback" || reach === "private";
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
