/** Why an endpoint did not acknowledge, by the code of the API. */
const REASONS: Readonly<Record<string, string>> = {
  timeout: "no answer within 10 seconds",
  address_refused: "the name leads to an address that is not public",
  name_not_found: "there is no such name",
  name_service_unavailable: "the name could not be looked up: no name server answered",
  network_unreachable: "the gateway's network was down",
  no_route: "the gateway has no route to its addresses, which are IPv4 or IPv6 alone",
  connection_refused: "nothing listens there",
  connection_reset: "the connection was cut",
  connection_failed: "no connection could be made",
  tls_failed: "its certificate is not valid",
  answer_malformed: "the answer is not HTTP",
  redirect_not_followed: "redirects are not followed",
  subscription_deleted: "the subscription was deleted",
  subscription_disabled: "the subscription was disabled",
};

export type EndpointAnswer = {
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly error: string | null;
};

/** What an endpoint answered, and how fast. An HTTP status needs no further reason. */
export function answerWords({ httpStatus, latencyMs, error }: EndpointAnswer): string {
  return [
    ...(httpStatus === null ? [] : [`HTTP ${httpStatus}`]),
    ...(error === null || error === "http_error" ? [] : [REASONS[error] ?? error]),
    ...(latencyMs === null ? [] : [`${latencyMs.toLocaleString("en-AU")} ms`]),
  ].join(", ");
}
