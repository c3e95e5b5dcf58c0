import type { PaymentRequest } from "../../features/payment-requests/index.ts";

/**
 * What a hosted page may load and do: our own script, style and frames, and pictures of items from where the merchant
 * has them. Browsers hold redirects after a form post against `form-action`, so the merchant's address is in it.
 */
export function pagePolicy(request: PaymentRequest | undefined): string {
  const { lineItems = [], redirectUrl } = request?.details.hostedPage ?? {};
  const pictures = lineItems.flatMap(({ image }) => (image === undefined ? [] : [originOf(image)]));
  const targets = redirectUrl === undefined ? [] : [originOf(redirectUrl)];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...new Set(pictures)].join(" "),
    "connect-src 'self'",
    "frame-src 'self'",
    ["form-action 'self'", ...targets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function originOf(address: string): string {
  return new URL(address).origin;
}
