import type { AuthenticationData, BrowserData } from "../../connectors/ports/three-d-secure.ts";
import type { AuthenticationStatus } from "../../kernel/authentication-status.ts";
import { defined } from "../../kernel/defined.ts";
import type { Visitor } from "../../platform/http/visitor.ts";
import type { Merchant } from "../merchants/index.ts";
import type { AuthenticationFacts } from "../transactions/index.ts";
import type { PayInput } from "./wire.ts";

const STATUSES: Readonly<Record<AuthenticationData["status"], AuthenticationStatus>> = {
  Y: "authenticated",
  A: "attempted",
  N: "failed",
  U: "unavailable",
  R: "rejected",
};

/** What the record says about an authentication. */
export type RecordedAuthentication = {
  readonly status: AuthenticationStatus;
  readonly facts: AuthenticationFacts | null;
};

export function recordOf({
  status,
  version,
  eci,
  dsTransactionId,
}: AuthenticationData): RecordedAuthentication {
  return { status: STATUSES[status], facts: defined({ version, eci, dsTransactionId }) };
}

/** The issuer did not answer, so no payer was authenticated. */
export const NOT_AVAILABLE: AuthenticationData = { status: "U" };

/** Whether the payment goes on to the acquirer. Where 3D Secure was only attempted or is unavailable, the merchant has chosen. */
export function proceeds(
  {
    threeDSecureAttempted,
    threeDSecureUnavailable,
  }: Pick<Merchant, "threeDSecureAttempted" | "threeDSecureUnavailable">,
  { status }: Pick<AuthenticationData, "status">,
): boolean {
  if (status === "U") return threeDSecureUnavailable === "proceed";
  if (status === "A") return threeDSecureAttempted === "proceed";
  return status === "Y";
}

/** The browser's data for the issuer: what its script collected, else what its headers show. */
export function browserOf(visitor: Visitor, collected?: PayInput["browser"]): BrowserData {
  const { acceptLanguage: _, ...shown } = visitor;
  return { ...shown, ...collected, javaScriptEnabled: collected !== undefined };
}
