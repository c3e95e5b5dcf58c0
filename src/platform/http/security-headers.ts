/** On every answer of the API, errors too. Pages for payers replace the policy by their own. */
const API_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Nothing of ours needs these; a script that got in can't use them either. Wallets need `payment`, so it is left out. */
const NO_POWERS = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "serial",
  "usb",
]
  .map((power) => `${power}=()`)
  .join(", ");

const PLAIN = {
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
  "Content-Security-Policy": API_CSP,
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": NO_POWERS,
  // Wallets open windows of their own; no page that opened ours gets a handle on it.
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
} as const;

const OVER_TLS = { ...PLAIN, "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } as const;

export function securityHeaders(https: boolean): Readonly<Record<string, string>> {
  return https ? OVER_TLS : PLAIN;
}
