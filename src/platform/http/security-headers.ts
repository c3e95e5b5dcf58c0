/** On every answer of the API, errors too. Pages for payers replace the policy by their own. */
export const API_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const PLAIN = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": API_CSP,
  "Referrer-Policy": "no-referrer",
} as const;

const OVER_TLS = { ...PLAIN, "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } as const;

export function securityHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? OVER_TLS : PLAIN;
}
