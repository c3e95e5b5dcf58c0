import type { PaymentRequest } from "../features/payment-requests/index.ts";
import { NO_VENDORS } from "./checkout-frame/vendor-sources.ts";

/**
 * What a hosted page may load and do: our own script, style and frames, and pictures of items from where the merchant
 * has them. Browsers hold every redirect after a form post against `form-action`, also those that the merchant's site
 * makes after ours; so a payer who is sent on to the merchant may be sent on to anywhere. A page that offers a wallet for
 * real money may load what its vendor needs.
 */
export function pagePolicy(request: PaymentRequest | undefined, vendors = NO_VENDORS): string {
  const { lineItems = [], redirectUrl, resultPage } = request?.details.hostedPage ?? {};
  const pictures = lineItems.flatMap(({ image }) => (image === undefined ? [] : originOf(image)));
  const targets = redirectUrl === undefined || resultPage !== "redirect" ? [] : ["http:", "https:"];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...vendors.scripts].join(" "),
    ["style-src 'self'", ...vendors.styles].join(" "),
    ["img-src 'self'", ...new Set(pictures)].join(" "),
    ["connect-src 'self'", ...vendors.connections].join(" "),
    ["frame-src 'self'", ...vendors.frames].join(" "),
    ["form-action 'self'", ...targets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** A host's name may hold what has a meaning in a policy (`;`, `,`, `*`). No real one does, so such a picture stays away. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

function originOf(address: string): readonly string[] {
  const { origin } = new URL(address);
  return PLAIN_ORIGIN.test(origin) ? [origin] : [];
}
