import { isIP } from "node:net";
import { AddressRefused } from "./guarded-lookup.ts";
import type { HasRoute } from "./has-route.ts";

/** Why no answer came. `ours` are failures of this machine or its network; they are no sign of a fault on the other side. */
export type FailureReason =
  | "timeout"
  | "address_refused"
  | "name_not_found"
  | "name_service_unavailable"
  | "network_unreachable"
  | "no_route"
  | "connection_refused"
  | "connection_reset"
  | "connection_failed"
  | "tls_failed"
  | "answer_malformed";

const REASONS: Readonly<Record<string, FailureReason>> = {
  ENOTFOUND: "name_not_found",
  ENODATA: "name_not_found",
  EAI_AGAIN: "name_service_unavailable",
  ESERVFAIL: "name_service_unavailable",
  EREFUSED: "name_service_unavailable",
  ETIMEOUT: "name_service_unavailable",
  ENETUNREACH: "network_unreachable",
  ENETDOWN: "network_unreachable",
  EADDRNOTAVAIL: "network_unreachable",
  EMFILE: "network_unreachable",
  ENFILE: "network_unreachable",
  ENOBUFS: "network_unreachable",
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "answer_malformed",
  EPROTO: "tls_failed",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_failed",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_failed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_failed",
};

/**
 * A failed look-up is not ours: mostly the name's own servers fail, and the gateway can't tell them from its resolver. Were
 * it ours, a name without working servers would be tried for ever.
 */
const OURS: readonly FailureReason[] = ["network_unreachable"];

export function reasonOf(error: unknown): FailureReason {
  if (error instanceof AddressRefused) return "address_refused";
  // A name with several addresses was tried at each. The last error counts, unless all of them were ours.
  if (error instanceof AggregateError) {
    const reasons = error.errors.map(reasonOf);
    return reasons.find((reason) => !isOurs(reason)) ?? reasons[0] ?? "connection_failed";
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_GET|HOSTNAME_MISMATCH)/.test(code)) return "tls_failed";
  if (error instanceof Error && error.name === "HTTPParserError") return "answer_malformed";
  return REASONS[code] ?? "connection_failed";
}

/**
 * The same, but a name that has only IPv6 addresses is no failure of a machine that has a route by IPv4 alone, and the other
 * way round. Were it ours, such a name would be tried for ever.
 */
export async function reasonByRoutes(error: unknown, hasRoute: HasRoute): Promise<FailureReason> {
  const reason = reasonOf(error);
  if (!isOurs(reason)) return reason;
  const errors = (error instanceof AggregateError ? error.errors : [error]) as { address?: string }[];
  const [family, other] = new Set(errors.map(({ address = "" }) => isIP(address)));
  if (!family || other !== undefined) return reason;
  return !(await hasRoute(family)) && (await hasRoute(family === 6 ? 4 : 6)) ? "no_route" : reason;
}

export function isOurs(reason: FailureReason): boolean {
  return OURS.includes(reason);
}
