import ipaddr from "ipaddr.js";

/** What counts as one place on the network: an IPv4 address, or the /64 that whoever has one IPv6 address has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}
