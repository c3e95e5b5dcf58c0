import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Parses `203.0.113.7`, `10.0.0.0/8` or `2001:db8::/32` and returns the range as it is stored: the network's first address
 * and the number of bits. Undefined for anything else.
 */
export function parseAddressRange(text: string): string | undefined {
  const [address = "", bits, ...more] = text.trim().split("/");
  // ipaddr.js alone would also accept `10.1` and zones.
  if (isIP(address) === 0 || address.includes("%") || more.length > 0) return undefined;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return undefined;
  const width = parsed instanceof ipaddr.IPv4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)) return undefined;
  const length = bits === undefined ? width : Number(bits);
  const network =
    parsed instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${length}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${length}`);
  return `${network.toString()}/${length}`;
}

/** Whether a client's address is in one of the ranges. An IPv4 address that came over IPv6 counts as IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === client.kind() && client.match(network, bits);
  });
}
