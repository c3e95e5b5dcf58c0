import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { isLocalhostName } from "./address.ts";

/** All addresses of a name. Tests put a resolver of their own here. */
export type Resolve = (host: string, family: number) => Promise<readonly LookupAddress[]>;

const LOCALHOST: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

const ATTEMPT_MS = 2_000;
const ATTEMPTS = 2;

/** Errors of name servers that concern the server, not the name. */
const NO_SERVICE = /^(?:ETIMEOUT|ECONNREFUSED|ESERVFAIL|EREFUSED|ECANCELLED|ECONNRESET)$/;

/** Where to look names up: the system's name servers and its file, unless a test has its own. */
type NameSources = { readonly servers?: readonly string[]; readonly hostsFile?: string };

/**
 * Reads the system's file of names first, as other programs do, then queries name servers without a thread. The system's
 * look-up occupies one of the process's four threads until a name server answers, so a few merchants with dead name servers
 * would stop all look-ups. Only a name that the servers do not know goes to the system, which answers at once.
 */
export function createResolver({ servers, hostsFile = "/etc/hosts" }: NameSources = {}): Resolve {
  const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host, family) => {
    const wanted = (found: readonly LookupAddress[]) =>
      found.filter((one) => family === 0 || one.family === family);
    if (isLocalhostName(host)) return wanted(LOCALHOST);
    const listed = await addressesIn(hostsFile, host);
    if (listed.length > 0) return wanted(listed);
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then((list) => list.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(host).then((list) => list.map((address) => ({ address, family: 6 }))),
    ]);
    const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length > 0) return wanted(found);
    const silent = answers.some(
      (answer) => answer.status === "rejected" && NO_SERVICE.test(codeOf(answer.reason)),
    );
    if (silent) throw Object.assign(new Error("no name server answers"), { code: "EAI_AGAIN" });
    return resolveBySystem(host, family);
  };
}

/** The addresses of a name in a file like `/etc/hosts`. Without the file there are none. */
async function addressesIn(hostsFile: string, host: string): Promise<readonly LookupAddress[]> {
  const text = await readFile(hostsFile, "utf8").catch(() => "");
  const name = host.toLowerCase().replace(/\.$/, "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : [];
  });
}

function resolveBySystem(host: string, family: number): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(host, { all: true, family }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
