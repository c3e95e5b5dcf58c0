import {
  isInsideName,
  isLocalhostName,
  literalAddress,
  mayDial,
  type Reach,
  reachesLoopback,
} from "./address.ts";

/** What is wrong with a URL that a merchant registers. */
export type UrlProblem = "malformed" | "scheme" | "credentials" | "port" | "address";

const PUBLIC_PORTS: readonly number[] = [443, 8443];
const HTTP_PORT = 80;
const SANDBOX_LOW_PORTS: readonly number[] = [HTTP_PORT, 443];
const FIRST_HIGH_PORT = 1024;

/**
 * Checks a URL without a name lookup. Public: https to port 443 or 8443; pictures also http, and port 80. The sandbox also
 * allows http, and the ports 80, 443, 1024 and up, which keeps mail servers and the like out of reach.
 */
export function urlProblem(text: string, reach: Reach): UrlProblem | undefined {
  const url = URL.parse(text);
  if (url === null || /[\p{Cc}\p{Cs}\s\\]/u.test(text)) return "malformed";
  if (url.protocol !== "https:" && !(url.protocol === "http:" && reach !== "public")) return "scheme";
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) return "credentials";
  if (!isPortAllowed(portOf(url), reach)) return "port";
  return isHostAllowed(url.hostname, reach) ? undefined : "address";
}

export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

function isPortAllowed(port: number, reach: Reach): boolean {
  if (reach === "public") return PUBLIC_PORTS.includes(port);
  if (reach === "public-by-http") return port === HTTP_PORT || PUBLIC_PORTS.includes(port);
  return SANDBOX_LOW_PORTS.includes(port) || port >= FIRST_HIGH_PORT;
}

/** An address is judged here and now; a name is judged by what it resolves to, when it is dialled. */
export function isHostAllowed(host: string, reach: Reach): boolean {
  const literal = literalAddress(host);
  if (literal !== undefined) return mayDial(literal, reach);
  if (isLocalhostName(host)) return reachesLoopback(reach);
  return reach === "private" || !isInsideName(host);
}
