import type { LookupAddress, LookupOptions } from "node:dns";
import { mayDial, type Reach } from "./address.ts";
import type { Resolve } from "./resolve-name.ts";

/** The address of a URL's host is one that we do not call. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A `lookup` for sockets. It returns checked addresses only, and those are dialled, so a name that changes between check
 * and call changes nothing. One forbidden address refuses the name: a name that points both inside and outside is an
 * attack, not a mistake.
 */
export function guardedLookup(resolve: Resolve, reach: Reach) {
  return (host: string, options: LookupOptions, found: Found): void => {
    void getAllowed(resolve, host, familyOf(options), reach).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined)
          found(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "", undefined);
        else if (options.all === true) found(null, [...addresses]);
        else found(null, first.address, first.family);
      },
      (error: unknown) =>
        found(error instanceof Error ? error : new Error("the look-up failed"), "", undefined),
    );
  };
}

async function getAllowed(
  resolve: Resolve,
  host: string,
  family: number,
  reach: Reach,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolve(host, family);
  if (!addresses.every(({ address }) => mayDial(address, reach))) throw new AddressRefused(host);
  return addresses;
}

/** True when the name points to an address that we do not call. A name that does not resolve yet is no offence. */
export async function resolvesInside(resolve: Resolve, host: string, reach: Reach): Promise<boolean> {
  try {
    await getAllowed(resolve, host, 0, reach);
    return false;
  } catch (error) {
    return error instanceof AddressRefused;
  }
}

function familyOf({ family }: LookupOptions): number {
  if (family === "IPv4") return 4;
  return family === "IPv6" ? 6 : (family ?? 0);
}
